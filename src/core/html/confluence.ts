/**
 * Pages of Confluence as it exports them, or shows them: its emoticons, lozenges, panels and attached files in the words
 * of HTML. What stands below the content, files and comments, is gathered or told.
 */
import { emojiOf } from '../confluence/emoticons.js'
import { decodePercent } from '../links/resolve.js'
import {
  type HtmlElement,
  type HtmlNode,
  classesOf,
  descendants,
  elementsOf,
  findElement,
  hasClass,
  textOf,
  valueOf,
  wordsOf,
} from './nodes.js'
import { type Changes, newElement, newText } from './rewrite.js'

/** Gathers what is to change in a page of Confluence. */
export function settleConfluence(
  document: HtmlElement,
  changes: Changes,
  lose: (what: string) => void,
): void {
  const below = new Map<string, HtmlElement>()
  for (const element of descendants(document)) {
    const others = settled(element, lose)
    if (others !== undefined) changes.set(element, others)
    else if (element.name === 'h2' && hasClass(element, 'pagesectiontitle'))
      below.set(valueOf(element, 'id') ?? '', element)
  }
  const comments = below.get('comments')?.parent?.parent
  if (comments)
    for (const one of descendants(comments))
      if (one.name === 'a' && valueOf(one, 'name')?.startsWith('comment-') === true) lose('comments')
  const files = below.get('attachments')
  if (files) listFiles(document, files, changes)
}

/** Returns what an element becomes, undefined where it stays. */
function settled(element: HtmlElement, lose: (what: string) => void): readonly HtmlNode[] | undefined {
  switch (element.name) {
    case 'img':
      return settledImage(element, lose)
    case 'span':
      return hasClass(element, 'status-macro') ? [newElement('strong', {}, element.children)] : undefined
    case 'a':
      // Where a person is found is known to the wiki alone.
      if (hasClass(element, 'confluence-userlink'))
        return /^https?:/i.test(valueOf(element, 'href') ?? '') ? undefined : element.children
      return hasClass(element, 'confluence-embedded-file') ? [namedFile(element)] : undefined
    case 'div':
      return panelOf(element)
  }
  return undefined
}

function settledImage(img: HtmlElement, lose: (what: string) => void): readonly HtmlNode[] | undefined {
  if (hasClass(img, 'emoticon')) {
    const name =
      valueOf(img, 'data-emoticon-name') ??
      classesOf(img)
        .find((one) => one.startsWith('emoticon-'))
        ?.slice('emoticon-'.length)
    const sign = emojiOf({
      name,
      fallback: valueOf(img, 'data-emoji-fallback'),
      id: valueOf(img, 'data-emoji-id'),
    })
    return [newText(sign ?? valueOf(img, 'alt') ?? '')]
  }
  // The kind of an issue, beside its key.
  if (hasClass(img, 'icon') && img.parent && hasClass(img.parent, 'jira-issue-key')) return []
  const [, query] =
    /^\/?plugins\/servlet\/confluence\/placeholder\/([^#]*)/.exec(valueOf(img, 'src') ?? '') ?? []
  if (query === undefined) return undefined
  const named = /[?&]name=([\w-]{1,60})/.exec(query)?.[1]
  lose(named === undefined ? 'a macro that the export does not know' : `the macro "${named}"`)
  return []
}

/** A file that is shown as a small picture of its first page. */
function namedFile(a: HtmlElement): HtmlElement {
  const name = valueOf(a, 'data-linked-resource-default-alias') ?? fileNameOf(valueOf(a, 'href') ?? '')
  return newElement('a', { href: valueOf(a, 'href') ?? '' }, [newText(name)])
}

function fileNameOf(url: string): string {
  return decodePercent(pathOf(url).split('/').at(-1)!)
}

/** A panel as it is written now and as it was written before 2013: both as notes are. */
function panelOf(div: HtmlElement): readonly HtmlNode[] | undefined {
  if (hasClass(div, 'panelmacro')) {
    const table = elementsOf(div).find(({ name }) => name === 'table')
    const kind = table && /^(info|note|warning|tip)macro$/.exec(classesOf(table)[0] ?? '')?.[1]
    const cell = table && lastCell(table)
    return kind === undefined || cell === undefined ? undefined : [noteOf(kind, [], cell.children)]
  }
  if (!hasClass(div, 'panel') || hasClass(div, 'code', 'preformatted')) return undefined
  const parts = elementsOf(div)
  const body = parts.find((one) => hasClass(one, 'panelcontent'))
  if (body === undefined) return undefined
  const head = parts.find((one) => hasClass(one, 'panelheader'))
  return [noteOf('info', head?.children ?? [], body.children)]
}

/** Its words stand in the last one. */
function lastCell(table: HtmlElement): HtmlElement | undefined {
  const last = elementsOf(table).at(-1)
  const row = last?.name === 'tbody' ? elementsOf(last).at(-1) : last
  return row && elementsOf(row).at(-1)
}

function noteOf(kind: string, title: readonly HtmlNode[], body: readonly HtmlNode[]): HtmlElement {
  const word = kind === 'info' ? 'information' : kind
  return newElement('div', { class: `confluence-information-macro confluence-information-macro-${word}` }, [
    ...(title.length === 0 ? [] : [newElement('p', { class: 'title' }, title)]),
    newElement('div', { class: 'confluence-information-macro-body' }, body),
  ])
}

/** Files that the page has and does not show become a list behind its content. */
function listFiles(document: HtmlElement, heading: HtmlElement, changes: Changes): void {
  const section = heading.parent?.parent
  if (!section) return
  const content = findElement(document, (one) => valueOf(one, 'id') === 'main-content')
  if (content === undefined) return
  const shown = new Set<string>()
  let level = 7
  for (const one of descendants(content)) {
    for (const name of ['href', 'src', 'data-image-src'] as const) shown.add(pathOf(valueOf(one, name)))
    if (/^h[1-6]$/.test(one.name)) level = Math.min(level, Number(one.name[1]))
  }
  const items = [...descendants(section)].flatMap((one): HtmlElement[] => {
    const href = valueOf(one, 'href')
    // What begins so was put there by a program that draws.
    if (one.name !== 'a' || href === undefined || shown.has(pathOf(href)) || /^[~.]/.test(wordsOf(one)))
      return []
    return [newElement('li', {}, [newElement('a', { href }, [newText(textOf(one))])])]
  })
  if (items.length === 0) return
  const title = newText(wordsOf(heading).replace(/[:：]$/, ''))
  const list = [newElement(level === 7 ? 'h2' : `h${level}`, {}, [title]), newElement('ul', {}, items)]
  const last = content.children.at(-1)
  if (last === undefined) content.children.push(...list)
  else changes.set(last, [...(changes.get(last) ?? [last]), ...list])
}

function pathOf(url: string | undefined): string {
  return (url ?? '').split(/[?#]/, 1)[0]!
}
