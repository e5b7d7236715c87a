/**
 * A whole document as Typst source: cover, contents, and the pages one after the other, with every link that leads to
 * another of its places.
 */
import { directionOf, isRightToLeft } from '../../core/language/direction.js'
import { emojiText } from '../blocks/icons.js'
import { convertBlocks } from './blocks.js'
import { inkColor } from './colors.js'
import type { ConversionContext, PdfLinkTarget, Picture } from './context.js'
import { convertInlines } from './inlines.js'
import { template } from './template.js'
import { type Node, readMarkup } from './tree.js'
import { type Code, call, empty, none, quote, sequence } from './typst.js'

/** What is printed, as plain values. */
export interface Book {
  readonly title: string
  /** Below the title: what it is an edition of. */
  readonly subtitle?: string
  readonly emoji?: string
  /** A BCP 47 tag. */
  readonly language: string
  readonly words: { readonly contents: string }
  /** False for a single page, which begins with its own title. */
  readonly hasCover: boolean
  /** What the addresses of its own pages begin with: an id and perhaps a fragment follow. */
  readonly pagePrefix: string
  readonly pages: readonly BookPage[]
}

export interface BookPage {
  readonly id: string
  /** 1 for the outermost. */
  readonly level: number
  /** True for what only stands above others. */
  readonly isGroup: boolean
  readonly title: string
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
  /** As a site shows it. */
  readonly markup: string
}

/** What stands beside the source in its folder. */
export interface BookAssets {
  picture(source: string): Picture | undefined
  icon(name: string, color: string): string | undefined
  drawing(svg: string): string
  /** Told after each page. */
  readonly progress?: (done: number) => void
}

/** Levels of headings that a title may have: the ones below are of its sections. */
const maxTitleLevel = 4

/** Returns the source of a document. */
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

  function writePage(page: BookPage, index: number): Code {
    const known = new Map<Node, boolean>()
    const level = Math.min(page.level, maxTitleLevel)
    let free = 0
    const context: ConversionContext = {
      level,
      listsSections: !book.hasCover,
      picture: assets.picture,
      icon: assets.icon,
      drawing: assets.drawing,
      link: (href) => destinationOf(href, index),
      name(fragment) {
        const at = fragments[index]!.get(fragment)
        if (at === undefined) return undefined
        const name = nameOf(index, at)
        if (defined[index]!.has(name)) return undefined
        defined[index]!.add(name)
        return name
      },
      anonymousLabel: () => `f${index}-${free++}`,
      inlines: (nodes) => convertInlines(nodes, context),
      blocks: (nodes, depth) => convertBlocks(nodes, context, known, depth),
    }
    const body = context.blocks(readMarkup(page.markup), 0)
    return isJapanese(page, book.language) ? call('in-japanese', body) : body
  }

  function destinationOf(href: string, from: number): PdfLinkTarget | undefined {
    if (href === '#') return { kind: 'within', name: titleName(from) }
    if (href.startsWith('#')) return labelIn(from, href.slice(1)) ?? undefined
    if (!href.startsWith(book.pagePrefix)) return externalTarget(href)
    const [id = '', fragment = ''] = href.slice(book.pagePrefix.length).split('#')
    const index = indexes.get(id)
    if (index === undefined) return undefined
    return (
      (fragment === '' ? undefined : labelIn(index, fragment)) ?? { kind: 'within', name: titleName(index) }
    )
  }

  function labelIn(index: number, written: string): PdfLinkTarget | undefined {
    const at = fragments[index]!.get(decoded(written))
    if (at === undefined) return undefined
    const name = nameOf(index, at)
    referenced[index]!.add(name)
    return { kind: 'within', name }
  }

  const pages = book.pages.map((page, index) => {
    const { title, emoji, icon, isGroup, description } = page
    const level = Math.min(page.level, maxTitleLevel)
    const sign = iconOf(emoji, icon, assets)
    // Nobody starts a page below a group's title, which would stand there alone.
    const isFirst = index > 0 && book.pages[index - 1]!.isGroup
    const missing = [...referenced[index]!].filter((name) => !defined[index]!.has(name))
    return [
      withDirection(
        title,
        call('page-title', level, titleName(index), !isFirst && (book.hasCover || index > 0), sign, title),
      ),
      ...missing.map((name) => call('target', name)),
      ...(description === undefined || isGroup ? [] : [withDirection(description, call('lead', description))]),
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

const nameOf = (page: number, at: number): string => `p${page}-${at}`
const titleName = (page: number): string => `p${page}`

/** Returns the fragments that a page can be asked for, each with a number. */
function fragmentsOf(markup: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const [, id] of markup.matchAll(/ id="([^"]{1,500})"/g)) {
    const fragment = unescaped(id!)
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
const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (one) => entities.get(one)!)

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** Only what a reader of a file could follow: an address that says its host. */
function externalTarget(href: string): PdfLinkTarget | undefined {
  return /^(?:https?|mailto|tel):/i.test(href) ? { kind: 'away', url: href.slice(0, 2_000) } : undefined
}

function iconOf(emoji: string | undefined, icon: string | undefined, assets: BookAssets): Code {
  const text = emojiText(emoji ?? '')
  if (text !== '') return quote(`${text} `)
  const path = icon === undefined ? undefined : assets.icon(icon, inkColor)
  return path === undefined ? empty : sequence([call('sign', path, 0.9), quote(' ')])
}

function languageOf(language: string): string {
  const [tag = ''] = language.toLowerCase().split('-')
  return /^[a-z]{2,3}$/.test(tag) ? tag : 'en'
}

/** Words that read from right to left say so, as those of the body do. */
function withDirection(words: string, content: Code): Code {
  return directionOf(words) === 'rtl' ? call('from-right', content) : content
}

function mainDirection({ language }: Book): string {
  return isRightToLeft(language) ? 'rtl' : 'ltr'
}

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Chinese and Japanese share letters that are drawn in two ways: kana say which. */
function isJapanese({ markup, title }: BookPage, language: string): boolean {
  return languageOf(language) === 'ja' || kana.test(title) || kana.test(markup.slice(0, 20_000))
}
