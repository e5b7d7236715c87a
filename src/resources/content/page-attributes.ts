/**
 * Page attributes of the API and where they are stored: those of a document in the front matter of its text.
 */
import { describePage } from '../../core/markdown/describe.js'
import { setFrontMatter, setTitle } from '../../core/markdown/front-matter-edit.js'
import type { NewPage, PageMembers } from '../../core/pages/edit.js'
import { entryOf, ownTitle } from '../../core/pages/titles.js'
import type { DocumentPage, PageRecord } from '../../core/pages/types.js'

/** Front matter keys by attribute. */
const frontMatterKeys = {
  emoji: 'emoji',
  icon: 'icon',
  description: 'description',
  hidden: 'hidden',
  noIndex: 'noIndex',
  noRobotsIndex: 'noRobotsIndex',
  condition: 'if',
} as const

type PageAttributes = { readonly [Name in keyof typeof frontMatterKeys]?: string | boolean }

/** Returns the text with these attributes; an empty one is removed. */
export function setAttributes(text: string, members: PageAttributes): string {
  const changes: Record<string, unknown> = {}
  for (const [name, key] of Object.entries(frontMatterKeys)) {
    const value = members[name as keyof PageAttributes]
    // An empty string or false removes the key, which keeps the text short.
    if (value !== undefined) changes[key] = value === '' || value === false ? undefined : value
  }
  return Object.keys(changes).length === 0 ? text : setFrontMatter(text, changes)
}

interface TitleMembers {
  readonly title?: string
  readonly linkTitle?: string
}

/** Returns the text with these attributes and titles, as far as titles are part of it. */
export function setMembers(
  text: string,
  members: PageAttributes & TitleMembers,
  formerTitle: string,
): string {
  const { title, linkTitle } = members
  const titled = setAttributes(text, members)
  const renamed = title === undefined ? titled : setTitle(titled, title)
  const current = describePage(renamed).metadata.linkTitle
  if (current === undefined) return renamed
  if (linkTitle !== undefined) return setFrontMatter(renamed, { linkTitle: linkTitle || undefined })
  // A link title that repeats the title follows it.
  const follows = title !== undefined && current === formerTitle && title !== formerTitle
  return follows ? setFrontMatter(renamed, { linkTitle: undefined }) : renamed
}

/**
 * Returns the titles that a change of a document sets outside its text: the entry of the table of contents. A rename
 * renames the entry too, so that menus follow it; a link title that was set by itself stays.
 */
export function membersOutsideText(
  page: DocumentPage,
  change: TitleMembers & { readonly document?: object },
  text: string,
): Pick<PageMembers, 'title' | 'linkTitle'> {
  if (change.title === undefined && change.linkTitle === undefined) return {}
  const described = describePage(text)
  const own = ownTitle(described)
  // The own title of a new text takes precedence over a member of the change.
  const isRenamed = change.document === undefined && own !== page.title
  const title =
    change.title === undefined || (own !== undefined && !isRenamed) ? undefined : (own ?? change.title)
  const hasOwnLinkTitle = described.metadata.linkTitle !== undefined
  return {
    ...(title !== undefined && { title }),
    ...(change.linkTitle !== undefined && !hasOwnLinkTitle && { linkTitle: change.linkTitle || null }),
  }
}

/** Returns the text with those of the attributes that its front matter lacks. */
export function setMissingAttributes(text: string, members: PageAttributes, metadata: object): string {
  const missing = Object.entries(members).filter(([name]) => name in frontMatterKeys && !(name in metadata))
  return setAttributes(text, Object.fromEntries(missing))
}

/** Returns the input that recreates a deleted page under its id. */
export function restoredPage(page: PageRecord, text: string | undefined): NewPage {
  switch (page.type) {
    case 'document':
      return {
        type: 'document',
        id: page.id,
        title: page.title,
        slug: page.slug,
        contentsEntry: entryOf(page),
        ...(text !== undefined && { text }),
      }
    case 'group':
      return { type: 'group', id: page.id, title: page.title, slug: page.slug, ...appearanceOf(page) }
    case 'link':
      return { type: 'link', id: page.id, title: page.title, url: page.url, ...appearanceOf(page) }
    case 'computed': {
      const { id, title, slug, source } = page
      return { type: 'computed', id, title, slug, source, ...appearanceOf(page) }
    }
  }
}

function appearanceOf({ emoji, icon, hidden }: PageRecord) {
  return {
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(hidden !== undefined && { hidden }),
  }
}

/** Returns the members that make a page what it was in an earlier revision, besides its text. */
export function restoredMembers(page: PageRecord): PageMembers {
  if (page.type === 'document') return { contentsEntry: entryOf(page) }
  const { title, emoji = null, icon = null, hidden = null } = page
  return {
    title,
    emoji,
    icon,
    hidden,
    ...(page.type === 'link' && { url: page.url }),
    ...(page.type === 'computed' && { source: page.source }),
  }
}
