/**
 * Reading texts: what an import wants to know of them and what the index holds of them.
 *
 * Both are pure and take about a millisecond a page, which adds up: the reader that the server uses does
 * it in threads of their own (`threaded-reader.ts`), so that an import keeps nobody waiting. This one does it at once.
 */
import { type ExportContext, headingOf, htmlOfStorage } from '../../core/confluence/storage.js'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Inputs } from '../../core/conditions/evaluate.js'
import { guardOf } from '../../core/conditions/guard.js'
import { type HtmlPage, convertHtml } from '../../core/html/convert.js'
import type { LanguageTally } from '../../core/language/tally.js'
import { rewriteLinksByTable } from '../../core/markdown/rewrite-links.js'
import { type TextLinks, noLinks } from '../../core/links/text-links.js'
import { type PageInspection, type TextProblem, inspectPage } from '../../core/markdown/inspect-page.js'
import { findConditions, publicText } from '../../core/markdown/visible-text.js'
import { parsePage } from '../../core/markdown/parse.js'
import { findBlockText, trackBlocks } from '../../core/merge/track-blocks.js'
import { type BlockChange, diffBlocks } from '../../core/merge/diff-blocks.js'
import type { Description } from '../../core/pages/describe.js'
import { collectConditionalSections } from '../../core/search/conditional-sections.js'
import { type BlockWords, blockKey } from '../../core/openapi/block-words.js'
import { type SpecificationWords, collectSections } from '../../core/search/sections.js'
import { encodeLinks } from '../content/text-links.js'
import { type FoldedPage, type SearchablePage, type SectionToFold, foldPages } from '../search/fold.js'
import { decodeHtml } from './decode-html.js'
import { type DocumentParts, readDocument } from './docx.js'

/** What a text says of itself; what there may be much of is packed as JSON, because parts of a string keep all of it alive. */
export interface TextAnalysis {
  readonly description: Omit<Description, 'references'>
  /** The JSON of `Links`. */
  readonly links: Uint8Array
  /** What is kept beside the text, as `packLinks` makes it. */
  readonly encodedLinks: Uint8Array
  readonly problems: readonly TextProblem[]
  readonly language: LanguageTally
}

type Links = Pick<PageInspection, 'referenceLines'> &
  Pick<TextLinks, 'anchors'> &
  Pick<Description, 'references'>

/** A description that also says where its references stand, and which fragments lead into the text. */
export type LinkedDescription = Description & Links

/** A page to be indexed: everything but its sections, and the text that they are cut from. */
export interface PageToFold extends Omit<SearchablePage, 'sections'> {
  readonly markdown: string
  /** Of the page, where conditions in its text may name them. */
  readonly variables?: Inputs
  /** What its API blocks show of specifications. */
  readonly searchTexts?: BlockWords
}

/** How a page of HTML is to be read. */
export interface ReadHtmlOptions {
  /** Of bytes, as the server named it. */
  readonly contentType?: string
  /** Where the page stands: its links become absolute. Without it they stay as written. */
  readonly address?: string
  /** The id or the name of the element that holds the content, where that is known. */
  readonly content?: string
  /** What the page is called, where something else says so. */
  readonly title?: string
  /** The name of its file, which links within it may begin with. */
  readonly name?: string
  /** Of a page in the storage format of Confluence. */
  readonly storage?: StoredPageOptions
}

export interface StoredPageOptions {
  readonly title: string
  /** What of it leads somewhere; everything when it is not said. */
  readonly leads?: readonly string[]
  readonly below: ExportContext['childPages']
}

export interface TextReader {
  describe(markdown: string): Promise<TextAnalysis>
  /** A page of HTML as Markdown of the dialect; one that cannot be read has no Markdown, and says so in `lost`. */
  convert(html: string | Uint8Array, options?: ReadHtmlOptions): Promise<HtmlPage>
  /** A document of Word, by the unpacked parts of its file: one page, or one and one for each chapter; see `readDocument`. */
  convertDocument(parts: DocumentParts, isParted: boolean): Promise<readonly HtmlPage[]>
  /** The text with its destinations led where the table says, see `redirectByTable`. */
  redirect(markdown: string, destinations: ReadonlyMap<string, string>): Promise<string>
  fold(page: PageToFold): Promise<FoldedPage>
  /** Where the blocks of a text are in another, by their keys. */
  follow(before: string, after: string): Promise<ReadonlyMap<string, string>>
  /** The blocks that differ between two texts; undefined where they cannot be read. */
  compare(before: string, after: string): Promise<readonly BlockChange[] | undefined>
  /** The words of the block with this key, if the text has one. */
  findWords(text: string, key: string): Promise<string | undefined>
  /** Told that there will be something to read: a thread takes a third of a second to begin. */
  prepare(): void
  close(): Promise<void>
}

/** Returns a reader that works in the caller's thread, and lets others have their turn before each text. */
export function createInlineReader(): TextReader {
  return {
    async describe(markdown) {
      await nextTurn()
      return describeText(markdown)
    },
    async convert(html, options) {
      await nextTurn()
      return convertText(html, options)
    },
    async convertDocument(parts, isParted) {
      await nextTurn()
      return (await convertParts(parts, isParted)).pages
    },
    async redirect(markdown, destinations) {
      await nextTurn()
      return rewriteLinksByTable(markdown, destinations)
    },
    async fold(page) {
      await nextTurn()
      return foldText(page)
    },
    async follow(before, after) {
      await nextTurn()
      return trackBlocks(before, after)
    },
    async compare(before, after) {
      await nextTurn()
      return diffBlocks(before, after)
    },
    async findWords(text, key) {
      await nextTurn()
      return findBlockText(text, key)
    },
    prepare: () => {},
    close: async () => {},
  }
}

/** Answers what the text says of itself; never throws, whatever stands in it. */
export function describeText(markdown: string): TextAnalysis {
  try {
    const { description, problems, language, links, referenceLines } = inspectPage(markdown)
    const { title, metadata, references, specifications } = description
    return {
      // Through JSON: the copies share nothing with the text.
      description: JSON.parse(
        JSON.stringify({ title, metadata, specifications }),
      ) as TextAnalysis['description'],
      links: encodePageLinks({ references, referenceLines, anchors: links.anchors }),
      encodedLinks: encodeLinks(links),
      problems: JSON.parse(JSON.stringify(problems)) as TextAnalysis['problems'],
      language,
    }
  } catch {
    return failedReading()
  }
}

/** Answers what a page of HTML says; never throws, whatever stands in it. */
export function convertText(
  html: string | Uint8Array,
  { contentType, address, content, title, name, storage }: ReadHtmlOptions = {},
): HtmlPage {
  const resolve =
    address === undefined
      ? undefined
      : (url: string, base: string | undefined): string | undefined => {
          try {
            return new URL(url, base === undefined ? address : new URL(base, address)).href
          } catch {
            return undefined
          }
        }
  try {
    if (storage !== undefined) {
      const { leads: led, below: childPages } = storage
      const known = led && new Set(led)
      const exists = (destination: string): boolean => known?.has(destination) ?? true
      const stored = htmlOfStorage(String(html), { exists, childPages })
      const page = convertHtml(`<main class="wiki-content">${headingOf(storage.title)}${stored.html}</main>`)
      return { ...page, lost: [...stored.lost, ...page.lost] }
    }
    return convertHtml(typeof html === 'string' ? html : decodeHtml(html, contentType), {
      ...(resolve && { resolve }),
      ...(content !== undefined && { content }),
      ...(title !== undefined && { title }),
      ...(name !== undefined && { name }),
    })
  } catch (error) {
    return failedConversion(String(error))
  }
}

/** Answers what a document of Word says; never throws, whatever stands in it. */
export async function convertParts(parts: DocumentParts, isParted: boolean): Promise<ConvertedDocument> {
  try {
    return { pages: await readDocument(parts, isParted, convertText) }
  } catch (error) {
    return { pages: [failedConversion(error instanceof Error ? error.message : String(error))] }
  }
}

export interface ConvertedDocument {
  readonly pages: readonly HtmlPage[]
}

/** What is said of a page that cannot be read. */
export function failedConversion(reason: string): HtmlPage {
  const lost = [`the whole page, which cannot be read (${reason})`]
  return {
    markdown: '',
    links: [],
    destinations: [],
    parts: [],
    robots: [],
    trail: [],
    navigation: [],
    embedded: [],
    lost,
  }
}

/** What is said of a text that cannot be read. */
export function failedReading(): TextAnalysis {
  const message = 'This text cannot be read: it is shown as plain text.'
  return {
    description: { metadata: {} },
    links: encodePageLinks({ references: [], referenceLines: [], anchors: [] }),
    encodedLinks: encodeLinks(noLinks),
    problems: [{ kind: 'text', line: 1, message }],
    language: {},
  }
}

function encodePageLinks(links: Links): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(links))
}

/** Returns the description with links that are unpacked when somebody asks for them. */
export function decodeDescription({ description, links }: TextAnalysis): LinkedDescription {
  const unpack = (): Links => JSON.parse(new TextDecoder().decode(links)) as Links
  return {
    ...description,
    get references() {
      return unpack().references
    },
    get referenceLines() {
      return unpack().referenceLines
    },
    get anchors() {
      return unpack().anchors
    },
  }
}

/** Answers the page cut and folded; never throws, whatever stands in its text. */
export function foldText({ markdown, variables, searchTexts = {}, ...page }: PageToFold): FoldedPage {
  const words: SpecificationWords = (block) => {
    const name = blockKey(block)
    return name !== undefined && Object.hasOwn(searchTexts, name) ? searchTexts[name] : undefined
  }
  try {
    const open = collectSections(parsePage(publicText(markdown)).document, page.title, words).map(
      ({ anchor, heading, body }): SectionToFold => ({ anchor: anchor ?? null, heading, body }),
    )
    const sections = [...open, ...conditionalSections(markdown, page, { words, variables })]
    return foldPages([{ ...page, sections }])[0]!
  } catch (error) {
    return failedFolding({ markdown, ...page }, String(error))
  }
}

/** Answers what stands under conditions in a text; what never holds is left out. */
function conditionalSections(
  markdown: string,
  { title, guard: ofPage = [] }: Pick<SearchablePage, 'title' | 'guard'>,
  { words, variables }: { readonly words: SpecificationWords; readonly variables: Inputs | undefined },
): SectionToFold[] {
  const marks = findConditions(markdown)
  if (marks === undefined || marks.length === 0) return []
  return collectConditionalSections(parsePage(markdown).document, title, marks, words).flatMap((section) => {
    const { anchor, heading, body, conditions, isNamed } = section
    const own = guardOf(conditions, variables)
    if (own === undefined) return []
    return [{ anchor: anchor ?? null, heading, body, guarded: { guard: [...ofPage, ...own], isNamed } }]
  })
}

/** A page whose text cannot be folded: it is found by its title alone, and says why. */
export function failedFolding({ pageId, title, path, text, guard }: PageToFold, failure: string): FoldedPage {
  const sections = [{ anchor: null, heading: title, body: '' }]
  const page = { pageId, title, path, text, ...(guard && { guard }), sections }
  return { ...foldPages([page])[0]!, failure }
}
