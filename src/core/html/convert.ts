/**
 * A page of HTML becomes Markdown of the dialect: the tree is read, the content found, its elements become the blocks of
 * a document, and the document is written. Pure, and bounded by one budget; what goes beyond it becomes plain words.
 */
import { type Budget, OverBudget, createBudget } from '../budget.js'
import type { Block, Mark } from '../document/types.js'
import { formatPage } from '../markdown/format.js'
import { redirectByTable } from '../markdown/redirect-links.js'
import { readBlocks } from './blocks.js'
import { findContent } from './content.js'
import { type EmbeddedImage, createEmbeddedImages } from './data-url.js'
import { type Destinations, type Resolve, destinationOf } from './destinations.js'
import { readInlines } from './inlines.js'
import { type NavigationItem, readNavigation } from './navigation.js'
import { readFragments } from './fragments.js'
import { linksOf, readHead } from './head.js'
import { type HtmlElement, findElement, standsIn, valueOf } from './nodes.js'
import { type Part, listParts } from './parts.js'
import { readNotes } from './notes.js'
import type { HtmlReader, Note } from './reader.js'
import { settleExports } from './normalize-exports.js'
import { readStyles } from './styles.js'
import { findTitle } from './title.js'
import { type Crumb, readTrail } from './breadcrumbs.js'
import { parseTree } from './tree.js'
import { wordsOfHtml } from './words.js'

export interface HtmlOptions {
  /** Makes addresses absolute; without it destinations stay as they are written. */
  readonly resolve?: Resolve
  /** The id or the name of the element that holds the content, where that is known. */
  readonly content?: string
  /** What the page is called, where that is known: then no heading of its content is its title, unless it says the same. */
  readonly title?: string
  /** The name of its file: some programs write links within a page with it. */
  readonly name?: string
}

export interface HtmlPage {
  /** Plain text: what is said of it, else the first heading of the content, else what the page calls itself. */
  readonly title?: string
  /** As the page says it. */
  readonly language?: string
  /** In the dialect, the title first. */
  readonly markdown: string
  /** Where all links of the document lead, those of its menus too, without fragment; each once. */
  readonly links: readonly string[]
  /** Every destination that the Markdown names, of pictures and files too; each once. */
  readonly destinations: readonly string[]
  /** What links to parts of the page lead to now, where that is called otherwise. */
  readonly parts: readonly Part[]
  /** The address that the page has for itself. */
  readonly canonical?: string
  /** Words for robots, in small letters. */
  readonly robots: readonly string[]
  /** Where the page sends its readers. */
  readonly refresh?: string
  /** The page that follows this one, and the one that this one is a part of, as some generators say. */
  readonly next?: string
  readonly up?: string
  /** The pages above this one, as it says or shows them; itself may be the last. */
  readonly trail: readonly Crumb[]
  readonly navigation: readonly NavigationItem[]
  /** Pictures that stood in the page itself; the Markdown names them `embedded:` and their name. */
  readonly embedded: readonly EmbeddedImage[]
  /** What has no place in a document, each thing once. */
  readonly lost: readonly string[]
}

/** Longer pages are words alone: the longest manual on one page has a third of it. */
const longestHtml = 12_000_000
/** What is read of a page that is beyond all measure: words take two seconds a million characters. */
const longestWords = 5_000_000

/** A page of ten thousand elements takes a hundredth. */
const limits = { steps: 12_000_000, output: 20_000_000, includes: 0, depth: 180 }

/** Returns what a page of HTML says; never throws. */
export function convertHtml(html: string, options: HtmlOptions = {}): HtmlPage {
  const budget = createBudget(limits)
  try {
    if (html.length > longestHtml) throw new OverBudget('output', longestHtml)
    return convert(html, options, budget)
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    const { title, blocks } = wordsOfHtml(html.slice(0, longestWords))
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
      lost: [
        html.length > longestWords
          ? `everything but the words of its first ${longestWords / 1_000_000} million characters: the page is too large or too deep`
          : 'everything but the words: the page is too large or too deep',
      ],
    }
  }
}

function convert(
  html: string,
  { resolve, content: asked, title: known, name }: HtmlOptions,
  budget: Budget,
): HtmlPage {
  const document = parseTree(html, budget)
  const lost = new Map<string, number>()
  const lose = (what: string): void => void lost.set(what, (lost.get(what) ?? 0) + 1)
  const styles = readStyles(document)
  settleExports(document, html, styles, lose)
  const content = findContent(document, asked)
  const base = findElement(document, ({ name }) => name === 'base')
  const baseUrl = base && valueOf(base, 'href')
  if (findElement(document, ({ name }) => name === 'frameset'))
    lose('a set of frames, whose pages stand for themselves')
  const own = name === undefined ? [] : [`${name}#`, `${encodeURIComponent(name)}#`]
  const within = (url: string): string => {
    const start = own.find((one) => url.startsWith(one))
    return start === undefined ? url : url.slice(start.length - 1)
  }
  const { ids, asked: askedIds, landings } = readFragments(document, content, within)
  const images = createEmbeddedImages()
  const landing = (fragment: string): string => landings.get(fragment) ?? fragment
  // What is asked for beside the content is no loss.
  const quiet = (url: string): string | undefined =>
    destinationOf({ ...destinations, lose: () => {} }, url, 'link')
  const destinations: Destinations = { resolve, base: baseUrl, images, within, landing, lose }
  const named = new Set<string>()
  const title = findTitle(document, content, known)
  const reader: HtmlReader = {
    budget,
    ids,
    styles,
    passedOver: new Set(title.heading && standsIn(title.heading, content) ? [title.heading] : []),
    notes: new Map<HtmlElement, Note>(),
    called: new Map<HtmlElement, string>(),
    asked: askedIds,
    raised: title.raised,
    destination(url, kind) {
      const found = destinationOf(destinations, url, kind)
      if (found !== undefined) named.add(found)
      return found
    },
    lose,
    blocks: (nodes) => readBlocks(reader, nodes),
    inlines: (nodes, marks: readonly Mark[] = []) => readInlines(reader, nodes, marks),
  }
  const blocks = reader.blocks(content.children)
  readNotes(reader)
  const head = readHead(document, quiet)
  const text = formatPage(
    { ...(title.text !== '' && { title: title.text }), blocks: withoutDividersAtTheEnd(blocks) },
    budget,
  )
  const parts = listParts(content, reader.called)
  // What a heading is called is known when all are read, and links stand above them; the title is the page.
  const renamed = parts.flatMap(([was, is]): [string, string][] =>
    named.has(`#${was}`) ? [[`#${was}`, `#${is}`]] : [],
  )
  return {
    ...(title.text !== '' && { title: title.text }),
    ...head,
    markdown: renamed.length === 0 ? text : redirectByTable(text, new Map(renamed)),
    links: linksOf(document, quiet),
    destinations: [...named],
    parts,
    trail: readTrail(document, quiet),
    navigation: readNavigation(document, quiet),
    embedded: images.images,
    lost: Array.from(lost, ([what, count]) => (count === 1 ? what : `${what} (${count} times)`)),
  }
}

/** A line that parted the notes from the text parts nothing any more. */
function withoutDividersAtTheEnd(blocks: readonly Block[]): readonly Block[] {
  let end = blocks.length
  while (end > 0 && blocks[end - 1]!.type === 'divider') end--
  return blocks.slice(0, end)
}
