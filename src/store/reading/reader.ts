/**
 * Text analysis for imports and for the index.
 *
 * Both are pure and take about a millisecond a page, which adds up: the server's reader runs in worker threads
 * (`worker-reader.ts`), so that an import does not block other requests. The one in this file runs in the main thread.
 */
import { type ExportContext, headingOf, htmlOfStorage } from '../../core/confluence/storage.js'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Inputs } from '../../core/conditions/evaluate.js'
import { guardOf } from '../../core/conditions/guard.js'
import { type SourceDocument, sourceDocument } from '../../core/editing/source-blocks.js'
import { type HtmlPage, convertHtml } from '../../core/html/convert.js'
import type { LanguageTally } from '../../core/language/tally.js'
import { parseFrontMatter } from '../../core/markdown/front-matter.js'
import { rewriteLinksByTable } from '../../core/markdown/rewrite-links.js'
import { type TextLinks, noLinks } from '../../core/links/text-links.js'
import { type PageInspection, type TextProblem, inspectPage } from '../../core/markdown/inspect-page.js'
import { findConditions, publicText } from '../../core/markdown/visible-text.js'
import { parsePage } from '../../core/markdown/parse.js'
import { type JsonLimits, type ParsedJson, parseBoundedJson } from '../../core/bounded-json.js'
import { type TrackedBlock, findBlockText, trackBlocks } from '../../core/merge/track-blocks.js'
import { type BlockChange, diffBlocks } from '../../core/merge/diff-blocks.js'
import { type WordBlock, listWordBlocks } from '../../core/comments/word-blocks.js'
import { type BlockSource, findUnchangedBlocks, listBlockSources } from '../../core/merge/unchanged-blocks.js'
import type { Description } from '../../core/pages/describe.js'
import { collectConditionalSections } from '../../core/search/conditional-sections.js'
import { type BlockWords, blockKey } from '../../core/openapi/block-words.js'
import { type SpecificationWords, collectSections } from '../../core/search/sections.js'
import { decodeText } from '../content/encoding.js'
import { encodeLinks } from '../content/text-links.js'
import { type FoldedPage, type SearchablePage, type SectionToFold, foldPages } from '../search/fold.js'
import { decodeHtml } from './decode-html.js'
import { readDocument } from './docx.js'
import type { DocumentParts } from './docx-elements.js'

/** The analysis of a text; large parts are encoded as JSON, because slices of a string keep all of it in memory. */
export interface TextAnalysis {
  readonly description: Omit<Description, 'references'>
  /** The JSON of `Links`. */
  readonly links: Uint8Array
  /** What is stored with the text, as `encodeLinks` returns it. */
  readonly encodedLinks: Uint8Array
  readonly problems: readonly TextProblem[]
  readonly language: LanguageTally
}

type Links = Pick<PageInspection, 'referenceLines' | 'bareImages' | 'apiBlocks'> &
  Pick<TextLinks, 'anchors'> &
  Pick<Description, 'references'>

/** A description with the positions of its references, and the API blocks and anchors of the text. */
export type LinkedDescription = Description & Links

/** A page to be indexed: everything but its sections, and the text from which they are made. */
export interface PageToFold extends Omit<SearchablePage, 'sections'> {
  readonly markdown: string
  /** Variables of the page, for conditions in its text. */
  readonly variables?: Inputs
  /** Texts of specifications that its API blocks display. */
  readonly searchTexts?: BlockWords
}

/** Options for reading an HTML page. */
export interface ReadHtmlOptions {
  /** The content type of bytes, from the server. */
  readonly contentType?: string
  /** The page's address: its links become absolute. Without it they stay as written. */
  readonly address?: string
  /** The id or name of the content element, if known. */
  readonly content?: string
  /** The title of the page, if known from elsewhere. */
  readonly title?: string
  /** The name of its file, with which internal links may begin. */
  readonly name?: string
  /** For a page in Confluence storage format. */
  readonly storage?: StoredPageOptions
}

export interface StoredPageOptions {
  readonly title: string
  /** Its valid links; all by default. */
  readonly leads?: readonly string[]
  readonly below: ExportContext['childPages']
}

export interface TextReader {
  describe(markdown: string): Promise<TextAnalysis>
  /** Converts an HTML page to our Markdown; an unreadable one has no Markdown, and a note in `lost`. */
  convert(html: string | Uint8Array, options?: ReadHtmlOptions): Promise<HtmlPage>
  /** Converts HTML or Markdown of the clipboard, as a part of a page, and returns it with its blocks. */
  convertClipboard(content: ClipboardContent): Promise<ConvertedClipboard>
  /** Converts a Word document, from the unpacked parts of its file: one page, or one and one for each chapter; see `readDocument`. */
  convertDocument(parts: DocumentParts, isParted: boolean): Promise<readonly HtmlPage[]>
  /** Returns the text with its link destinations replaced by the table, see `rewriteLinksByTable`. */
  redirect(markdown: string, destinations: ReadonlyMap<string, string>): Promise<string>
  fold(page: PageToFold): Promise<FoldedPage>
  /** Returns the blocks of a text in another version of it, by their keys in the first. */
  follow(before: string, after: string): Promise<ReadonlyMap<string, TrackedBlock>>
  /** Returns the blocks of a text with their spans, see `listBlockSources`. */
  listBlocks(text: string): Promise<readonly BlockSource[]>
  /** Returns the blocks that are the same in two texts, see `findUnchangedBlocks`. */
  findUnchanged(before: string, after: string): Promise<ReadonlyMap<string, string>>
  /** Returns the blocks that differ between two texts; undefined when they cannot be read. */
  compare(before: string, after: string): Promise<readonly BlockChange[] | undefined>
  /** Returns the words of the block with this key, if the text has one. */
  findWords(text: string, key: string): Promise<string | undefined>
  /** Returns the blocks of a text that have words; none when it cannot be read. */
  wordBlocks(text: string): Promise<readonly WordBlock[]>
  /** Parses the JSON of a request body within the limits, see `parseBoundedJson`. */
  parseJson(bytes: Uint8Array, limits: JsonLimits): Promise<ParsedJson>
  /** Announces that texts will follow: a worker takes a third of a second to start. */
  prepare(): void
  close(): Promise<void>
}

/** Returns a reader in the caller's thread, which yields to the event loop before each text. */
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
    async convertClipboard(content) {
      await nextTurn()
      return convertClipboardText(content)
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
    async listBlocks(text) {
      await nextTurn()
      return listBlockSources(text)
    },
    async findUnchanged(before, after) {
      await nextTurn()
      return findUnchangedBlocks(before, after)
    },
    async compare(before, after) {
      await nextTurn()
      return diffBlocks(before, after)
    },
    async findWords(text, key) {
      await nextTurn()
      return findBlockText(text, key)
    },
    async wordBlocks(text) {
      await nextTurn()
      return listWordBlocks(text)
    },
    async parseJson(bytes, limits) {
      await nextTurn()
      return parseJsonBytes(bytes, limits)
    },
    prepare: () => {},
    close: async () => {},
  }
}

/** Returns the analysis of a text; never throws, whatever it contains. */
export function describeText(markdown: string): TextAnalysis {
  try {
    const inspection = inspectPage(markdown)
    const { description, problems, language, links, referenceLines, bareImages, apiBlocks } = inspection
    const { title, metadata, references, specifications } = description
    return {
      // Through JSON: the copies do not keep the text in memory.
      description: JSON.parse(
        JSON.stringify({ title, metadata, specifications }),
      ) as TextAnalysis['description'],
      links: encodePageLinks({ references, referenceLines, bareImages, apiBlocks, anchors: links.anchors }),
      encodedLinks: encodeLinks(links),
      problems: JSON.parse(JSON.stringify(problems)) as TextAnalysis['problems'],
      language,
    }
  } catch {
    return failedReading()
  }
}

/** Converts an HTML page; never throws, whatever it contains. */
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
      const { leads: validLinks, below: childPages } = storage
      const known = validLinks && new Set(validLinks)
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

export type ClipboardContent = { readonly html: string } | { readonly markdown: string }

/** Content of the clipboard as Markdown, with its blocks. */
export interface ConvertedClipboard extends Pick<HtmlPage, 'markdown' | 'droppedImages' | 'lost'> {
  readonly source: SourceDocument
}

/** Converts content of the clipboard; never throws, whatever it contains. */
export function convertClipboardText(content: ClipboardContent): ConvertedClipboard {
  try {
    if ('html' in content) return withBlocks(convertHtml(content.html, { isClipboard: true }))
    return withBlocks({ markdown: withoutTitle(content.markdown), droppedImages: [], lost: [] })
  } catch (error) {
    return failedClipboard(String(error))
  }
}

/** The result for unreadable HTML. */
export function failedClipboard(reason: string): ConvertedClipboard {
  return withBlocks(failedConversion(reason))
}

/** Returns a text in which the title of the page is a heading: a part of a page has none. */
function withoutTitle(markdown: string): string {
  const { title } = parsePage(markdown)
  if (title === undefined) return markdown
  const { start, end } = title.line
  return `${markdown.slice(0, start)}## ${title.text}${markdown.slice(end)}`
}

function withBlocks({
  markdown,
  droppedImages,
  lost,
}: Omit<ConvertedClipboard, 'source'>): ConvertedClipboard {
  return { markdown, droppedImages, lost, source: sourceDocument(markdown, parsePage(markdown)) }
}

/** Converts a Word document; never throws, whatever it contains. */
export async function convertParts(parts: DocumentParts, isParted: boolean): Promise<ConvertedDocument> {
  try {
    return { pages: await readDocument(parts, isParted, convertText) }
  } catch (error) {
    return { pages: [failedConversion(error instanceof Error ? error.message : String(error))] }
  }
}

/** Returns the value of UTF-8 JSON within the limits; never throws. */
export function parseJsonBytes(bytes: Uint8Array, limits: JsonLimits): ParsedJson {
  return parseBoundedJson(decodeText(bytes), limits)
}

export interface ConvertedDocument {
  readonly pages: readonly HtmlPage[]
}

/** The result for an unreadable page. */
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
    droppedImages: [],
    lost,
  }
}

/** The result for an unreadable text. */
export function failedReading(): TextAnalysis {
  const message = 'This text cannot be read: it is shown as plain text.'
  return {
    description: { metadata: {} },
    links: encodePageLinks({
      references: [],
      referenceLines: [],
      bareImages: [],
      apiBlocks: [],
      anchors: [],
    }),
    encodedLinks: encodeLinks(noLinks),
    problems: [{ kind: 'text', line: 1, message }],
    language: {},
  }
}

function encodePageLinks(links: Links): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(links))
}

/** Returns the description with links that are decoded on access. */
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
    get bareImages() {
      return unpack().bareImages
    },
    get apiBlocks() {
      return unpack().apiBlocks
    },
    get anchors() {
      return unpack().anchors
    },
  }
}

/** Returns the page split into sections and folded; never throws, whatever its text contains. */
export function foldText({ markdown, variables, searchTexts = {}, ...page }: PageToFold): FoldedPage {
  const words: SpecificationWords = (block) => {
    const name = blockKey(block)
    return name !== undefined && Object.hasOwn(searchTexts, name) ? searchTexts[name] : undefined
  }
  try {
    const visible = publicText(markdown)
    const parsed = parsePage(visible)
    const open = collectSections(parsed.document, page.title, words).map(
      ({ anchor, heading, body }): SectionToFold => ({ anchor: anchor ?? null, heading, body }),
    )
    const sections = [...open, ...conditionalSections(markdown, page, { words, variables })]
    const titles = [parseFrontMatter(visible).metadata.title, parsed.title?.text]
    const otherTitles = [...(page.otherTitles ?? []), ...titles.filter((title) => !!title)] as string[]
    return foldPages([{ ...page, otherTitles, sections }])[0]!
  } catch (error) {
    return failedFolding({ markdown, ...page }, String(error))
  }
}

/** Returns the conditional sections of a text, without those whose conditions never hold. */
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

/** The result for a page whose text cannot be folded: found by its title only, with the reason. */
export function failedFolding(
  { pageId, title, otherTitles = [], path, text, guard }: PageToFold,
  failure: string,
): FoldedPage {
  const sections = [{ anchor: null, heading: title, body: '' }]
  const page = { pageId, title, otherTitles, path, text, ...(guard && { guard }), sections }
  return { ...foldPages([page])[0]!, failure }
}
