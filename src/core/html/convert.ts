/**
 * HTML to Markdown conversion: parses the page, extracts the main content, converts its elements to blocks of a
 * document and formats that. Pure, and bounded by one budget; a page over it is reduced to plain text.
 */
import { type Budget, OverBudget, createBudget } from '../budget.js'
import type { Block, Mark } from '../document/types.js'
import { formatPage } from '../markdown/format.js'
import { rewriteLinksByTable } from '../markdown/rewrite-links.js'
import { readBlocks } from './blocks.js'
import { bodyOf, findContent } from './main-content.js'
import { type EmbeddedImage, type EmbeddedImages, createEmbeddedImages } from './data-url.js'
import { type Destinations, type Resolve, destinationOf } from './destinations.js'
import { readInlines } from './inlines.js'
import { type NavigationItem, readNavigation } from './navigation.js'
import { readFragments } from './fragments.js'
import { linksOf, readHead } from './head.js'
import { type HtmlElement, findElement, isWithin, valueOf } from './nodes.js'
import { type AnchorMapping, mapAnchors } from './anchors.js'
import { readFootnotes } from './footnotes.js'
import type { HtmlReader, Footnote } from './reader.js'
import { normalizeExports } from './normalize-exports.js'
import { readStyles } from './styles.js'
import { findTitle, untitled } from './title.js'
import { type Crumb, readTrail } from './breadcrumbs.js'
import { parseTree } from './tree.js'
import { wordsOfHtml } from './plain-text.js'

export interface HtmlOptions {
  /** Makes URLs absolute; without it destinations stay as written. */
  readonly resolve?: Resolve
  /** Id or name of the element with the content, if known. */
  readonly content?: string
  /** Title of the page, if known: then only a heading with the same text counts as the title. */
  readonly title?: string
  /** File name of the page: some programs write it in links within the page. */
  readonly name?: string
  /**
   * True for HTML of the clipboard, which is content as a whole: nothing is the title or around the content, ids are
   * generated, and embedded images are not taken.
   */
  readonly isClipboard?: boolean
}

/** An image whose address only the machine or the program knows from which it was copied. */
export interface DroppedImage {
  /** `data`, `cid`, `file` and the like. */
  readonly scheme: string
  /** The type that a `data:` URL names. */
  readonly contentType?: string
  /** The last part of a path. */
  readonly name?: string
}

export interface HtmlPage {
  /** Plain text: the known title, else the first heading of the content, else `<title>`. */
  readonly title?: string
  /** From the `lang` attribute. */
  readonly language?: string
  /** In the dialect, starting with the title. */
  readonly markdown: string
  /** Targets of all links of the document, including its menus, without fragment or duplicates. */
  readonly links: readonly string[]
  /** All destinations in the Markdown, including images and files, without duplicates. */
  readonly destinations: readonly string[]
  /** Anchors of the page that changed, with their new names. */
  readonly parts: readonly AnchorMapping[]
  /** Canonical URL of the page. */
  readonly canonical?: string
  /** Robots directives, in lower case. */
  readonly robots: readonly string[]
  /** Target of a `<meta http-equiv="refresh">`. */
  readonly refresh?: string
  /** URL of the next page and of the parent page, as some generators provide. */
  readonly next?: string
  readonly up?: string
  /** Breadcrumbs; the page itself may be the last. */
  readonly trail: readonly Crumb[]
  readonly navigation: readonly NavigationItem[]
  /** Images from `data:` URLs; the Markdown refers to them as `embedded:` and their name. */
  readonly embedded: readonly EmbeddedImage[]
  /** Images that were left out, of clipboard HTML. */
  readonly droppedImages: readonly DroppedImage[]
  /** Descriptions of the content that could not be converted, without duplicates. */
  readonly lost: readonly string[]
}

/** Longer pages are reduced to plain text: the longest single-page manual has a third of it. */
const maxHtmlLength = 12_000_000
/** Characters read of an oversized page: plain text takes two seconds per million characters. */
const maxPlainTextLength = 5_000_000

/** A page of ten thousand elements takes a hundredth of this. */
const limits = { steps: 12_000_000, output: 20_000_000, includes: 0, depth: 180 }

/** Returns the converted page; never throws. */
export function convertHtml(html: string, options: HtmlOptions = {}): HtmlPage {
  const budget = createBudget(limits)
  try {
    if (html.length > maxHtmlLength) throw new OverBudget('output', maxHtmlLength)
    return convert(html, options, budget)
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    const { title, blocks } = wordsOfHtml(html.slice(0, maxPlainTextLength))
    return {
      ...(title !== undefined && { title }),
      markdown: formatPage({ ...(title !== undefined && { title }), blocks }),
      links: [],
      destinations: [],
      parts: [],
      robots: [],
      trail: [],
      navigation: [],
      embedded: [],
      droppedImages: [],
      lost: [
        html.length > maxPlainTextLength
          ? `everything but the words of its first ${maxPlainTextLength / 1_000_000} million characters: the page is too large or too deep`
          : 'everything but the words: the page is too large or too deep',
      ],
    }
  }
}

function convert(
  html: string,
  { resolve, content: contentSelector, title: knownTitle, name, isClipboard = false }: HtmlOptions,
  budget: Budget,
): HtmlPage {
  const document = parseTree(html, budget)
  const lost = new Map<string, number>()
  const reportLoss = (what: string): void => void lost.set(what, (lost.get(what) ?? 0) + 1)
  const styles = readStyles(document)
  normalizeExports(document, html, styles, { reportLoss, isClipboard })
  const content = isClipboard ? bodyOf(document) : findContent(document, contentSelector)
  const base = findElement(document, ({ name }) => name === 'base')
  const baseUrl = base && valueOf(base, 'href')
  if (findElement(document, ({ name }) => name === 'frameset'))
    reportLoss('a set of frames, whose pages stand for themselves')
  const ownPrefixes = name === undefined ? [] : [`${name}#`, `${encodeURIComponent(name)}#`]
  const within = (url: string): string => {
    const start = ownPrefixes.find((one) => url.startsWith(one))
    return start === undefined ? url : url.slice(start.length - 1)
  }
  const { ids, linked: linkedIds, nearestHeadings } = readFragments(document, content, within)
  const images = isClipboard ? noImages : createEmbeddedImages()
  const droppedImages: DroppedImage[] = []
  const fragmentFor = (fragment: string): string => nearestHeadings.get(fragment) ?? fragment
  // Links outside the content are not reported as lost.
  const silentDestinationOf = (url: string): string | undefined =>
    destinationOf({ ...destinations, reportLoss: () => {} }, url, 'link')
  const destinations: Destinations = { resolve, base: baseUrl, images, within, fragmentFor, reportLoss }
  const usedDestinations = new Set<string>()
  const title = isClipboard ? untitled(content) : findTitle(document, content, knownTitle)
  const reader: HtmlReader = {
    budget,
    ids,
    styles,
    skipped: new Set(title.heading && isWithin(title.heading, content) ? [title.heading] : []),
    notes: new Map<HtmlElement, Footnote>(),
    headingAnchors: new Map<HtmlElement, string>(),
    linkedIds,
    hasWrittenIds: !isClipboard,
    headingShift: title.headingShift,
    destination(url, kind) {
      const destination = destinationOf(destinations, url, kind)
      if (destination !== undefined) usedDestinations.add(destination)
      else if (isClipboard && kind === 'image') droppedImages.push(...droppedImageOf(url))
      return destination
    },
    reportLoss,
    blocks: (nodes) => readBlocks(reader, nodes),
    inlines: (nodes, marks: readonly Mark[] = []) => readInlines(reader, nodes, marks),
  }
  const blocks = reader.blocks(content.children)
  readFootnotes(reader)
  const head = readHead(document, silentDestinationOf)
  const text = formatPage(
    { ...(title.text !== '' && { title: title.text }), blocks: withoutTrailingDividers(blocks) },
    budget,
  )
  const parts = mapAnchors(content, reader.headingAnchors)
  // Heading anchors are known only after all blocks are read, and links may precede them; the title's anchor is the page.
  const renamed = parts.flatMap(([was, is]): [string, string][] =>
    usedDestinations.has(`#${was}`) ? [[`#${was}`, `#${is}`]] : [],
  )
  return {
    ...(title.text !== '' && { title: title.text }),
    ...head,
    markdown: renamed.length === 0 ? text : rewriteLinksByTable(text, new Map(renamed)),
    links: linksOf(document, silentDestinationOf),
    destinations: [...usedDestinations],
    parts,
    trail: readTrail(document, silentDestinationOf),
    navigation: readNavigation(document, silentDestinationOf),
    embedded: images.images,
    droppedImages,
    lost: Array.from(lost, ([what, count]) => (count === 1 ? what : `${what} (${count} times)`)),
  }
}

const noImages: EmbeddedImages = { images: [], take: () => undefined }

/** Returns what is known of an image without a usable address; at most one. */
function droppedImageOf(url: string | undefined): DroppedImage[] {
  const [whole, scheme] = /^\s{0,32}([a-z][a-z\d+.-]{0,40}):/i.exec(url ?? '') ?? []
  if (whole === undefined) return []
  const rest = url!.slice(whole.length, whole.length + 2_000)
  if (scheme!.toLowerCase() === 'data') {
    const contentType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(rest)?.[0].toLowerCase()
    return [{ scheme: 'data', ...(contentType !== undefined && { contentType }) }]
  }
  const name = /[^/\\]{1,255}$/.exec(rest)?.[0]
  return [{ scheme: scheme!.toLowerCase(), ...(name !== undefined && { name }) }]
}

/** Removes the divider that separated the footnotes from the text. */
function withoutTrailingDividers(blocks: readonly Block[]): readonly Block[] {
  let end = blocks.length
  while (end > 0 && blocks[end - 1]!.type === 'divider') end--
  return blocks.slice(0, end)
}
