/**
 * Loading of all that a page refers to, before rendering: its link targets, its API specifications, and the reusable
 * contents that it includes, over all levels.
 *
 * Depends on plain values and queries only, so that it runs in the main or a worker thread. Links of a reusable content
 * are relative to its own file; they are rebased to the page before parsing, so that one table resolves both.
 */
import type { NamedBlock } from '../../core/document/openapi.js'
import { visitBlocks } from '../../core/document/visit.js'
import type { Hash } from '../../core/ids.js'
import { hasRightToLeft } from '../../core/language/direction.js'
import { retarget } from '../../core/links/relative.js'
import { replaceDestinations } from '../../core/links/replace.js'
import { type ResolveOptions, resolveReference } from '../../core/links/resolve.js'
import { type ParsedPage, parseFragment, parsePage } from '../../core/markdown/parse.js'
import type { SpecificationView } from '../../core/openapi/view.js'
import type { FragmentResult } from '../../store/reading/fragment-renderer.js'
import type { FileTarget, LinkTarget, PageFragment } from '../blocks/context.js'
import { maxIncludeDepth, renderLimits } from '../blocks/render.js'
import { wordsIn } from '../words/words.js'
import type { expressionInputs } from './content.js'
import { collectSpecificationBlocks } from './specifications.js'

/** Position and display settings of a page: plain values. */
export interface PageSettings {
  /** Of the page, shown above its text. */
  readonly title: string
  /** Path of the page's file in its space. */
  readonly file: string
  /** How links in the texts of its space are resolved. */
  readonly resolving: ResolveOptions
  readonly inputs: ReturnType<typeof expressionInputs>
  readonly isAdaptive: boolean
  readonly searchHref: string
  readonly language: string
  readonly externalInNewTab: boolean
  readonly isWide: boolean
  /** True for a text that is no page: it has neither front matter nor title. */
  readonly isFragment?: boolean
  /** True in a worker thread, where long texts block no other request. */
  readonly isInWorker?: true
}

/** A destination as resolved for the reader of the page. */
export interface ResolvedTarget {
  readonly link: LinkTarget
  readonly file?: FileTarget
  readonly text?: TextLocation
}

export interface TextLocation {
  readonly path: string
  readonly hash: Hash
}

export interface PageQueries {
  resolve(urls: readonly string[]): Promise<ReadonlyMap<string, ResolvedTarget>>
  /** Returns texts with what is closed to the reader removed. */
  texts(hashes: readonly Hash[]): Promise<readonly string[]>
  renderFragment(fragment: PageFragment): Promise<FragmentResult>
  /** Returns the specification views of blocks, by block key. */
  specifications(blocks: readonly NamedBlock[]): Promise<ReadonlyMap<string, SpecificationView>>
}

/** Characters of a page with its includes that are parsed in the main thread: about a tenth of a second at worst. */
export const maxInlineLength = 60_000
/** Characters of all included contents of a page, over all levels; each counts once. */
const maxIncludedLength = 2_000_000
/** Contents loaded per query: each may be a megabyte. */
const filesPerBatch = 16

/** A text and its parse result. */
export interface ParsedText extends Pick<ParsedPage, 'document' | 'references' | 'expressions'> {
  readonly text: string
}

/** A page with everything that it refers to. */
export interface LoadedPage {
  readonly page: ParsedPage
  /** By the destination as written on the page. */
  readonly targets: ReadonlyMap<string, ResolvedTarget>
  /** By the path of their file. */
  readonly includes: ReadonlyMap<string, ParsedText>
  /** True when any of the texts has right-to-left letters. */
  readonly isMixed: boolean
  /** By the keys of the blocks that show them. */
  readonly specifications: ReadonlyMap<string, SpecificationView>
  /** True when it contains API blocks. */
  readonly hasReference: boolean
}

/** One-entry cache: a page is often requested as HTML and right after as Markdown. */
let lastRead: { readonly text: string; readonly page: ParsedPage } | undefined

function readPage(text: string): ParsedPage {
  if (lastRead?.text !== text) lastRead = { text, page: parsePage(text) }
  return lastRead.page
}

/** Loads a page with this text; undefined when it needs a worker thread. */
export async function loadPage(
  settings: PageSettings,
  queries: PageQueries,
  text: string,
): Promise<LoadedPage | undefined> {
  let inlineBudget = settings.isInWorker === true ? Infinity : maxInlineLength
  if (text.length > inlineBudget) return undefined
  const page = settings.isFragment === true ? parseFragment(text) : readPage(text)
  const loaded = { targets: new Map<string, ResolvedTarget>(), includes: new Map<string, ParsedText>() }
  let isMixed = hasRightToLeft(text)
  let includedBudget = maxIncludedLength
  // Breadth first: the references of the page, then those of its included contents, each file once.
  let level: readonly Pick<ParsedText, 'document' | 'references'>[] = [page]
  for (let depth = 0; level.length > 0; depth++) {
    const urls = new Set(level.flatMap(({ references }) => references.map(({ url }) => url)))
    const unknown = [...urls].filter((url) => !loaded.targets.has(url))
    if (unknown.length > 0) {
      for (const [url, target] of await queries.resolve(unknown)) loaded.targets.set(url, target)
    }
    if (depth === maxIncludeDepth) break
    const files = [...missingIncludes(level, loaded).values()]
    const below: ParsedText[] = []
    for (let at = 0; at < files.length; at += filesPerBatch) {
      const batch = files.slice(at, at + filesPerBatch)
      if (loaded.includes.size >= renderLimits.includes || includedBudget <= 0) {
        for (const { path } of batch) loaded.includes.set(path, limitNotice(settings))
        continue
      }
      const texts = await queries.texts(batch.map(({ hash }) => hash))
      for (const [index, { path }] of batch.entries()) {
        const included = texts[index]!
        includedBudget -= included.length
        inlineBudget -= included.length
        isMixed ||= hasRightToLeft(included)
        if (inlineBudget < 0) return undefined
        const read = includedBudget < 0 ? undefined : readFragment(rebaseLinks(settings, path, included))
        loaded.includes.set(path, read ?? limitNotice(settings))
        if (read !== undefined) below.push(read)
      }
    }
    level = below
  }
  const apiBlocks = collectSpecificationBlocks(
    [page, ...loaded.includes.values()].map(({ document }) => document),
  )
  const specifications = apiBlocks.length === 0 ? new Map() : await queries.specifications(apiBlocks)
  return { page, ...loaded, isMixed, specifications, hasReference: apiBlocks.length > 0 }
}

function readFragment(text: string): ParsedText {
  return { text, ...parseFragment(text) }
}

function missingIncludes(
  level: readonly Pick<ParsedText, 'document'>[],
  { targets, includes }: Pick<LoadedPage, 'targets' | 'includes'>,
): ReadonlyMap<string, TextLocation> {
  const missing = new Map<string, TextLocation>()
  for (const { document } of level) {
    visitBlocks(document, (block) => {
      const text = block.type === 'reusable-content' ? targets.get(block.src)?.text : undefined
      if (text !== undefined && !includes.has(text.path)) missing.set(text.path, text)
    })
  }
  return missing
}

/** The notice in place of an included content beyond the limits. */
function limitNotice({ language }: PageSettings): ParsedText {
  const words = wordsIn(language)
  return readFragment(`{% hint style="warning" %}\n${words.includesTooMuch}\n{% endhint %}\n`)
}

/** Returns the text of `file` with its relative links rebased to `page`. */
function rebaseLinks({ file: page, resolving }: PageSettings, file: string, text: string): string {
  const replacements = parseFragment(text).references.flatMap((reference) => {
    const resolved = resolveReference(file, reference.url, resolving)
    if (resolved.kind !== 'file') return []
    const url = retarget(reference.url, page, resolved.path)
    return url === reference.url ? [] : [{ span: reference.span, syntax: reference.syntax, url }]
  })
  return replaceDestinations(text, replacements)
}

/** A link to the web, or a destination used as written. */
export function webLink(url: string): LinkTarget {
  return /^(?:https?:)?\/\//i.test(url) ? { href: url, external: true } : { href: url }
}
