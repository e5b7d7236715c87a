/**
 * The members of a page and where they live: a document keeps its own in the front matter of its text.
 */
import { setFrontMatter } from '../../core/markdown/front-matter-edit.js'
import type { NewPage } from '../../core/pages/edit.js'
import type { PageRecord } from '../../core/pages/types.js'

/** Front matter keys of the members that live there. */
const textMembers = {
  emoji: 'emoji',
  icon: 'icon',
  description: 'description',
  hidden: 'hidden',
  noIndex: 'noIndex',
  noRobotsIndex: 'noRobotsIndex',
  condition: 'if',
} as const

type TextMembers = { readonly [Name in keyof typeof textMembers]?: string | boolean }

/** Returns the text with these members; an empty one is taken away. */
export function setMembers(text: string, members: TextMembers): string {
  const changes: Record<string, unknown> = {}
  for (const [name, key] of Object.entries(textMembers)) {
    const value = members[name as keyof TextMembers]
    // An empty text or false takes the member away, so that the text stays as short as it can be.
    if (value !== undefined) changes[key] = value === '' || value === false ? undefined : value
  }
  return Object.keys(changes).length === 0 ? text : setFrontMatter(text, changes)
}

/** Returns the text with those of the members that it does not say itself. */
export function setMissingMembers(text: string, members: TextMembers, metadata: object): string {
  const missing = Object.entries(members).filter(([name]) => name in textMembers && !(name in metadata))
  return setMembers(text, Object.fromEntries(missing))
}

/** Returns what makes a page again that was deleted, with its id. */
export function restored(page: PageRecord, text: string | undefined): NewPage {
  switch (page.type) {
    case 'document':
      return {
        type: 'document',
        id: page.id,
        title: page.title,
        slug: page.slug,
        ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }),
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
