/** What a page is told while its markup becomes source: where links lead, which pictures there are, what it may name. */
import type { Code } from './typst.js'
import type { Node } from './tree.js'

export interface Picture {
  /** In the folder of the document. */
  readonly path: string
  /** Pixels as they are shown. */
  readonly width: number
  readonly height: number
}

export type PdfLinkTarget =
  | { readonly kind: 'away'; readonly url: string }
  /** A place of this document, by the name of its label. */
  | { readonly kind: 'within'; readonly name: string }

export interface ConversionContext {
  /** Heading level of the page's title. */
  readonly level: number
  /** Whether the headings of the page stand in the contents. */
  readonly listsSections: boolean
  picture(source: string): Picture | undefined
  /** Undefined for what leads nowhere. */
  link(href: string): PdfLinkTarget | undefined
  /** Returns the name for the label of a fragment; undefined when it stands already, or never does. */
  name(fragment: string): string | undefined
  /** Returns a name that nothing else has, for what nothing leads to. */
  anonymousLabel(): string
  /** Returns the path of an icon in a colour, undefined for one of no set. */
  icon(name: string, color: string): string | undefined
  /** Writes a drawing into the folder, and returns its path. */
  drawing(svg: string): string
  inlines(nodes: readonly Node[]): Code
  blocks(nodes: readonly Node[], depth: number): Code
}

/** What a text is shown as where boxes stand in boxes too deep to be drawn. */
export const maxBlockDepth = 12
