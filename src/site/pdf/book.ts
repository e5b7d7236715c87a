/**
 * Typst source of a whole document: cover, table of contents, and the pages in order, with working internal links.
 */
import { directionOf, isRightToLeft } from '../../core/language/direction.js'
import { emojiText } from '../blocks/icons.js'
import { convertBlocks } from './blocks.js'
import { inkColor } from './colors.js'
import type { ConversionContext, PdfLinkTarget, Picture } from './context.js'
import { convertInlines } from './inlines.js'
import { template } from './template.js'
import { type MarkupNode, parseMarkup } from './markup-tree.js'
import { type TypstCode, call, empty, none, quote, sequence } from './typst.js'

/** The document to print, as plain values. */
export interface Book {
  readonly title: string
  /** Below the title: the space or change request that it is part of. */
  readonly subtitle?: string
  readonly emoji?: string
  /** A BCP 47 tag. */
  readonly language: string
  readonly words: { readonly contents: string }
  /** False for a single page, which begins with its own title. */
  readonly hasCover: boolean
  /** URL prefix of internal links: a page id and an optional fragment follow. */
  readonly pagePrefix: string
  readonly pages: readonly BookPage[]
}

export interface BookPage {
  readonly id: string
  /** 1 for the outermost. */
  readonly level: number
  /** True for a group, which is only a title above its pages. */
  readonly isGroup: boolean
  readonly title: string
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
  /** HTML as rendered on a site. */
  readonly markup: string
}

/** Pictures, icons and drawings in the folder of the source. */
export interface BookAssets {
  picture(source: string): Picture | undefined
  icon(name: string, color: string): string | undefined
  drawing(svg: string): string
  /** Called after each page. */
  readonly progress?: (done: number) => void
}

/** Deepest heading level of a page title: the levels below are those of its sections. */
const maxTitleLevel = 4

/** Returns the Typst source of a document. */
export function writeBook(book: Book, assets: BookAssets): string {
  const indexes = new Map(book.pages.map(({ id }, index) => [id, index]))
  const fragments = book.pages.map(({ markup }) => fragmentsOf(markup))
  const referenced = book.pages.map(() => new Set<string>())
  const defined = book.pages.map(() => new Set<string>())
  const bodies = book.pages.map((page, index) => {
    const body = writePage(page, index)
    assets.progress?.(index + 1)
    return body
  })

  function writePage(page: BookPage, index: number): TypstCode {
    const blockCache = new Map<MarkupNode, boolean>()
    const level = Math.min(page.level, maxTitleLevel)
    let free = 0
    const context: ConversionContext = {
      level,
      listsSections: !book.hasCover,
      picture: assets.picture,
      icon: assets.icon,
      drawing: assets.drawing,
      link: (href) => linkTargetOf(href, index),
      name(fragment) {
        const at = fragments[index]!.get(fragment)
        if (at === undefined) return undefined
        const name = labelOf(index, at)
        if (defined[index]!.has(name)) return undefined
        defined[index]!.add(name)
        return name
      },
      anonymousLabel: () => `f${index}-${free++}`,
      inlines: (nodes) => convertInlines(nodes, context),
      blocks: (nodes, depth) => convertBlocks(nodes, context, blockCache, depth),
    }
    const body = context.blocks(parseMarkup(page.markup), 0)
    return isJapanese(page, book.language) ? call('in-japanese', body) : body
  }

  function linkTargetOf(href: string, from: number): PdfLinkTarget | undefined {
    if (href === '#') return { kind: 'within', name: titleLabelOf(from) }
    if (href.startsWith('#')) return labelIn(from, href.slice(1)) ?? undefined
    if (!href.startsWith(book.pagePrefix)) return externalTarget(href)
    const [id = '', fragment = ''] = href.slice(book.pagePrefix.length).split('#')
    const index = indexes.get(id)
    if (index === undefined) return undefined
    return (
      (fragment === '' ? undefined : labelIn(index, fragment)) ?? {
        kind: 'within',
        name: titleLabelOf(index),
      }
    )
  }

  function labelIn(index: number, written: string): PdfLinkTarget | undefined {
    const at = fragments[index]!.get(decodeFragment(written))
    if (at === undefined) return undefined
    const name = labelOf(index, at)
    referenced[index]!.add(name)
    return { kind: 'within', name }
  }

  const pages = book.pages.map((page, index) => {
    const { title, emoji, icon, isGroup, description } = page
    const level = Math.min(page.level, maxTitleLevel)
    const sign = iconOf(emoji, icon, assets)
    // No page break after the title of a group, which would be alone on its sheet.
    const isFirst = index > 0 && book.pages[index - 1]!.isGroup
    const missing = [...referenced[index]!].filter((name) => !defined[index]!.has(name))
    return [
      withDirection(
        title,
        call('page-title', level, titleLabelOf(index), !isFirst && (book.hasCover || index > 0), sign, title),
      ),
      ...missing.map((name) => call('target', name)),
      ...(description === undefined || isGroup
        ? []
        : [withDirection(description, call('lead', description))]),
      bodies[index]!,
    ]
  })
  const opening = book.hasCover
    ? [
        call('cover', iconOf(book.emoji, undefined, assets), book.title, book.subtitle ?? none),
        call('contents', book.words.contents),
      ]
    : []
  const body = [...opening, ...pages.flat()].map((part) => `${part.toString()}\n`).join('')
  const head = call('book', book.title, languageOf(book.language), mainDirection(book))
  return `${template}\n#${head.toString().slice(0, -1)},{\n${body}})\n`
}

const labelOf = (page: number, at: number): string => `p${page}-${at}`
const titleLabelOf = (page: number): string => `p${page}`

/** Returns the numbers of the URL fragments that a page defines. */
function fragmentsOf(markup: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const [, id] of markup.matchAll(/ id="([^"]{1,500})"/g)) {
    const fragment = unescapeHtml(id!)
    if (!found.has(fragment)) found.set(fragment, found.size)
  }
  return found
}

const entities = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
])
const unescapeHtml = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => entities.get(one)!)

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Only absolute URLs: others do not work in a file. */
function externalTarget(href: string): PdfLinkTarget | undefined {
  return /^(?:https?|mailto|tel):/i.test(href) ? { kind: 'away', url: href.slice(0, 2_000) } : undefined
}

function iconOf(emoji: string | undefined, icon: string | undefined, assets: BookAssets): TypstCode {
  const text = emojiText(emoji ?? '')
  if (text !== '') return quote(`${text} `)
  const path = icon === undefined ? undefined : assets.icon(icon, inkColor)
  return path === undefined ? empty : sequence([call('sign', path, 0.9), quote(' ')])
}

function languageOf(language: string): string {
  const [tag = ''] = language.toLowerCase().split('-')
  return /^[a-z]{2,3}$/.test(tag) ? tag : 'en'
}

/** Marks right-to-left text, as in the body. */
function withDirection(words: string, content: TypstCode): TypstCode {
  return directionOf(words) === 'rtl' ? call('from-right', content) : content
}

function mainDirection({ language }: Book): string {
  return isRightToLeft(language) ? 'rtl' : 'ltr'
}

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Chinese and Japanese share characters that are drawn differently: kana identify Japanese. */
function isJapanese({ markup, title }: BookPage, language: string): boolean {
  return languageOf(language) === 'ja' || kana.test(title) || kana.test(markup.slice(0, 20_000))
}
