/**
 * Applies suggestions of comments: all of them in one revision, or none. Each is found in the current content by its words;
 * its author is a contributor beside the person who applies it.
 */
import { type Splice, applySplices, invertSplices } from '../../core/editing/splice.js'
import type { CommentId, Hash, PageId, UserId } from '../../core/ids.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { editSnapshot } from '../../core/pages/edit.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import { createSink } from '../../store/content/sink.js'
import { insertTextEdit } from '../../store/content/text-edits.js'
import type { Tx } from '../../store/db/database.js'
import { commit } from '../content/commit.js'
import { type ContentContext, type ContentSource, cacheWrittenRevision, runWith } from '../content/content.js'
import { describeThrough } from '../content/describe.js'
import { createPageParser, hashOfText } from '../content/page-text.js'
import { findPeopleOf } from '../users/store.js'
import { type CommentTarget, findTargets } from './comment-target.js'
import { countOpen } from './count.js'
import { type CommentRow, findComments, updateComment } from './store.js'
import { splicesOf, suggestionStatus } from './suggestion.js'

export interface ApplyRequest {
  readonly actor: Actor
  readonly now: number
  readonly services: Services
  /** Records that somebody wrote in a change request. */
  readonly recordContribution?: (userId: UserId) => Promise<unknown>
}

/** Returns the comments with these ids in their order; throws 400 for one that does not exist. */
export async function getSuggestions(
  tx: Tx,
  content: ContentContext,
  ids: readonly string[],
): Promise<CommentRow[]> {
  const found = new Map((await findComments(tx, content, ids as CommentId[])).map((row) => [row.id, row]))
  return [...new Set(ids)].map((id) => {
    const row = found.get(id as CommentId)
    if (row === undefined) throw new ApiError('invalid_reference', { member: 'comments', thing: 'a comment' })
    return row
  })
}

interface PlannedPage {
  readonly page: PageId
  readonly before: Hash
  readonly text: string
  readonly changes: { readonly comment: CommentId; readonly splices: readonly Splice[] }[]
}

/** Writes the revision and resolves the comments; `content` is the head of what may be edited. */
export async function applySuggestions(
  tx: Tx,
  content: ContentContext,
  rows: readonly CommentRow[],
  { actor, now, services, recordContribution }: ApplyRequest,
): Promise<{ readonly content: ContentContext; readonly rows: readonly CommentRow[] }> {
  const { organizationId, spaceId, changeRequestId } = content
  const pages = await planPages(tx, content, rows, services)
  const source: ContentSource = { db: tx, services, organizationId, spaceId }
  const sink = createSink(organizationId, services.objects)
  const describe = describeThrough(services.caches, sink, createPageParser(services).page)
  const edits = pages.map(({ page, text, changes }) => {
    const splices = changes
      .flatMap((one) => one.splices)
      .toSorted((a, b) => a.start - b.start || a.end - b.end)
    return { page, splices, text: applySplices(text, splices) }
  })
  const updates = edits.map(({ page, text }) => ({ kind: 'update-page' as const, page, text }))
  const { snapshot } = await runWith(
    source,
    sink,
    editSnapshot(content.writtenRevision.snapshot, updates, { sink, describe, now }),
  )
  const authors = [...new Set(rows.map((row) => row.posted_by))]
  const revision = await commit(tx, content, {
    type: 'edits',
    snapshot,
    sink,
    userId: actor.userId,
    now,
    message: await messageOf(tx, content, authors, rows.length),
    async alongside({ id }) {
      await Promise.all(
        pages.map(({ page, before, text, changes }, at) => {
          const { splices, text: after } = edits[at]!
          return insertTextEdit(
            tx,
            { organizationId, spaceId, changeRequestId, pageId: page },
            {
              client: `suggestion ${changes[0]!.comment}`,
              seq: 0,
              before,
              after: hashOfText(after),
              splices,
              inverse: invertSplices(text, splices),
              request: '',
              answer: JSON.stringify({ revision: id }),
              now,
            },
          )
        }),
      )
    },
  })
  for (const user of new Set([actor.userId, ...authors])) await recordContribution?.(user)
  const applied: CommentRow[] = []
  for (const row of rows) {
    await countOpen(tx, row, -1)
    applied.push(
      await updateComment(tx, row, {
        resolved_at: now,
        resolved_by: actor.userId,
        applied_at: now,
        applied_by: actor.userId,
        applied_revision_id: revision.id,
      }),
    )
  }
  cacheWrittenRevision(services, revision)
  return { content: { ...content, revision, writtenRevision: revision }, rows: applied }
}

/** Returns what each page becomes; throws 409 for a suggestion that is settled or no longer fits. */
async function planPages(
  tx: Tx,
  content: ContentContext,
  rows: readonly CommentRow[],
  services: Services,
): Promise<readonly PlannedPage[]> {
  const targets = await findTargets(tx, content, rows, services)
  const pages = new Map<PageId, PlannedPage>()
  for (const [at, row] of rows.entries()) {
    const target = targets[at]!
    const hash = requireOpen(row, target)
    const { page, node, words } = target
    const place = { block: { key: node!, words: '' }, range: words!.range! }
    const replacement = row.suggestion!
    const splices = await splicesOf(content, hash, { place, replacement }, services)
    if (splices === undefined) throw outdated(row, 'the Markdown around the words has changed')
    const [text = ''] = await content.run(loadTexts([hash]))
    const planned = pages.get(page!.id) ?? { page: page!.id, before: hash, text, changes: [] }
    const others = planned.changes.flatMap((one) => one.splices)
    if (splices.some((one) => others.some((other) => one.start <= other.end && other.start <= one.end)))
      throw outdated(row, 'another one of this request replaces the same words')
    planned.changes.push({ comment: row.id, splices })
    pages.set(page!.id, planned)
  }
  return [...pages.values()]
}

/** Returns the hash of the text that the suggestion is for. */
function requireOpen(row: CommentRow, { page, words, isOutdated }: CommentTarget): Hash {
  if (row.suggestion === null) {
    const problem = `The comment "${row.id}" has no suggestion that could be applied.`
    throw new ApiError('invalid_request', { problem })
  }
  const status = suggestionStatus(row, words)
  if (status === 'applied' || status === 'dismissed')
    throw new ApiError('suggestion_settled', { comment: row.id, status })
  if (isOutdated || page?.type !== 'document' || page.text === undefined)
    throw outdated(row, 'its page or block was deleted')
  if (status === 'outdated') {
    const problem =
      words?.range === undefined ? 'the words were removed' : `the words are "${words.words}" now`
    throw outdated(row, problem)
  }
  return page.text
}

function outdated(row: CommentRow, problem: string): ApiError {
  return new ApiError('suggestion_outdated', { comment: row.id, problem })
}

/** Names at most this many authors. */
const maxNames = 5

async function messageOf(
  tx: Tx,
  { organizationId }: ContentContext,
  authors: readonly UserId[],
  count: number,
): Promise<string> {
  const people = await findPeopleOf(tx, organizationId, authors.slice(0, maxNames))
  const names = authors.slice(0, maxNames).map((id) => people.get(id)!.display_name)
  const others = authors.length > maxNames ? ' and others' : ''
  return `Apply ${count === 1 ? 'a suggestion' : `${count} suggestions`} by ${names.join(', ')}${others}`
}
