/**
 * View models of the pages of a published site, as plain values.
 *
 * The caller decides everything: which entries a reader may see, how much of a large tree is rendered,
 * and every href. The layout only arranges.
 */
import type { FileTarget } from '../blocks/context.js'
import type { Html } from '../html.js'

export interface SiteView {
  readonly title: string
  /** First page of the site. */
  readonly href: string
  /** Target of its name and logo, if not the first page. */
  readonly brandHref?: string
  /** BCP 47 tag of the content. */
  readonly language: string
  readonly logo?: { readonly light: string; readonly dark?: string }
  /** Icon for home screens (apple-touch-icon). */
  readonly sign?: string
  readonly favicon?: { readonly emoji?: string; readonly href?: string; readonly hrefDark?: string }
  /** Style sheets in order: the product's own, then the custom one of the site, if it has one. */
  readonly stylesheets: readonly string[]
  /** Additional style sheet of pages with rare blocks. */
  readonly blocksStylesheet: string
  /** Additional style sheet of pages without site content. */
  readonly plainStylesheet: string
  /** The client script. */
  readonly script: string
  /** Additional scripts of some pages. */
  readonly moreScripts?: readonly string[]
  /** Third-party scripts that an admin of the site allowed. */
  readonly allowedScripts?: readonly { readonly script: string; readonly integrity?: string }[]
  /** Search page with the parameter `q`, and the JSON endpoint for it. */
  readonly search?: { readonly href: string; readonly api: string }
  readonly theme: ThemeChoice
  readonly sections?: readonly MenuEntry[]
  readonly variants?: readonly MenuEntry[]
  /** Links of the header. */
  readonly links?: readonly MenuEntry[]
  /** Without header: its content is above the navigation tree, if there is one. */
  readonly isHeaderless?: boolean
  /** Social accounts, as icons in the header. */
  readonly accounts?: readonly MenuEntry[]
  readonly announcement?: Announcement
  /** URL of the event stream of the space, for pages with a notice about changes. */
  readonly follows?: string
  readonly footer?: FooterView
}

export interface ThemeChoice {
  readonly default: 'light' | 'dark' | 'system'
  readonly toggleable: boolean
  readonly corners: 'straight' | 'rounded' | 'circular'
}

/** A link, or with `entries` a menu. */
export interface MenuEntry {
  readonly title: string
  readonly href?: string
  readonly description?: string
  readonly emoji?: string
  readonly icon?: string
  readonly current?: boolean
  /** Buttons are more prominent. */
  readonly style?: 'link' | 'button-primary' | 'button-secondary'
  readonly isNewTab?: boolean
  /** Language of the target, for variants that are translations. */
  readonly language?: string
  readonly entries?: readonly MenuEntry[]
}

export interface Announcement {
  readonly message: string
  readonly style: 'info' | 'success' | 'warning' | 'danger'
  readonly link?: MenuEntry
  /** Key under which a browser stores that the reader dismissed it. */
  readonly key: string
}

export interface FooterView {
  readonly logo?: { readonly light: string; readonly dark?: string }
  readonly groups: readonly { readonly title: string; readonly links: readonly MenuEntry[] }[]
  readonly copyright?: string
  readonly privacyPolicy?: string
  readonly accounts?: readonly MenuEntry[]
  /** Adds a note about the product. */
  readonly hasTrademark?: boolean
}

export interface EntryNode {
  readonly kind: 'page' | 'link'
  readonly title: string
  readonly href: string
  readonly emoji?: string
  readonly icon?: string
  readonly current?: boolean
  readonly children?: readonly NavigationNode[]
  /** URL of the entries below, if they are loaded lazily; the page itself lists them too. */
  readonly branch?: string
  /** True for an object shared by the trees of many pages: its markup is cached. */
  readonly isCached?: true
}

export type NavigationNode =
  | EntryNode
  | {
      readonly kind: 'group'
      readonly title: string
      readonly emoji?: string
      readonly icon?: string
      readonly children: readonly NavigationNode[]
    }
  /** Siblings omitted from a very long list. */
  | { readonly kind: 'gap'; readonly count: number; readonly href?: string }

export interface OutlineEntry {
  readonly level: 1 | 2
  readonly anchor: string
  readonly text: string
}

export interface CoverSource {
  readonly src: string
  /** The file of the space, if it is one. */
  readonly file?: FileTarget
}

export interface CoverView {
  readonly light: CoverSource
  readonly dark?: CoverSource
  readonly size: 'hero' | 'full'
  /** Vertical position of the visible part, in percent from the top; 50 by default. */
  readonly position?: number
}

export interface PageAction {
  readonly title: string
  readonly href: string
  readonly icon?: string
  /** True for a button that copies the text at the URL instead of opening it. */
  readonly isCopied?: boolean
  /** Text that a button copies. */
  readonly copies?: string
  /** True for a button that prints the page. */
  readonly isPrinted?: boolean
  readonly isNewTab?: boolean
}

export interface PageView {
  readonly site: SiteView
  readonly title: string
  /** URL fragments of the title; by default one made of its text. */
  readonly titleAnchors?: readonly string[]
  /** Breadcrumbs. */
  readonly breadcrumbs?: readonly { readonly title: string; readonly href?: string }[]
  readonly description?: string
  /** Description for search engines, if the page has no own. */
  readonly summary?: string
  readonly emoji?: string
  readonly icon?: string
  readonly cover?: CoverView
  readonly navigation: readonly NavigationNode[]
  readonly outline: readonly OutlineEntry[]
  readonly body: Html
  readonly previous?: { readonly title: string; readonly href: string }
  readonly next?: { readonly title: string; readonly href: string }
  /** Milliseconds since 1970. */
  readonly updatedAt?: number
  readonly canonical?: string
  /** False excludes the page from search engines. */
  readonly indexed?: boolean
  /** Picture for previews in other programs: an absolute URL. */
  readonly previewImage?: string
  /** Structured data for search engines, as JSON-LD. */
  readonly structured?: object
  /** The page in other forms or languages, for `link rel=alternate`. */
  readonly alternates?: readonly {
    readonly href: string
    readonly type?: string
    readonly language?: string
  }[]
  /** Small links below the outline, for example "Edit this page". */
  readonly actions?: readonly PageAction[]
  /** Parts that the author disabled. */
  readonly hide?: Readonly<
    Partial<Record<'title' | 'description' | 'navigation' | 'outline' | 'pagination' | 'metadata', boolean>>
  >
  readonly wide?: boolean
  /** URLs of the feedback form and of the page-view beacon. */
  readonly feedback?: string
  readonly counted?: string
}
