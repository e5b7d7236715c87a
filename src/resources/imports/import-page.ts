/** One Markdown text becomes one more page at the end of a space; everything else stays as it is. */
import { surveyPage } from '../../core/markdown/survey.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { ImportResult } from '../../contract/imports.js'
import { ApiError } from '../../contract/errors.js'
import { decodeText } from '../../store/content/encoding.js'
import { changeContent } from '../content/change.js'
import { type ContentHere, getContent } from '../content/content.js'
import type { Tx } from '../../store/db/database.js'
import { type SpaceKey, type SpaceRow, lockSpace } from '../spaces/store.js'
import { presentImport } from './present.js'
import { maxTextBytes } from './read-tree.js'

export interface PageImport {
  readonly space: SpaceKey
  readonly bytes: Uint8Array
  /** Title of the page when the text says none. */
  readonly name: string
  readonly requireAllowed: (row: SpaceRow, content: ContentHere) => Promise<void>
  readonly services: Services
  /** Opens the transaction of the import; one of its own when left out. */
  readonly commit?: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  readonly actor: Actor
  readonly now: number
}

/** Answers the new revision and what the page's author should look at. */
export async function importPage(request: PageImport): Promise<ImportResult> {
  const {
    space,
    bytes,
    name,
    requireAllowed,
    services,
    actor,
    now,
    commit = services.database.write,
  } = request
  if (bytes.length > maxTextBytes) {
    throw new ApiError('page_too_large', { page: `"${name}"`, limit: `${maxTextBytes / 1_000_000} MB` })
  }
  const markdown = decodeText(bytes)
  const problems = surveyPage(markdown).problems.map((problem) => ({ ...problem, path: name }))
  return commit(async (tx) => {
    const row = await lockSpace(tx, space.organization_id, space.id)
    const place = { db: tx, services, organizationId: row.organization_id, spaceId: row.id }
    const content = await getContent(place, row.revision_id)
    await requireAllowed(row, content)
    const { revision } = await changeContent(tx, content, {
      changes: [{ operation: 'insert_page', title: name, document: { markdown } }],
      uploads: new Map(),
      base: content.revision.id,
      actor,
      now,
      services,
    })
    return presentImport({
      revision: revision.id,
      pages: 1,
      files: 0,
      unlisted: 0,
      leftOut: 0,
      language: undefined,
      problemCount: problems.length,
      problems,
    })
  })
}
