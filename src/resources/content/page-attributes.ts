/**
 * Page attributes of the API and where they are stored: those of a document in the front matter of its text.
 */
import { setFrontMatter } from '../../core/markdown/front-matter-edit.js'
import type { NewPage } from '../../core/pages/edit.js'
import { entryOf } from '../../core/pages/titles.js'
import type { PageRecord } from '../../core/pages/types.js'

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
      return { type: 'group', id: page.id, title: page.title, slug: page.slug }
    case 'link':
      return { type: 'link', id: page.id, title: page.title, url: page.url }
    case 'computed':
      return { type: 'computed', id: page.id, title: page.title, slug: page.slug, source: page.source }
  }
}
