/**
 * What the renderer of documents must be told, and what block files share while one document is written.
 *
 * All lookups are synchronous: the caller has already loaded every link, file and include that the
 * document names. Hrefs are made by the caller too; this room only refuses dangerous ones.
 */
import type { Resource } from '../../core/budget.js'
import type { Annotation, Block, Document, Inline, OpenAPIBlock } from '../../core/document/types.js'
import type { SpecificationView } from '../../core/openapi/view.js'
import type { Html } from '../html.js'
import type { Words } from '../words/en.js'

export interface LinkTarget {
  readonly href: string
  readonly external?: boolean
  /** True when the destination names nothing: its text is shown, not as a link. */
  readonly broken?: boolean
  readonly page?: LinkedPage
}

export interface LinkedPage {
  readonly title: string
  readonly emoji?: string
  readonly icon?: string
  readonly description?: string
}

export interface FileTarget {
  readonly href: string
  readonly name: string
  /** Bytes. */
  readonly size?: number
  readonly contentType?: string
  /** Pixels. */
  readonly width?: number
  readonly height?: number
  /** A picture in other sizes, the narrowest first. */
  readonly sizes?: readonly SizedSource[]
}

export interface SizedSource {
  readonly href: string
  /** Pixels. */
  readonly width: number
}

export interface RenderContext {
  link(url: string): LinkTarget
  file(src: string): FileTarget | undefined
  include(src: string): Document | undefined
  /** The value of an expression; undefined when it is unknown or wrong. */
  evaluate(expression: string): unknown
  /** True when a condition holds for this reader; absent, it holds when its value counts as true. */
  holds?(condition: string): boolean
  specification?(block: OpenAPIBlock): SpecificationView | undefined
  /** Stands above all of it as a heading. */
  readonly title?: string
  /** What is known of the pieces that libraries render; absent, the large ones are shown as text. */
  readonly pieces?: Pieces
  /** Page that answers `?q=`: buttons that search or ask lead there. */
  readonly searchHref?: string
  /** Language of the page as a BCP 47 tag: dates follow it. */
  readonly language?: string
  /** What `dir` of a block of words says: `auto` on a page that has letters from right to left, else nothing. */
  readonly direction?: 'auto' | undefined
  /** True for a page that is wider than usual. */
  readonly isWide?: boolean
  /** True when links to other sites open in a new tab. */
  readonly externalInNewTab?: boolean
}

/**
 * The hand of the renderer that block files are given: it renders what is inside a block, keeps ids unique, and
 * counts what all of it costs. Block files spend themselves where they write more than the document holds.
 */
export interface Rendering {
  readonly context: RenderContext
  /** What the layout itself says. */
  readonly words: Words
  /** Counts work or characters of the page; past its budget the block that stands outermost becomes plain text. */
  spend(resource: Exclude<Resource, 'includes'>, amount: number): void
  /** Markup that a library makes of a piece of `owner`; undefined when it is shown as text. */
  piece(owner: object, piece: Piece): string | undefined
  blocks(blocks: readonly Block[]): Html
  inlines(inlines: readonly Inline[]): Html
  /** The fragment itself, or with a number behind it when the page has it already (an include shown twice). */
  anchor(fragment: string): string
  /** Invisible places for further fragments; those that the page has already are left out. */
  aliases(fragments: readonly string[] | undefined): Html
  /** True where the heading right above, or the title where nothing is, says these words already. */
  isNamedAbove(words: string): boolean
  /** True for whoever asks first: the first picture of a page is fetched at once, the others when they come into sight. */
  isFirstPicture(): boolean
  /** Keeps the annotation's note for the end of the page, once; its number, from 1. */
  note(annotation: Annotation): number
  /** Renders another document in this place; undefined when it already surrounds this place or lies too deep. */
  included(src: string): Html | undefined
}

/** What a library renders: coloured code, a formula, a diagram, HTML of the writer's own. */
export type Piece =
  | { readonly kind: 'diagram'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly syntax: string }
  | { readonly kind: 'formula'; readonly text: string; readonly display: boolean }
  | { readonly kind: 'html'; readonly text: string }

/** Those of one page, kept from one rendering of it to the next. */
export interface Pieces {
  /** Returns the markup of a piece of the block, inline or row that owns it; undefined when it is shown as text. */
  markup(owner: object, piece: Piece): string | undefined
  /** What was too large to be done at once, by owner, in the order of the page. */
  readonly heavy: ReadonlyMap<object, Piece>
  /** Notes what became of a heavy piece. */
  settle(owner: object, markup: string | undefined): void
}
