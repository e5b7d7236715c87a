/** Metadata of a page, derived from its front matter. */
export interface PageMetadata {
  readonly title?: string
  readonly description?: string
  readonly icon?: string
  readonly emoji?: string
  readonly hidden?: boolean
  readonly noIndex?: boolean
  readonly noRobotsIndex?: boolean
  readonly tags?: readonly string[]
  readonly condition?: string
  readonly variables?: Readonly<Record<string, string | number | boolean>>
  readonly cover?: PageCover
  readonly layout?: PageLayout
  readonly linkTitle?: string
}

export interface PageCover {
  /** As written: a relative path or a URL. */
  readonly src?: string
  readonly srcDark?: string
  readonly yPos: number
  readonly height?: number
}

/** Only the options the author set; the defaults are everything visible, width `default`, cover size `hero`. */
export interface PageLayout {
  readonly width?: 'default' | 'wide'
  readonly cover?: boolean
  readonly coverSize?: 'hero' | 'full'
  readonly coverMask?: 'none' | 'radial'
  readonly title?: boolean
  readonly description?: boolean
  readonly tableOfContents?: boolean
  readonly outline?: boolean
  readonly pagination?: boolean
  readonly metadata?: boolean
  readonly tags?: boolean
  readonly actions?: boolean
  readonly anchors?: boolean
}
