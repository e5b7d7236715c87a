/**
 * What a page of a published site is made of, as plain values.
 *
 * The caller has decided everything: which entries a reader may see, how much of a large tree is shown,
 * and every href. The layout only arranges.
 */
import type { FileTarget } from '../blocks/context.js'
import type { Html } from '../html.js'

export interface SiteView {
  readonly title: string
  /** First page of the site. */
  readonly href: string
  /** Where its name and its logo lead, when that is somewhere else. */
  readonly brandHref?: string
  /** BCP 47 tag of the content. */
  readonly language: string
  readonly logo?: { readonly light: string; readonly dark?: string }
  /** A picture of its sign, for those who keep the site among their programs. */
  readonly sign?: string
  readonly favicon?: { readonly emoji?: string; readonly href?: string; readonly hrefDark?: string }
  /** Style sheets in their order: the product's own, then the site's, where it looks otherwise than usual. */
  readonly stylesheets: readonly string[]
  /** What pages need besides that have blocks which few pages have. */
  readonly blocksStylesheet: string
  /** What pages need besides that hold no content of the site. */
  readonly plainStylesheet: string
  /** The browser program. */
  readonly script: string
  /** What goes with it on pages that have something of their own. */
  readonly moreScripts?: readonly string[]
  /** Of others, that whoever administers the site lets run. */
  readonly allowedScripts?: readonly { readonly script: string; readonly integrity?: string }[]
  /** Page that answers `?q=` with results, and the address that answers it with JSON. */
  readonly search?: { readonly href: string; readonly api: string }
  readonly theme: ThemeChoice
  readonly sections?: readonly MenuEntry[]
  readonly variants?: readonly MenuEntry[]
  /** Links of the header. */
  readonly links?: readonly MenuEntry[]
  /** What would be in the header stands above the tree of pages, where there is one. */
  readonly isHeaderless?: boolean
  /** Where else the people of the site are found, by signs in the header. */
  readonly accounts?: readonly MenuEntry[]
  readonly announcement?: Announcement
  /** Address of the events of the space, where a page tells that it changed while it is open. */
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
  /** Buttons stand out. */
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
  /** By which a browser remembers that its reader has put it away. */
  readonly key: string
}

export interface FooterView {
  readonly logo?: { readonly light: string; readonly dark?: string }
  readonly groups: readonly { readonly title: string; readonly links: readonly MenuEntry[] }[]
  readonly copyright?: string
  readonly privacyPolicy?: string
  readonly accounts?: readonly MenuEntry[]
  /** Says what the site was made with. */
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
  /** Where the entries below are found, when they are not given here; the page's own view shows them too. */
  readonly branch?: string
  /** True for a value that stands in the trees of many pages: its markup is made once. */
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
  /** Siblings left out of a very long list. */
  | { readonly kind: 'gap'; readonly count: number; readonly href?: string }

export interface OutlineEntry {
  readonly level: 1 | 2
  readonly anchor: string
  readonly text: string
}

export interface CoverSource {
  readonly src: string
  /** The file of the space that it is. */
  readonly file?: FileTarget
}

export interface CoverView {
  readonly light: CoverSource
  readonly dark?: CoverSource
  readonly size: 'hero' | 'full'
  /** Which part is seen, in percent from the top; 50 when absent. */
  readonly position?: number
}

export interface PageAction {
  readonly title: string
  readonly href: string
  readonly icon?: string
  /** True for a button that copies the text of the address instead of going there. */
  readonly isCopied?: boolean
  /** What a button copies as it stands here. */
  readonly copies?: string
  /** True for a button that prints the page. */
  readonly isPrinted?: boolean
  readonly isNewTab?: boolean
}

export interface PageView {
  readonly site: SiteView
  readonly title: string
  /** Path-like names above the page. */
  readonly breadcrumbs?: readonly { readonly title: string; readonly href?: string }[]
  readonly description?: string
  /** What describes the page to programs when it has no description. */
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
  /** False keeps crawlers away from this page. */
  readonly indexed?: boolean
  /** Picture for previews in other programs: an absolute URL. */
  readonly previewImage?: string
  /** What the page tells search engines of itself, as JSON-LD. */
  readonly structured?: object
  /** The page in other forms or languages, for `link rel=alternate`. */
  readonly alternates?: readonly {
    readonly href: string
    readonly type?: string
    readonly language?: string
  }[]
  /** Small links below the outline, for example "Edit this page". */
  readonly actions?: readonly PageAction[]
  /** Parts that the author switched off. */
  readonly hide?: Readonly<
    Partial<Record<'title' | 'description' | 'navigation' | 'outline' | 'pagination' | 'metadata', boolean>>
  >
  readonly wide?: boolean
  /** Where its reader answers whether it helped, and where it is told that it is shown. */
  readonly feedback?: string
  readonly counted?: string
}
