/** Mentions: the users that a Markdown text links to, as in `[@Ann](/users/… "mention")`. */
import { parseFragment } from './markdown/parse.js'
import type { UserId } from './ids.js'
import { visitInlines } from './document/visit.js'

/** Users that one text mentions at most; later ones are names without a notification. */
export const maxMentions = 50

/** Returns the ids of the mentioned users, each once, in the order of the text. */
export function findMentions(markdown: string): readonly UserId[] {
  if (!markdown.includes('/users/')) return []
  const ids = new Set<UserId>()
  visitInlines(parseFragment(markdown).document, (inline) => {
    if (inline.type !== 'link' || ids.size === maxMentions) return
    const id = mentionedUser(inline.url)
    if (id !== undefined) ids.add(id)
  })
  return [...ids]
}

/** Returns the users that the later text mentions and the earlier one does not. */
export function findNewMentions(before: string, after: string): readonly UserId[] {
  const known = new Set(findMentions(before))
  return findMentions(after).filter((id) => !known.has(id))
}

/** Returns the id of the user that a URL names: `/users/…`, alone or as a URL of the API. */
export function mentionedUser(url: string): UserId | undefined {
  const at = url.lastIndexOf('/users/')
  const isPerson = at === 0 || (at > 0 && url.endsWith('/v1', at))
  const id = url.slice(at + '/users/'.length)
  return isPerson && /^[\w-]{1,64}$/.test(id) ? (id as UserId) : undefined
}
