/**
 * Log of recent edits of texts, as splices: one line for each page of a branch, numbered in the order of its commits.
 *
 * An edit names the text before and the text after it by their hashes. Edits are a chain as long as each begins with the
 * text that the one before ended with; a whole text that is written in between (a batch of changes, a merge, an import)
 * breaks it, without a row of its own. Each edit has its inverse, so that a former text follows from a later one and
 * needs no copy. Expired rows are deleted by `collect/expired.ts`.
 */
import type { Splice } from '../../core/editing/splice.js'
import type { ChangeRequestId, Hash, OrganizationId, PageId, SpaceId } from '../../core/ids.js'
import type { Milliseconds } from '../db/columns.js'
import type { Db, Tx } from '../db/database.js'
import { prepared } from '../db/prepared.js'
import type { Row } from '../db/tables.js'

/** A page on the branch of a space, or of a change request. */
export interface TextLine {
  readonly organizationId: OrganizationId
  readonly spaceId: SpaceId
  readonly changeRequestId: ChangeRequestId | null
  readonly pageId: PageId
}

/** A request of a client, which may be sent again. */
export interface ClientRequest {
  /** Name of the client, together with its user. */
  readonly client: string
  readonly seq: number
}

export interface TextEditRow {
  readonly number: number
  readonly before: Hash
  readonly after: Hash
  readonly splices: readonly Splice[]
  /** Splices of the text after it that give the text before it. */
  readonly inverse: readonly Splice[]
}

export interface RecordedRequest {
  readonly number: number
  readonly after: Hash
  /** Digest of the request. */
  readonly request: string
  /** JSON of the answer, without what follows from the texts. */
  readonly answer: string
}

/** Edits that one base may be behind: those of twenty writers in some minutes. */
const maxEdits = 2_000
const [firstRows, moreRows] = [20, 500]

function ofLine(db: Db, line: TextLine) {
  return db
    .selectFrom('text_edits')
    .where('organization_id', '=', line.organizationId)
    .where('space_id', '=', line.spaceId)
    .where('line', '=', nameOf(line))
}

function nameOf({ changeRequestId, pageId }: TextLine): string {
  return `${changeRequestId ?? ''}/${pageId}`
}

/** Returns the chain of edits that begins with a text, as far as it goes; empty when no recent edit does. */
export async function listEditsSince(db: Db, line: TextLine, base: Hash): Promise<readonly TextEditRow[]> {
  const edits: TextEditRow[] = []
  for (let limit = firstRows; edits.length < maxEdits; limit = moreRows) {
    const last = edits.at(-1)?.number
    const rows = await ofLine(db, line)
      .select(['number', 'before_hash', 'after_hash', 'splices', 'inverse'])
      .$if(last !== undefined, (query) => query.where('number', '<', last!))
      .orderBy('number', 'desc')
      .limit(limit)
      .execute()
    for (const row of rows) {
      edits.push(toEdit(row))
      if (row.before_hash === base) return chainFrom(edits.toReversed())
    }
    if (rows.length < limit) break
  }
  return []
}

function chainFrom(edits: readonly TextEditRow[]): readonly TextEditRow[] {
  const broken = edits.findIndex(({ before }, index) => index > 0 && before !== edits[index - 1]!.after)
  return broken < 0 ? edits : edits.slice(0, broken)
}

/** Returns whether there are recent edits of a page. */
export async function hasEdits(db: Db, line: TextLine): Promise<boolean> {
  return (await ofLine(db, line).select('number').limit(1).executeTakeFirst()) !== undefined
}

interface LineValues {
  readonly organization: OrganizationId
  readonly space: SpaceId
  readonly line: string
}

const valuesOf = (line: TextLine): LineValues => {
  return { organization: line.organizationId, space: line.spaceId, line: nameOf(line) }
}

const selectRequest = prepared<LineValues & ClientRequest>()(
  (db, { organization, space, line, client, seq }) =>
    db
      .selectFrom('text_edits')
      .select(['number', 'after_hash', 'request', 'answer'])
      .where('organization_id', '=', organization)
      .where('space_id', '=', space)
      .where('line', '=', line)
      .where('client', '=', client)
      .where('client_seq', '=', seq),
)

/** Returns what was answered to a request of a client. */
export async function findRequest(
  db: Db,
  line: TextLine,
  { client, seq }: ClientRequest,
): Promise<RecordedRequest | undefined> {
  const { rows } = await selectRequest(db, { ...valuesOf(line), client, seq })
  const [row] = rows
  return row && { number: row.number, after: row.after_hash, request: row.request, answer: row.answer }
}

interface NewEdit extends ClientRequest, Omit<RecordedRequest, 'number'> {
  readonly before: Hash
  readonly splices: string
  readonly inverse: string
  readonly now: Milliseconds
}

/** The number follows the last one of the line. */
const insertEdit = prepared<LineValues & NewEdit>()((db, values) =>
  db.insertInto('text_edits').values(({ selectFrom, fn, lit }) => ({
    organization_id: values.organization,
    space_id: values.space,
    line: values.line,
    number: selectFrom('text_edits')
      .select(({ eb }) => eb(fn.coalesce(fn.max('number'), lit(0)), '+', lit(1)).as('next'))
      .where('organization_id', '=', values.organization)
      .where('space_id', '=', values.space)
      .where('line', '=', values.line),
    before_hash: values.before,
    after_hash: values.after,
    splices: values.splices,
    inverse: values.inverse,
    client: values.client,
    client_seq: values.seq,
    request: values.request,
    answer: values.answer,
    created_at: values.now,
  })),
)

/** Adds an edit; the caller has locked the space. */
export async function insertTextEdit(
  tx: Tx,
  line: TextLine,
  edit: Omit<NewEdit, 'splices' | 'inverse'> & Pick<TextEditRow, 'splices' | 'inverse'>,
): Promise<void> {
  const [splices, inverse] = [encodeSplices(edit.splices), encodeSplices(edit.inverse)]
  await insertEdit(tx, { ...edit, ...valuesOf(line), splices, inverse })
}

function toEdit(
  row: Pick<Row<'text_edits'>, 'number' | 'before_hash' | 'after_hash' | 'splices' | 'inverse'>,
): TextEditRow {
  return {
    number: row.number,
    before: row.before_hash,
    after: row.after_hash,
    splices: decodeSplices(row.splices),
    inverse: decodeSplices(row.inverse),
  }
}

/** `[start, end, text]`: half the bytes of objects. */
function encodeSplices(splices: readonly Splice[]): string {
  return JSON.stringify(splices.map(({ start, end, text }) => [start, end, text]))
}

function decodeSplices(json: string): readonly Splice[] {
  return (JSON.parse(json) as [number, number, string][]).map(([start, end, text]) => ({ start, end, text }))
}
