/** Sentences about revisions: what a merge wrote, or else what the revision changed. */
import type { PageChangeKind } from '../../contract/history.js'
import type { ListedRevision } from '../../contract/revisions.js'
import { text } from '../i18n/text.js'

/** Returns the line that names a revision in a list: of a page, where its changes are passed. */
export function sentenceOf(
  { type, message, summary, number, parents }: ListedRevision,
  changes?: readonly PageChangeKind[],
): string {
  if (type === 'rollback') return text.history.rolledBack
  if (message !== undefined && message !== '') return message
  if (changes?.includes('created') === true) return text.history.pageCreated
  if (changes?.includes('deleted') === true) return text.history.pageDeleted
  if (parents.length === 0 && number === 1) return text.history.began
  return summary ?? text.history.types[type]
}

/** Returns what it changed, where the sentence does not say so already. */
export function detailOf(revision: ListedRevision): string | undefined {
  const sentence = sentenceOf(revision)
  const isSaid = revision.summary === sentence || sentence === text.history.began
  return isSaid ? undefined : revision.summary
}

export const namesOf = ({ authors }: Pick<ListedRevision, 'authors'>): string =>
  authors.map(({ displayName }) => displayName).join(', ')
