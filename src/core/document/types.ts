/**
 * Document model (AST): the body of one page, as a value.
 *
 * A document is always derived from Markdown text, the single source of truth; every block carries
 * its span in that text. Block and inline types have the names of the API's document JSON where it
 * has one. Links and files are not resolved: destinations are stored as written.
 */

/** A half-open range of UTF-16 offsets in the source text. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Document {
  readonly blocks: readonly Block[]
}

export type Alignment = 'start' | 'center' | 'end'

interface BlockBase {
  readonly span: Span
  /** Further URL fragments that lead here, such as ids of HTML elements; none is used by another block. */
  readonly aliases?: readonly string[]
}

export interface Paragraph extends BlockBase {
  /** Without children it only holds fragments, after the last block. */
  readonly type: 'paragraph'
  /** True for markup that is displayed as it is written: a tag without partner, or too deeply nested. */
  readonly isSource?: true
  readonly align?: Alignment
  readonly children: readonly Inline[]
}

/** `level` 1 is written `##` in a file; a single `#` is the title of the page. */
export interface Heading extends BlockBase {
  readonly type: 'heading'
  readonly level: 1 | 2 | 3
  /** URL fragment of this heading: the explicit id, else derived from the text; unique in the document. */
  readonly anchor: string
  /** The id that the author set. */
  readonly id?: string
  readonly align?: Alignment
  readonly children: readonly Inline[]
}

export interface List extends BlockBase {
  readonly type: 'list'
  readonly kind: 'ordered' | 'unordered' | 'tasks'
  /** First number of an ordered list. */
  readonly start?: number
  /** True when no blank line separates the items: its paragraphs are rendered without margins. */
  readonly tight: boolean
  readonly items: readonly ListItem[]
}

export interface ListItem extends BlockBase {
  readonly checked?: boolean
  readonly blocks: readonly Block[]
}

export interface Divider extends BlockBase {
  readonly type: 'divider'
}

export interface Blockquote extends BlockBase {
  readonly type: 'blockquote'
  readonly blocks: readonly Block[]
}

export const hintStyles = ['info', 'success', 'warning', 'danger'] as const
export type HintStyle = (typeof hintStyles)[number]

export interface Hint extends BlockBase {
  readonly type: 'hint'
  readonly style: HintStyle
  readonly icon?: string
  readonly blocks: readonly Block[]
}

export interface Code extends BlockBase {
  readonly type: 'code'
  /** Language word of the fence, lower case; `mermaid` is a diagram. */
  readonly syntax?: string
  readonly title?: string
  readonly overflow?: 'scroll' | 'wrap'
  readonly lineNumbers?: boolean
  readonly expandable?: boolean
  readonly fullWidth?: boolean
  readonly code: string
  /** Zero-based indices of the lines to highlight. */
  readonly highlighted?: readonly number[]
}

export interface Math extends BlockBase {
  readonly type: 'math'
  readonly formula: string
}

export interface Images extends BlockBase {
  readonly type: 'images'
  readonly align?: 'left' | 'center' | 'right'
  readonly fullWidth?: boolean
  readonly withFrame?: boolean
  readonly images: readonly Image[]
}

export interface Image {
  readonly src: string
  readonly srcDark?: string
  readonly alt?: string
  /** As written: pixels ("300") or a share ("50%"). */
  readonly width?: string
  readonly height?: string
  readonly caption?: readonly Inline[]
}

export interface File extends BlockBase {
  readonly type: 'file'
  readonly src: string
  /** The picture of a video before it plays. */
  readonly poster?: string
  /** Of a video, as written. */
  readonly width?: string
  readonly height?: string
  readonly caption: readonly Inline[]
}

export interface Drawing extends BlockBase {
  readonly type: 'drawing'
  readonly src: string
  readonly alt?: string
}

export interface Embed extends BlockBase {
  readonly type: 'embed'
  readonly url: string
  readonly caption: readonly Inline[]
  readonly fullWidth?: boolean
}

/** A link to a page, rendered as a card. */
export interface ContentRef extends BlockBase {
  readonly type: 'content-ref'
  readonly url: string
  /** Text of the link inside the block, rendered when the target is unknown. */
  readonly label: string
}

/** An include of reusable content (a file of `.gitbook/includes`). */
export interface ReusableContent extends BlockBase {
  readonly type: 'reusable-content'
  readonly src: string
}

export interface Expandable extends BlockBase {
  readonly type: 'expandable'
  readonly title: readonly Inline[]
  readonly anchor: string
  /** The id that the author set. */
  readonly id?: string
  readonly open: boolean
  readonly blocks: readonly Block[]
}

export interface Tabs extends BlockBase {
  readonly type: 'tabs'
  readonly fullWidth?: boolean
  readonly tabs: readonly Tab[]
}

export interface Tab extends BlockBase {
  readonly title: string
  readonly icon?: string
  readonly anchor: string
  readonly blocks: readonly Block[]
}

export interface Stepper extends BlockBase {
  readonly type: 'stepper'
  readonly steps: readonly Step[]
}

export interface Step extends BlockBase {
  readonly icon?: string
  readonly blocks: readonly Block[]
}

export interface Columns extends BlockBase {
  readonly type: 'columns'
  readonly fullWidth?: boolean
  readonly columns: readonly Column[]
}

export interface Column extends BlockBase {
  /** As written, for example "50%". */
  readonly width?: string
  readonly verticalAlignment?: 'top' | 'middle' | 'bottom'
  readonly blocks: readonly Block[]
}

export const columnTypes = [
  'text',
  'number',
  'checkbox',
  'select',
  'users',
  'files',
  'rating',
  'content-ref',
  'image',
] as const
export type TableColumnType = (typeof columnTypes)[number]

/** A table, rendered as a grid or as cards. Pipe tables and HTML tables become the same value. */
export interface Table extends BlockBase {
  readonly type: 'table'
  readonly view: 'grid' | 'cards'
  readonly cardSize?: 'medium' | 'large'
  readonly fullWidth?: boolean
  readonly hideHeader?: boolean
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly TableCell[])[]
}

export interface TableColumn {
  readonly title: readonly Inline[]
  readonly type: TableColumnType
  readonly align?: 'left' | 'center' | 'right'
  /** As written, for example "120". */
  readonly width?: string
  /** Hidden columns hold the targets and covers of cards. */
  readonly hidden?: boolean
  readonly cardTarget?: boolean
  readonly cardCover?: boolean
  readonly cardCoverDark?: boolean
  /** Highest value of a rating. */
  readonly max?: number
  readonly options?: readonly SelectOption[]
}

export interface SelectOption {
  readonly value: string
  readonly label: string
  readonly color?: string
}

export interface TableCell {
  readonly blocks: readonly Block[]
  /** Plain value of typed columns: number or rating as text, "true" for a ticked checkbox, option values. */
  readonly values?: readonly string[]
  /** Destination of the first link or image in the cell, as written. */
  readonly href?: string
  readonly objectFit?: 'contain' | 'fill' | 'cover'
}

export interface If extends BlockBase {
  readonly type: 'if'
  readonly expression: string
  readonly blocks: readonly Block[]
}

export interface Updates extends BlockBase {
  readonly type: 'updates'
  readonly format: 'full' | 'short' | 'numeric'
  readonly updates: readonly Update[]
}

export interface Update extends BlockBase {
  /** YYYY-MM-DD, as written. */
  readonly date: string
  readonly anchor: string
  readonly tags: readonly string[]
  readonly blocks: readonly Block[]
}

export interface Prompt extends BlockBase {
  readonly type: 'prompt'
  readonly description: string
  readonly icon?: string
  readonly openInAIProviders?: boolean
  readonly defaultExpanded?: 'hidden' | 'partial' | 'full'
  readonly text: string
}

/** The three specification blocks, and the legacy `openapi` form, which names a file or URL instead of a spec. */
export interface OpenAPIBlock extends BlockBase {
  readonly type: 'openapi-operation' | 'openapi-schemas' | 'openapi-webhook' | 'swagger'
  readonly spec?: string
  readonly src?: string
  readonly path?: string
  readonly method?: string
  readonly name?: string
  readonly schemas?: readonly string[]
  readonly grouped?: boolean
  /** Base URL of the path, and a summary: for an operation described inline. */
  readonly server?: string
  readonly summary?: string
  readonly blocks: readonly Block[]
}

export interface Integration extends BlockBase {
  readonly type: 'integration'
  readonly integration: string
  readonly block: string
  readonly props: Readonly<Record<string, string>>
}

/** HTML outside the dialect, as written: it must be sanitised when rendered. */
export interface RawHtml extends BlockBase {
  readonly type: 'html'
  readonly html: string
}

export type Block =
  | Paragraph
  | Heading
  | List
  | Divider
  | Blockquote
  | Hint
  | Code
  | Math
  | Images
  | File
  | Drawing
  | Embed
  | ContentRef
  | ReusableContent
  | Expandable
  | Tabs
  | Stepper
  | Columns
  | Table
  | If
  | Updates
  | Prompt
  | OpenAPIBlock
  | Integration
  | RawHtml

export type BlockType = Block['type']

/* Inlines: runs of text with marks, and the few nodes that are not text. */

export type Mark =
  | {
      readonly type:
        | 'bold'
        | 'italic'
        | 'underline'
        | 'code'
        | 'keyboard'
        | 'strikethrough'
        | 'superscript'
        | 'subscript'
    }
  | { readonly type: 'color'; readonly text?: string; readonly background?: string }

export interface Text {
  readonly type: 'text'
  readonly text: string
  /** Outermost first; absent when there are none. */
  readonly marks?: readonly Mark[]
}

export interface LineBreak {
  readonly type: 'break'
}

/** An invisible link target inside a line, such as `<a id="part"></a>`. */
export interface InlineAnchor {
  readonly type: 'anchor'
  /** Its URL fragments; none is used by a block. */
  readonly aliases: readonly string[]
}

export interface Link {
  readonly type: 'link'
  readonly url: string
  readonly title?: string
  /** True for a link written with the title "mention" or `data-mention`: rendered as a chip with the target's name. */
  readonly mention?: boolean
  readonly children: readonly Inline[]
}

export interface Emoji {
  readonly type: 'emoji'
  /** Hexadecimal code points joined by hyphens, for example "1f600". */
  readonly code: string
}

export interface Icon {
  readonly type: 'icon'
  readonly icon: string
  readonly color?: string
}

export interface Expression {
  readonly type: 'expression'
  readonly expression: string
}

export interface InlineMath {
  readonly type: 'inline-math'
  readonly formula: string
}

export interface InlineImage extends Image {
  readonly type: 'inline-image'
  readonly size?: 'original' | 'line'
}

/** Text with a note: a footnote reference and its definition. */
export interface Annotation {
  readonly type: 'annotation'
  readonly identifier: string
  readonly children: readonly Inline[]
  readonly body: readonly Block[]
}

export interface Button {
  readonly type: 'button'
  readonly label: string
  readonly kind: 'primary' | 'secondary'
  readonly icon?: string
  readonly url?: string
  readonly action?: 'ask' | 'search'
  readonly query?: string
}

/** Inline HTML outside the dialect, as written: it must be sanitised when rendered. */
export interface InlineHtml {
  readonly type: 'inline-html'
  readonly html: string
}

export type Inline =
  | Text
  | LineBreak
  | InlineAnchor
  | Link
  | Emoji
  | Icon
  | Expression
  | InlineMath
  | InlineImage
  | Annotation
  | Button
  | InlineHtml

/** A warning for the author; never a reason to reject the text. */
export interface Problem {
  readonly message: string
  readonly span: Span
}

/** An expression in the text, with the span of its markup. */
export interface ExpressionOccurrence {
  readonly expression: string
  readonly span: Span
}

/** A destination written in the text: the target of a link, an image or a block. */
export interface Reference {
  readonly kind: 'link' | 'image' | 'file' | 'content-ref' | 'reusable-content' | 'openapi' | 'cover'
  /** The destination with escapes and entities decoded. */
  readonly url: string
  /** Span of the destination in the source; replacing only this changes the link's target. */
  readonly span: Span
  /** Syntax around the destination: decides the escaping of a replacement. */
  readonly syntax: 'inline' | 'angle' | 'definition' | 'attribute' | 'yaml'
}
