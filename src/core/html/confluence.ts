/**
 * Normalizes pages exported from, or rendered by, Confluence: emoticons, lozenges, panels and attached files become
 * plain HTML. Attachments below the content become a list; comments are reported as lost.
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
import { type Replacements, newElement, newText } from './rewrite.js'

/** Collects the replacements for a Confluence page. */
export function normalizeConfluence(
  document: HtmlElement,
  changes: Replacements,
  reportLoss: (what: string) => void,
): void {
  const sectionHeadings = new Map<string, HtmlElement>()
  for (const element of descendants(document)) {
    const replacement = replacementFor(element, reportLoss)
    if (replacement !== undefined) changes.set(element, replacement)
    else if (element.name === 'h2' && hasClass(element, 'pagesectiontitle'))
      sectionHeadings.set(valueOf(element, 'id') ?? '', element)
  }
  const comments = sectionHeadings.get('comments')?.parent?.parent
  if (comments)
    for (const one of descendants(comments))
      if (one.name === 'a' && valueOf(one, 'name')?.startsWith('comment-') === true) reportLoss('comments')
  const files = sectionHeadings.get('attachments')
  if (files) listFiles(document, files, changes)
}

/** Returns the replacement of an element; undefined when it stays. */
function replacementFor(
  element: HtmlElement,
  reportLoss: (what: string) => void,
): readonly HtmlNode[] | undefined {
  switch (element.name) {
    case 'img':
      return replacementForImage(element, reportLoss)
    case 'span':
      return hasClass(element, 'status-macro') ? [newElement('strong', {}, element.children)] : undefined
    case 'a':
      // Links to user profiles work only within the wiki.
      if (hasClass(element, 'confluence-userlink'))
        return /^https?:/i.test(valueOf(element, 'href') ?? '') ? undefined : element.children
      return hasClass(element, 'confluence-embedded-file') ? [namedFile(element)] : undefined
    case 'div':
      return panelOf(element)
  }
  return undefined
}

function replacementForImage(
  img: HtmlElement,
  reportLoss: (what: string) => void,
): readonly HtmlNode[] | undefined {
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
  // The icon of a Jira issue's type, beside its key.
  if (hasClass(img, 'icon') && img.parent && hasClass(img.parent, 'jira-issue-key')) return []
  const [, query] =
    /^\/?plugins\/servlet\/confluence\/placeholder\/([^#]*)/.exec(valueOf(img, 'src') ?? '') ?? []
  if (query === undefined) return undefined
  const named = /[?&]name=([\w-]{1,60})/.exec(query)?.[1]
  reportLoss(named === undefined ? 'a macro that the export does not know' : `the macro "${named}"`)
  return []
}

/** A file displayed as a thumbnail becomes a link with its name. */
function namedFile(a: HtmlElement): HtmlElement {
  const name = valueOf(a, 'data-linked-resource-default-alias') ?? fileNameOf(valueOf(a, 'href') ?? '')
  return newElement('a', { href: valueOf(a, 'href') ?? '' }, [newText(name)])
}

function fileNameOf(url: string): string {
  return decodePercent(pathOf(url).split('/').at(-1)!)
}

/** A panel, in the current markup and that before 2013, as an admonition. */
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

/** The last cell of an old panel has its text. */
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

/** Attachments that the content does not link to become a list after it. */
function listFiles(document: HtmlElement, heading: HtmlElement, changes: Replacements): void {
  const section = heading.parent?.parent
  if (!section) return
  const content = findElement(document, (one) => valueOf(one, 'id') === 'main-content')
  if (content === undefined) return
  const linkedPaths = new Set<string>()
  let level = 7
  for (const one of descendants(content)) {
    for (const name of ['href', 'src', 'data-image-src'] as const) linkedPaths.add(pathOf(valueOf(one, name)))
    if (/^h[1-6]$/.test(one.name)) level = Math.min(level, Number(one.name[1]))
  }
  const items = [...descendants(section)].flatMap((one): HtmlElement[] => {
    const href = valueOf(one, 'href')
    // Names starting like this are source files of drawing add-ons.
    if (one.name !== 'a' || href === undefined || linkedPaths.has(pathOf(href)) || /^[~.]/.test(wordsOf(one)))
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
