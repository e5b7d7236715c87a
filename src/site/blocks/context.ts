/**
 * Render context of documents, and the renderer that block files share while one document is rendered.
 *
 * All lookups are synchronous: the caller has already loaded every link, file and include that the
 * document names. The caller also builds hrefs; the blocks only refuse dangerous ones.
 */
import type { Resource } from '../../core/budget.js'
import type { ComparedDocument } from '../../core/comparison/types.js'
import type { Annotation, Block, Document, Inline, OpenAPIBlock } from '../../core/document/types.js'
import type { Direction } from '../../core/language/direction.js'
import type { SpecificationView } from '../../core/openapi/view.js'
import type { Html } from '../html.js'
import type { Words } from '../words/en.js'

export interface LinkTarget {
  readonly href: string
  readonly external?: boolean
  /** True for broken links: rendered as text. */
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
  evaluateCondition?(condition: string): boolean
  specification?(block: OpenAPIBlock): SpecificationView | undefined
  /** Title of the page, rendered as its heading. */
  readonly title?: string
  /** Fragments rendered by libraries; if absent, large ones are rendered as text. */
  readonly fragments?: PageFragments
  /** Search page, with the parameter `q`: target of buttons that search or ask. */
  readonly searchHref?: string
  /** Language of the page as a BCP 47 tag: dates follow it. */
  readonly language?: string
  /** Direction of the page; absent on a page without right-to-left letters, whose blocks need no `dir`. */
  readonly direction?: Direction | undefined
  /** True for a page that is wider than usual. */
  readonly isWide?: boolean
  /** True when links to other sites open in a new tab. */
  readonly externalInNewTab?: boolean
  /** Present when the document is the comparison of two versions. */
  readonly comparison?: RenderedComparison
}

/** What rendering a comparison has besides a page. */
export interface RenderedComparison extends Pick<ComparedDocument, 'marks' | 'keys' | 'codes'> {
  /** What the thing being rendered is part of; undefined where both versions have it. */
  readonly region: 'added' | 'removed' | undefined
  /** Renders something that one version has in this place. */
  only(region: 'added' | 'removed', render: () => Html): Html
  /** True once something was rendered as plain text, without marks. */
  isPlain: boolean
}

/**
 * The renderer as block files use it: renders the content of a block, keeps ids unique, and counts the cost. Block
 * files call `spend` where they write more than the document contains.
 */
export interface PageRenderer {
  readonly context: RenderContext
  /** UI texts of the layout. */
  readonly words: Words
  /** Counts steps or characters of the page; over budget, the top-level block becomes plain text. */
  spend(resource: Exclude<Resource, 'includes'>, amount: number): void
  /** Returns the markup of a fragment of `owner`; undefined if it is rendered as text. */
  renderFragment(owner: object, fragment: PageFragment): string | undefined
  blocks(blocks: readonly Block[]): Html
  inlines(inlines: readonly Inline[]): Html
  /** Returns the anchor, with a number appended if the page already has it (an include rendered twice). */
  anchor(fragment: string): string
  /** Invisible targets for further anchors, except those that the page already has. */
  aliases(fragments: readonly string[] | undefined): Html
  /** The same as one element, to stand among blocks; nothing when there are none. */
  targets(fragments: readonly string[] | undefined): Html
  /** True if the heading directly above, or else the title, has the same text. */
  isNamedAbove(words: string): boolean
  /** True for the first call: the first picture of a page is loaded eagerly, the others lazily. */
  isFirstPicture(): boolean
  /** Renders details of a specification; undefined once the page has shown as much of them as it may. */
  reference(render: () => Html): Html | undefined
  /** Adds the note of an annotation to the end of the page, once; returns its number, from 1. */
  note(annotation: Annotation): number
  /** Renders an included document; undefined for recursive or too deep includes. */
  included(src: string): Html | undefined
}

/** A fragment that a library renders: highlighted code, a formula, a diagram, raw HTML. */
export type PageFragment =
  | { readonly kind: 'diagram'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly syntax: string }
  | { readonly kind: 'formula'; readonly text: string; readonly display: boolean }
  | { readonly kind: 'html'; readonly text: string }

/** Fragments of one page, shared by its renderings. */
export interface PageFragments {
  /** Returns the markup of a fragment of the block, inline or row that owns it; undefined if it is rendered as text. */
  markup(owner: object, fragment: PageFragment): string | undefined
  /** Fragments too large for synchronous rendering, by owner, in page order. */
  readonly deferred: ReadonlyMap<object, PageFragment>
  /** Stores the result of a deferred fragment. */
  setResult(owner: object, markup: string | undefined): void
}
