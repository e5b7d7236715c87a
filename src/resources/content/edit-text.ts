/**
 * Edit of a text by splices, for editors that save often and beside others: planned and parsed before the transaction,
 * written under the lock of the space. There the plan is used if the content is what it was made for, and made again
 * otherwise. An edit that is sent again is found by its number, and answered as it was then.
 */
import { Counter } from 'prom-client'
import { digest } from '../../core/digest.js'
import { changedBlocks } from '../../core/editing/changed-blocks.js'
import { applySplices, composeAll, invertSplices } from '../../core/editing/splice.js'
import { editWidths } from '../../core/editing/write-edits.js'
import type { Hash, RevisionId } from '../../core/ids.js'
import { sameSnapshot } from '../../core/pages/build.js'
import { EditError, editErrors } from '../../core/pages/edit-error.js'
import { editSnapshot } from '../../core/pages/edit.js'
import { type RouteResponse, continued, unchanged } from '../../access/route/responses.js'
import type { Actor } from '../../access/signin/actor.js'
import { TextConflictError } from '../../contract/edit-conflict.js'
import { ApiError } from '../../contract/errors.js'
import type { TextEdit, TextEdited } from '../../contract/page-text.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import { createSink } from '../../store/content/sink.js'
import { type RecordedRequest, findRequest, insertTextEdit } from '../../store/content/text-edits.js'
import type { Db, Tx } from '../../store/db/database.js'
import { commit, isContinued } from './commit.js'
import { type ContentContext, type ContentSource, runWith } from './content.js'
import { describeThrough } from './describe.js'
import { findTextBase } from './edit-base.js'
import { createPageParser } from './page-text.js'
import {
  type MergePath,
  type PlannedTextEdit,
  type TextEditInput,
  blocksReply,
  planTextEdit,
  readPageOfEdit,
} from './plan-text-edit.js'

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

type EditResult = MergePath | 'unchanged' | 'repeated'

/** What an edit wrote, and whether it wrote. */
export interface WrittenEdit {
  readonly reply: TextEdited | RouteResponse
  readonly isChanged: boolean
}

/** The branch that is edited. */
interface TextBranch {
  /** Returns its content outside of a transaction. */
  read(): Promise<ContentContext>
  /** Runs the work on its content under the lock of the space, and returns the reply. */
  commit(work: (tx: Tx, content: ContentContext) => Promise<WrittenEdit>): Promise<WrittenEdit['reply']>
}

type EditRequest = Pick<TextEditInput, 'pageId' | 'now' | 'services'> & {
  readonly body: TextEdit
  readonly actor: Actor
}

/** Makes an edit and returns the reply; throws 400, 404, 409 or 413 for one that cannot be made. */
export async function editText(
  { pageId, body: edit, actor, now, services }: EditRequest,
  branch: TextBranch,
): Promise<WrittenEdit['reply']> {
  const parser = createPageParser(services)
  const writer = new TextEditWriter({ pageId, edit, now, services, parser }, actor)
  try {
    await writer.planAhead(await branch.read())
    const reply = await branch.commit((tx, content) => writer.write(tx, content))
    writer.count()
    return reply
  } catch (error) {
    if (error instanceof TextConflictError) textEdits.labels(error.errorName).inc()
    throw error
  }
}

class TextEditWriter {
  private plan: PlannedTextEdit | undefined
  private result: EditResult | undefined
  private width: number | undefined

  constructor(
    private readonly input: TextEditInput,
    private readonly actor: Actor,
  ) {}

  /** Plans the edit without a lock. Whatever is refused here may be right under the lock: rows are read one by one. */
  async planAhead(content: ContentContext): Promise<void> {
    try {
      this.plan = await planTextEdit(
        this.sourceOf(content, this.input.services.database.read),
        content,
        this.input,
      )
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ContentDamaged)) throw error
    }
  }

  async write(tx: Tx, content: ContentContext): Promise<WrittenEdit> {
    const { input, actor } = this
    const { pageId, edit, now, services, parser } = input
    const source = this.sourceOf(content, tx)
    const { organizationId, spaceId, changeRequestId } = content
    const line = { organizationId, spaceId, changeRequestId, pageId }
    const request = { client: `${actor.userId} ${edit.client}`, seq: edit.seq }
    const known = await findRequest(tx, line, request)
    if (known !== undefined) return this.repeat(source, content, known)
    const { snapshot } = content.writtenRevision
    if (this.plan === undefined || !sameSnapshot(this.plan.snapshot, snapshot))
      this.plan = await planTextEdit(source, content, input)
    const { plan } = this
    this.width = plan.reply.width
    if (plan.before === plan.after) {
      this.result = 'unchanged'
      const reply = { ...plan.reply, revision: content.writtenRevision.id }
      return { reply: unchanged(reply), isChanged: false }
    }
    this.result = plan.mergePath
    const sink = plan.merged?.sink ?? createSink(organizationId, services.objects)
    const describe = describeThrough(services.caches, sink, parser.page)
    const update = [{ kind: 'update-page' as const, page: pageId, text: plan.text }]
    const edited =
      plan.merged ??
      (await refuseEditErrors(() =>
        runWith(source, sink, editSnapshot(snapshot, update, { sink, describe, now })),
      ))
    const revision = await commit(tx, content, {
      type: 'edits',
      snapshot: edited.snapshot,
      sink,
      userId: actor.userId,
      now,
      save: actor,
    })
    const { path, came, width, asSource } = plan.reply
    const answer: RepeatedAnswer = {
      revision: revision.id,
      path,
      ...(came.length > 0 && { came }),
      ...(width !== undefined && { width }),
      ...(asSource && { asSource }),
    }
    await insertTextEdit(tx, line, {
      ...request,
      before: plan.before,
      after: plan.after,
      splices: plan.splices,
      inverse: invertSplices(plan.currentText, plan.splices),
      request: digestOf(edit),
      answer: JSON.stringify(answer),
      now,
    })
    const reply = { ...plan.reply, revision: revision.id }
    return { reply: isContinued(content, revision, actor) ? continued(reply) : reply, isChanged: true }
  }

  count(): void {
    textEdits.labels(this.result!).inc()
    if (this.input.edit.canonical !== undefined && this.result !== 'repeated')
      verifiedTextEdits.labels(this.width === undefined ? 'source' : editWidths[this.width]!).inc()
  }

  /** Answers a request that was answered before; its blocks are made again from the texts. */
  private async repeat(
    source: ContentSource,
    content: ContentContext,
    known: RecordedRequest,
  ): Promise<WrittenEdit> {
    const { pageId, edit, parser } = this.input
    if (known.request !== digestOf(edit)) throw new ApiError('seq_taken')
    this.result = 'repeated'
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
    return { reply: unchanged(reply), isChanged: false }
  }

  private sourceOf({ organizationId, spaceId }: ContentContext, db: Db): ContentSource {
    return { db, services: this.input.services, organizationId, spaceId }
  }
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
