/**
 * Completions of the source view: tags and their attributes, paths of pages, files and reusable contents, variables, emoji
 * and icons. What is in the content is fetched once something of it is completed.
 */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  snippetCompletion,
} from '@codemirror/autocomplete'
import { syntaxTree } from '@codemirror/language'
import { gemoji } from 'gemoji'
import iconNames from 'icon-names'
import { relativePath } from '../../core/links/relative.js'
import { anchorOf } from '../../core/markdown/anchors.js'
import { type ContentSource, queryClient } from '../api/queries.js'
import { text as texts } from '../i18n/text.js'
import { sharedContentsQuery } from '../space/shared-contents-query.js'
import { type LinkablePage, destinationOf, fetchLinkablePages } from './page-links.js'
import { dialectTags, openTagsOf, tagPlaceOf } from './source-tags.js'

/** Characters before the cursor in which tags that are open are looked for. */
const tagWindow = 20_000

interface Names {
  /** The page whose text it is. */
  readonly own: LinkablePage | undefined
  readonly pages: readonly LinkablePage[]
  readonly files: readonly string[]
  readonly reusable: readonly { readonly path: string; readonly title: string }[]
  readonly spaceVariables: readonly string[]
}

/** Milliseconds for which names are not fetched again: completions ask for them with each key. */
const namesLifetime = 60_000

async function fetchNames(source: ContentSource, page: string): Promise<Names> {
  const [pages, { files, reusableContents, variables }] = await Promise.all([
    fetchLinkablePages(source),
    queryClient.fetchQuery({ ...sharedContentsQuery(source), staleTime: namesLifetime }),
  ])
  return {
    own: pages.find(({ id }) => id === page),
    pages,
    files: files.map(({ path }) => path),
    reusable: reusableContents.flatMap(({ path, title }) => (path === undefined ? [] : [{ path, title }])),
    spaceVariables: Object.keys(variables),
  }
}

/** Returns the completions for the text of a page. */
export function dialectCompletions(source: ContentSource, page: string): readonly CompletionSource[] {
  const names = () => fetchNames(source, page)
  return [
    completeTags(names),
    completeDestinations(names),
    completeExpressions(names),
    completeFrontMatterIcon,
    completeEmoji,
  ]
}

const plain = /^[^\s"]*$/
const tagOptions: readonly Completion[] = Object.entries(dialectTags).map(([label, { snippet }]) =>
  snippetCompletion(snippet, { label, type: 'keyword' }),
)
const icons: readonly Completion[] = iconNames.split('\n').map((label) => ({ label, type: 'constant' }))

/** True in code, where tags, links and emoji are text. */
const isInCode = ({ state, pos }: CompletionContext): boolean =>
  /Code/.test(syntaxTree(state).resolveInner(pos, -1).name)

const lineBefore = ({ state, pos }: CompletionContext): { readonly text: string; readonly start: number } => {
  const line = state.doc.lineAt(pos)
  return { text: line.text.slice(0, pos - line.from), start: line.from }
}

function completeTags(names: () => Promise<Names>): CompletionSource {
  return async (context): Promise<CompletionResult | null> => {
    const { text, start } = lineBefore(context)
    const place = isInCode(context) ? undefined : tagPlaceOf(text)
    if (place === undefined) return null
    const from = start + place.from
    switch (place.kind) {
      case 'name': {
        const before = context.state.sliceDoc(Math.max(0, from - tagWindow), from - 2)
        const open = openTagsOf(before).toReversed()
        const ends = open.map((tag, index): Completion => ({
          label: `end${tag}`,
          apply: `end${tag} %}`,
          type: 'keyword',
          boost: 10 - index,
        }))
        return { from, options: [...ends, ...tagOptions], validFor: /^[\w-]*$/ }
      }
      case 'attribute': {
        const options = Object.entries(dialectTags[place.tag]?.attributes ?? {}).map(([label, values]) =>
          snippetCompletion(`${label}="\${${values[0] ?? ''}}"`, { label, type: 'property' }),
        )
        return { from, options, validFor: /^[\w-]*$/ }
      }
      case 'value': {
        const { tag, attribute } = place
        const values = dialectTags[tag]?.attributes[attribute] ?? []
        if (values.length > 0) return { from, options: values.map((label) => ({ label })), validFor: plain }
        if (attribute === 'icon') return { from, options: icons, validFor: plain }
        if (attribute === 'src') return { from, options: fileOptions(await names()), validFor: plain }
        if (attribute === 'url' && tag === 'content-ref')
          return { from, options: pageOptions(await names()), validFor: plain }
        return null
      }
      case 'rest': {
        if (place.tag === 'include') {
          const { reusable, own } = await names()
          const options = reusable.map(({ path, title }) => ({
            label: relativePath(own?.file ?? '', path),
            detail: title,
            type: 'text',
          }))
          return { from, options, validFor: plain }
        }
        return place.tag === 'if' || place.tag === 'elif' ? expressionResult(context, await names()) : null
      }
    }
  }
}

const pageOptions = ({ pages, own }: Names): Completion[] =>
  pages.map((page) => ({ label: destinationOf(own, page), detail: page.title, type: 'text' }))

const fileOptions = ({ files, own }: Names): Completion[] =>
  files.map((path) => ({ label: relativePath(own?.file ?? '', path), type: 'text' }))

/** Ids of the headings of this text, as far as they follow from their words. */
function headingOptions(text: string): Completion[] {
  return text.split('\n').flatMap((line) => {
    const marks = /^#{1,6}[ \t]/.exec(line)
    if (marks === null) return []
    const words = line.slice(marks[0].length).trim()
    return [{ label: `#${anchorOf(words)}`, detail: words, type: 'text' }]
  })
}

/** Destinations of links and images: `](…`, and `src` and `href` of elements. */
function completeDestinations(names: () => Promise<Names>): CompletionSource {
  return async (context): Promise<CompletionResult | null> => {
    const { text, start } = lineBefore(context)
    const destination = isInCode(context) ? undefined : destinationBefore(text)
    if (destination === undefined) return null
    const { written, isImage } = destination
    const from = start + text.length - written.length
    if (written.startsWith('#'))
      return { from, options: headingOptions(context.state.doc.toString()), validFor: plain }
    const known = await names()
    const options = isImage ? fileOptions(known) : [...pageOptions(known), ...fileOptions(known)]
    return { from, options, validFor: plain }
  }
}

/** Returns the destination that a line ends in, as far as it is written. */
function destinationBefore(
  text: string,
): { readonly written: string; readonly isImage: boolean } | undefined {
  const link = text.lastIndexOf('](')
  if (link >= 0 && !/[()\s]/.test(text.slice(link + 2)))
    return { written: text.slice(link + 2), isImage: text[text.lastIndexOf('[', link) - 1] === '!' }
  const value = text.lastIndexOf('="')
  const tag = value < 0 ? -1 : text.lastIndexOf('<', value)
  if (tag < 0 || /[">]/.test(text.slice(value + 2)) || text.slice(tag, value).includes('>')) return undefined
  const name = /^<(img|a)[ \t]/.exec(text.slice(tag))?.[1]
  const isDestination = text.endsWith('src', value) || text.slice(0, value).endsWith('href')
  return name !== undefined && isDestination
    ? { written: text.slice(value + 2), isImage: name === 'img' }
    : undefined
}

/** Expressions in text: `<code class="expression">…</code>`. */
function completeExpressions(names: () => Promise<Names>): CompletionSource {
  return async (context): Promise<CompletionResult | null> => {
    const { text } = lineBefore(context)
    const element = text.lastIndexOf('class="expression"')
    const content = element < 0 ? -1 : text.indexOf('>', element)
    const isInside = content >= 0 && !text.includes('<', content)
    return isInside ? expressionResult(context, await names()) : null
  }
}

function expressionResult(context: CompletionContext, { spaceVariables }: Names): CompletionResult {
  const word = context.matchBefore(/[\w.]*/)
  const text = context.state.sliceDoc(0, 10_000)
  const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? ''
  const block = /^(?:vars|variables):[ \t]*\r?\n((?:[ \t]+.*\r?\n?)*)/m.exec(frontMatter)?.[1] ?? ''
  const pageVariables = [...block.matchAll(/^[ \t]+([\w-]+):/gm)].map(([, name]) => name!)
  const options = [
    ...spaceVariables.map((name) => ({ label: `space.vars.${name}`, type: 'variable' })),
    ...pageVariables.map((name) => ({ label: `page.vars.${name}`, type: 'variable' })),
    { label: 'visitor.claims.', type: 'variable', detail: texts.source.claims },
  ]
  return { from: word?.from ?? context.pos, options, validFor: /^[\w.]*$/ }
}

const completeFrontMatterIcon: CompletionSource = (context) => {
  const { text, start } = lineBefore(context)
  const match = /^icon:[ \t]*([\w-]*)$/.exec(text)
  const node = syntaxTree(context.state).resolveInner(context.pos, -1)
  if (match === null || !node.name.startsWith('FrontMatter')) return null
  return { from: start + text.length - match[1]!.length, options: icons, validFor: plain }
}

const emoji: readonly Completion[] = gemoji.flatMap(({ emoji: characters, names, description }) =>
  names.map((name) => ({ label: `:${name}:`, detail: characters, info: description })),
)

const completeEmoji: CompletionSource = (context) => {
  const word = context.matchBefore(/(?:^|[^\w:]):[a-z0-9_+-]{2,}$/)
  if (word === null || isInCode(context)) return null
  return { from: word.from + word.text.indexOf(':'), options: emoji, validFor: /^:[a-z0-9_+-]*:?$/ }
}
