/**
 * Edit of a text by splices, for editors that save often and beside others. An edit that is sent again is found by its
 * number, and answered as it was then.
 */
import { Counter } from 'prom-client'
import { digest } from '../../core/digest.js'
import { changedBlocks } from '../../core/editing/changed-blocks.js'
import { applySplices, composeAll, invertSplices } from '../../core/editing/splice.js'
import { editWidths } from '../../core/editing/write-edits.js'
import type { Hash, RevisionId } from '../../core/ids.js'
import { EditError, editErrors } from '../../core/pages/edit-error.js'
import { editSnapshot } from '../../core/pages/edit.js'
import { type RouteResponse, continued, unchanged } from '../../access/route/responses.js'
import type { Actor } from '../../access/signin/actor.js'
import { TextConflictError } from '../../contract/edit-conflict.js'
import { ApiError } from '../../contract/errors.js'
import type { TextEdit, TextEdited } from '../../contract/page-text.js'
import { createSink } from '../../store/content/sink.js'
import { type RecordedRequest, findRequest, insertTextEdit } from '../../store/content/text-edits.js'
import type { Tx } from '../../store/db/database.js'
import { commit, isContinued } from './commit.js'
import { type ContentContext, type ContentSource, cacheWrittenRevision, runWith } from './content.js'
import { describeThrough } from './describe.js'
import { findTextBase } from './edit-base.js'
import { createPageParser } from './page-text.js'
import { type TextEditInput, blocksReply, planTextEdit, readPageOfEdit } from './plan-text-edit.js'

/** Edits by what became of them. */
export const textEdits = new Counter({
  name: 'octavo_text_edits_total',
  help: 'Edits of texts by splices: made on the current text, rebased over edits of others, merged, or refused.',
  labelNames: ['result'],
  registers: [],
})
/** What editors meant, compared with what the text says. */
export const verifiedTextEdits = new Counter({
  name: 'octavo_text_edits_verified_total',
  help: 'Edits of texts that were compared with the document that is meant, by how much was written anew.',
  labelNames: ['width'],
  registers: [],
})

type EditRequest = Pick<TextEditInput, 'pageId' | 'now' | 'services'> & {
  readonly body: TextEdit
  readonly actor: Actor
  /** Records that the actor wrote in a change request. */
  readonly recordContribution?: () => Promise<unknown>
}

/**
 * Makes an edit of the content under the lock of its space; throws 400, 404, 409 or 413 for one that cannot be made.
 *
 * It is planned in the transaction too: planned before, it would be planned again whenever another writer of the space was
 * faster, and all that it depends on would be read twice.
 */
export async function editText(
  tx: Tx,
  content: ContentContext,
  { pageId, body: edit, now, services, ...writer }: EditRequest,
): Promise<TextEdited | RouteResponse> {
  const input = { pageId, edit, now, services, parser: createPageParser(services) }
  try {
    return await writeEdit(tx, content, input, writer)
  } catch (error) {
    if (error instanceof TextConflictError) textEdits.labels(error.errorName).inc()
    throw error
  }
}

async function writeEdit(
  tx: Tx,
  content: ContentContext,
  input: TextEditInput,
  { actor, recordContribution }: Pick<EditRequest, 'actor' | 'recordContribution'>,
): Promise<TextEdited | RouteResponse> {
  const { pageId, edit, now, services, parser } = input
  const { organizationId, spaceId, changeRequestId } = content
  const source: ContentSource = { db: tx, services, organizationId, spaceId }
  const line = { organizationId, spaceId, changeRequestId, pageId }
  const request = { client: `${actor.userId} ${edit.client}`, seq: edit.seq }
  const known = await findRequest(tx, line, request)
  if (known !== undefined) return repeatAnswer(source, content, input, known)
  const { snapshot } = content.writtenRevision
  const plan = await planTextEdit(source, content, input)
  const isUnchanged = plan.before === plan.after
  textEdits.labels(isUnchanged ? 'unchanged' : plan.mergePath).inc()
  if (edit.canonical !== undefined) {
    const { width } = plan.reply
    verifiedTextEdits.labels(width === undefined ? 'source' : editWidths[width]!).inc()
  }
  if (isUnchanged) {
    const reply = { ...plan.reply, revision: content.writtenRevision.id }
    return unchanged(reply)
  }
  const sink = plan.merged?.sink ?? createSink(organizationId, services.objects)
  const describe = describeThrough(services.caches, sink, parser.page)
  const update = [{ kind: 'update-page' as const, page: pageId, text: plan.text }]
  const edited =
    plan.merged ??
    (await refuseEditErrors(() =>
      runWith(source, sink, editSnapshot(snapshot, update, { sink, describe, now })),
    ))
  const { path, came, width, asSource } = plan.reply
  const revision = await commit(tx, content, {
    type: 'edits',
    snapshot: edited.snapshot,
    sink,
    userId: actor.userId,
    now,
    save: actor,
    async alongside({ id }) {
      const answer: RepeatedAnswer = {
        revision: id,
        path,
        ...(came.length > 0 && { came }),
        ...(width !== undefined && { width }),
        ...(asSource && { asSource }),
      }
      const row = insertTextEdit(tx, line, {
        ...request,
        before: plan.before,
        after: plan.after,
        splices: plan.splices,
        inverse: invertSplices(plan.currentText, plan.splices),
        request: digestOf(edit),
        answer: JSON.stringify(answer),
        now,
      })
      await Promise.all([row, recordContribution?.()])
    },
  })
  cacheWrittenRevision(services, revision)
  const reply = { ...plan.reply, revision: revision.id }
  return isContinued(content, revision, actor) ? continued(reply) : reply
}

/** Answers a request that was answered before; its blocks are made again from the texts. */
async function repeatAnswer(
  source: ContentSource,
  content: ContentContext,
  { pageId, edit, parser }: TextEditInput,
  known: RecordedRequest,
): Promise<TextEdited | RouteResponse> {
  if (known.request !== digestOf(edit)) throw new ApiError('seq_taken')
  textEdits.labels('repeated').inc()
  const answer = JSON.parse(known.answer) as RepeatedAnswer
  const current = await readPageOfEdit(content, pageId)
  const base = await findTextBase(source, content, current, edit.base as Hash)
  const edits = base?.edits.filter(({ number }) => number <= known.number) ?? []
  const splices = composeAll(edits.map((one) => one.splices))
  const isKnown = base !== undefined && edits.at(-1)?.number === known.number
  const reply = {
    hash: known.after,
    came: [],
    ...answer,
    ...(isKnown &&
      blocksReply(
        changedBlocks(
          parser.document(base.text, edit.base as Hash),
          parser.document(applySplices(base.text, splices), known.after),
          splices,
        ),
      )),
  }
  return unchanged(reply)
}

/** What is stored of an answer: the rest follows from the texts. */
type RepeatedAnswer = Pick<TextEdited, 'path' | 'width' | 'asSource'> & {
  readonly revision: RevisionId
  readonly came?: TextEdited['came']
}

function digestOf({ base, splices, wider, canonical }: TextEdit): string {
  return digest(JSON.stringify([base, splices, wider, canonical]))
}

async function refuseEditErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EditError)) throw error
    throw new ApiError('invalid_request', { problem: editErrors[error.refusal] })
  }
}
