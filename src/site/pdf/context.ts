/** Context of a conversion of markup to Typst: resolves links, pictures, labels and icons of one page. */
import type { TypstCode } from './typst.js'
import type { MarkupNode } from './markup-tree.js'

export interface Picture {
  /** Relative to the folder of the document. */
  readonly path: string
  /** Rendered size in pixels. */
  readonly width: number
  readonly height: number
}

export type PdfLinkTarget =
  | { readonly kind: 'away'; readonly url: string }
  /** A position in this document, by the name of its label. */
  | { readonly kind: 'within'; readonly name: string }

export interface ConversionContext {
  /** Heading level of the page's title. */
  readonly level: number
  /** Whether the headings of the page are listed in the table of contents. */
  readonly listsSections: boolean
  picture(source: string): Picture | undefined
  /** Returns undefined for broken links. */
  link(href: string): PdfLinkTarget | undefined
  /** Returns the label of a URL fragment; undefined when it is already defined, or the page has no such fragment. */
  name(fragment: string): string | undefined
  /** Returns a unique label for an element without links to it. */
  anonymousLabel(): string
  /** Returns the path of an icon in a colour; undefined for unknown icons. */
  icon(name: string, color: string): string | undefined
  /** Writes a drawing into the folder, and returns its path. */
  drawing(svg: string): string
  inlines(nodes: readonly MarkupNode[]): TypstCode
  blocks(nodes: readonly MarkupNode[], depth: number): TypstCode
}

/** Nesting depth of blocks from which they are rendered as plain text. */
export const maxBlockDepth = 12
