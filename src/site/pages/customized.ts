/** What a site's settings put around every page: links, logos, announcement, footer. */
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
import { lookSheet } from '../layout/look.js'
import type { MenuEntry, SiteView } from '../layout/view.js'
import { hrefOfReference } from '../routing/nav-link-targets.js'
import type { ShownSite } from '../routing/site.js'

/** For whom it is put together: in which language they read, and which conditions hold for them. */
export interface Audience {
  readonly language: string
  holds(condition: string): boolean
}

/** A style sheet by the name under which it is served. */
interface NamedSheet {
  readonly css: string
  readonly hash: string
}

const sheets = new WeakMap<Customization, NamedSheet>()

/** Returns the style sheet of a look; empty for the usual one. */
export function sheetOf(look: Customization): NamedSheet {
  const known = sheets.get(look)
  if (known !== undefined) return known
  const { announcement } = look
  const css = lookSheet(look, announcement?.enabled === true ? announcementKey(announcement) : undefined)
  const made = { css, hash: shortHash(css) }
  sheets.set(look, made)
  return made
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

type Announcement = NonNullable<Customization['announcement']>

/** What a reader has put away comes again when it says something else. */
function announcementKey({ message, style, link }: Announcement): string {
  return shortHash(JSON.stringify([message, style, link?.to])).slice(0, 8)
}

/** Returns what the settings show around the pages. */
export function customizedView(site: ShownSite, audience: Audience): Partial<SiteView> {
  const { header, footer, announcement, favicon, title, localizedTitle } = site.customization
  const { externalLinks, privacyPolicy, socialAccounts, trademark } = site.customization
  const isNewTab = externalLinks.target === 'blank'
  const hrefOf = (reference: Reference) => hrefOfReference(site, reference)
  const linked = (entry: { title: string; href?: string | undefined }): MenuEntry => ({
    title: entry.title,
    ...(entry.href !== undefined && { href: entry.href }),
    ...(isNewTab && /^https?:/i.test(entry.href ?? '') && { isNewTab }),
  })
  const contentLink = (link: ContentLink): MenuEntry[] => {
    const href = hrefOf(link.to)
    return href === undefined ? [] : [linked({ title: named(link, audience), href })]
  }
  const accounts = (place: 'header' | 'footer') =>
    socialAccounts
      .filter(({ display }) => display[place])
      .map(({ platform, handle }) => ({
        ...linked({ title: platforms[platform].title, href: addressOf(platform, handle) }),
        icon: platforms[platform].icon,
      }))
  const emoji = emojiText(favicon.emoji ?? '') || site.emoji
  const links = header.links.flatMap((link) => headerLink(link, { audience, hrefOf, linked, contentLink }))
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
        .map((group) => ({ title: named(group, audience), links: group.links.flatMap(contentLink) }))
        .filter((group) => group.links.length > 0),
      ...(footer.copyright !== undefined && { copyright: footer.copyright }),
      ...(privacyPolicy.url !== undefined && { privacyPolicy: privacyPolicy.url }),
      accounts: accounts('footer'),
      hasTrademark: trademark.enabled,
    },
  }
}

interface Linking {
  readonly audience: Audience
  hrefOf(reference: Reference): string | undefined
  linked(entry: { title: string; href?: string | undefined }): MenuEntry
  contentLink(link: ContentLink): MenuEntry[]
}

/** A link, or a menu; neither where it would lead nowhere. */
function headerLink(link: HeaderLink, { audience, hrefOf, linked, contentLink }: Linking): MenuEntry[] {
  const { condition, style = 'link', to, links } = link
  if (condition !== undefined && !audience.holds(condition)) return []
  const href = to === null ? undefined : hrefOf(to)
  const entries = links.flatMap(contentLink)
  if (href === undefined && entries.length === 0) return []
  const entry = linked({ title: named(link, audience), href })
  return [{ ...entry, style, ...(entries.length > 0 && { entries }) }]
}

interface Titled {
  readonly title: string
  readonly localizedTitle?: Readonly<Record<string, string>>
}

function named({ title, localizedTitle }: Titled, audience: Audience): string {
  return localized(title, localizedTitle, audience)!
}

/** The words in the reader's language, by its tag or the first part of it; else as they were written. */
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
  /** What stands before a name. */
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

/** Where an account is: its handle may be a name, a path, an address, or on Mastodon a name at a host. */
function addressOf(platform: SocialPlatform, handle: string): string {
  if (/^https?:\/\//i.test(handle)) return handle
  const path = (text: string) => text.split('/').map(encodeText).join('/')
  const [, name, host] = /^@?([^@/]+)@([a-z0-9.-]+)$/i.exec(handle) ?? []
  if (platform === 'mastodon' && host !== undefined) return `https://${host}/@${path(name!)}`
  if (platform === 'slack' && /^[a-z0-9-]+$/i.test(handle)) return `https://${handle}.slack.com/`
  const { address } = platforms[platform]
  const own = handle.replace(/^@/, '')
  if (platform === 'linkedin' && !own.includes('/')) return `${address}in/${path(own)}`
  if (platform === 'reddit' && !own.includes('/')) return `${address}r/${path(own)}`
  // A path is one from the root, as a name behind a sign is not.
  return (own.includes('/') ? address.replace(/@$/, '') : address) + path(own)
}
