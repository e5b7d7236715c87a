/** View model of a site's customization around every page: links, logos, announcement, footer. */
import { createHash } from 'node:crypto'
import type {
  ContentLink,
  Customization,
  HeaderLink,
  Reference,
  SocialPlatform,
} from '../../contract/customization.js'
import { emojiText } from '../blocks/icons.js'
import { encodeText } from '../blocks/safe-url.js'
import { siteStylesheet } from '../layout/site-stylesheet.js'
import type { MenuEntry, SiteView } from '../layout/view.js'
import { hrefOfReference } from '../routing/nav-link-targets.js'
import type { PublishedSite } from '../routing/site.js'

/** The reader: their language, and which conditions hold for them. */
export interface Audience {
  readonly language: string
  holds(condition: string): boolean
}

/** A style sheet and the content hash in its address. */
interface ThemeSheet {
  readonly css: string
  readonly hash: string
}

const sheets = new WeakMap<Customization, ThemeSheet>()

/** Returns the theme's style sheet; empty for the default theme. */
export function themeSheet(customization: Customization): ThemeSheet {
  const known = sheets.get(customization)
  if (known !== undefined) return known
  const { announcement } = customization
  const css = siteStylesheet(
    customization,
    announcement?.enabled === true ? announcementKey(announcement) : undefined,
  )
  const sheet = { css, hash: shortHash(css) }
  sheets.set(customization, sheet)
  return sheet
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

type Announcement = NonNullable<Customization['announcement']>

/** A dismissed announcement appears again when its text or style changes. */
function announcementKey({ message, style, link }: Announcement): string {
  return shortHash(JSON.stringify([message, style, link?.to])).slice(0, 8)
}

/** Returns the customized parts of the view. */
export function customizationView(site: PublishedSite, audience: Audience): Partial<SiteView> {
  const { header, footer, announcement, favicon, title, localizedTitle } = site.customization
  const { externalLinks, privacyPolicy, socialAccounts, trademark } = site.customization
  const isNewTab = externalLinks.target === 'blank'
  const hrefOf = (reference: Reference) => hrefOfReference(site, reference)
  const menuEntry = (entry: { title: string; href?: string | undefined }): MenuEntry => ({
    title: entry.title,
    ...(entry.href !== undefined && { href: entry.href }),
    ...(isNewTab && /^https?:/i.test(entry.href ?? '') && { isNewTab }),
  })
  const contentLink = (link: ContentLink): MenuEntry[] => {
    const href = hrefOf(link.to)
    return href === undefined ? [] : [menuEntry({ title: titleOf(link, audience), href })]
  }
  const accounts = (position: 'header' | 'footer') =>
    socialAccounts
      .filter(({ display }) => display[position])
      .map(({ platform, handle }) => ({
        ...menuEntry({ title: platforms[platform].title, href: accountUrl(platform, handle) }),
        icon: platforms[platform].icon,
      }))
  const emoji = emojiText(favicon.emoji ?? '') || site.emoji
  const links = header.links.flatMap((link) => headerLink(link, { audience, hrefOf, menuEntry, contentLink }))
  const primary = header.primaryLink && hrefOf(header.primaryLink)
  const link = announcement?.link && contentLink(announcement.link)[0]
  return {
    title: localized(title, localizedTitle, audience) ?? site.title,
    ...(primary !== undefined && { brandHref: primary }),
    ...(header.logo !== undefined && { logo: header.logo }),
    ...(favicon.icon !== undefined
      ? { favicon: { href: favicon.icon.light, hrefDark: favicon.icon.dark } }
      : emoji !== undefined && { favicon: { emoji } }),
    ...(header.preset === 'none' && { isHeaderless: true }),
    ...(links.length > 0 && { links }),
    ...(announcement?.enabled === true && {
      announcement: {
        message: localized(announcement.message, announcement.localizedMessage, audience)!,
        style: announcement.style,
        key: announcementKey(announcement),
        ...(link?.href !== undefined && { link: { ...link, href: link.href } }),
      },
    }),
    accounts: accounts('header'),
    footer: {
      ...(footer.logo !== undefined && { logo: footer.logo }),
      groups: footer.groups
        .map((group) => ({ title: titleOf(group, audience), links: group.links.flatMap(contentLink) }))
        .filter((group) => group.links.length > 0),
      ...(footer.copyright !== undefined && { copyright: footer.copyright }),
      ...(privacyPolicy.url !== undefined && { privacyPolicy: privacyPolicy.url }),
      accounts: accounts('footer'),
      hasTrademark: trademark.enabled,
    },
  }
}

interface LinkContext {
  readonly audience: Audience
  hrefOf(reference: Reference): string | undefined
  menuEntry(entry: { title: string; href?: string | undefined }): MenuEntry
  contentLink(link: ContentLink): MenuEntry[]
}

/** A link or a menu; none where its target is broken and it has no entries. */
function headerLink(
  link: HeaderLink,
  { audience, hrefOf, menuEntry, contentLink }: LinkContext,
): MenuEntry[] {
  const { condition, style = 'link', to, links } = link
  if (condition !== undefined && !audience.holds(condition)) return []
  const href = to === null ? undefined : hrefOf(to)
  const entries = links.flatMap(contentLink)
  if (href === undefined && entries.length === 0) return []
  const entry = menuEntry({ title: titleOf(link, audience), href })
  return [{ ...entry, style, ...(entries.length > 0 && { entries }) }]
}

interface LocalizedTitle {
  readonly title: string
  readonly localizedTitle?: Readonly<Record<string, string>>
}

function titleOf({ title, localizedTitle }: LocalizedTitle, audience: Audience): string {
  return localized(title, localizedTitle, audience)!
}

/** The text in the reader's language, by full or primary language tag; else the untranslated one. */
function localized(
  words: string | undefined,
  byLanguage: Readonly<Record<string, string>> | undefined,
  { language }: Audience,
): string | undefined {
  if (byLanguage === undefined) return words
  const wanted = language.toLowerCase()
  const of = (tag: string) =>
    Object.entries(byLanguage).find(([name, text]) => name.toLowerCase() === tag && text !== '')?.[1]
  return of(wanted) ?? of(wanted.split('-')[0]!) ?? words
}

interface Platform {
  readonly title: string
  readonly icon: string
  /** URL prefix of an account name. */
  readonly address: string
}

const platforms: Readonly<Record<SocialPlatform, Platform>> = {
  twitter: { title: 'X', icon: 'twitter', address: 'https://x.com/' },
  instagram: { title: 'Instagram', icon: 'instagram', address: 'https://www.instagram.com/' },
  facebook: { title: 'Facebook', icon: 'facebook', address: 'https://www.facebook.com/' },
  linkedin: { title: 'LinkedIn', icon: 'linkedin', address: 'https://www.linkedin.com/' },
  github: { title: 'GitHub', icon: 'github', address: 'https://github.com/' },
  discord: { title: 'Discord', icon: 'message-circle', address: 'https://discord.gg/' },
  slack: { title: 'Slack', icon: 'slack', address: 'https://slack.com/' },
  youtube: { title: 'YouTube', icon: 'youtube', address: 'https://www.youtube.com/@' },
  tiktok: { title: 'TikTok', icon: 'music-2', address: 'https://www.tiktok.com/@' },
  reddit: { title: 'Reddit', icon: 'messages-square', address: 'https://www.reddit.com/' },
  bluesky: { title: 'Bluesky', icon: 'cloud', address: 'https://bsky.app/profile/' },
  mastodon: { title: 'Mastodon', icon: 'message-square', address: 'https://mastodon.social/@' },
  threads: { title: 'Threads', icon: 'at-sign', address: 'https://www.threads.net/@' },
  medium: { title: 'Medium', icon: 'book-open', address: 'https://medium.com/@' },
}

/** The URL of an account: its handle may be a name, a path, a URL, or on Mastodon a name at a host. */
function accountUrl(platform: SocialPlatform, handle: string): string {
  if (/^https?:\/\//i.test(handle)) return handle
  const path = (text: string) => text.split('/').map(encodeText).join('/')
  const [, name, host] = /^@?([^@/]+)@([a-z0-9.-]+)$/i.exec(handle) ?? []
  if (platform === 'mastodon' && host !== undefined) return `https://${host}/@${path(name!)}`
  if (platform === 'slack' && /^[a-z0-9-]+$/i.test(handle)) return `https://${handle}.slack.com/`
  const { address } = platforms[platform]
  const own = handle.replace(/^@/, '')
  if (platform === 'linkedin' && !own.includes('/')) return `${address}in/${path(own)}`
  if (platform === 'reddit' && !own.includes('/')) return `${address}r/${path(own)}`
  // A handle with slashes is a path from the root, without the `@` before names.
  return (own.includes('/') ? address.replace(/@$/, '') : address) + path(own)
}
