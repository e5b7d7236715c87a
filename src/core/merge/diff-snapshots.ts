/**
 * Snapshot diff in the API's terms: pages created, edited, moved, deleted, and the same for files and reusable
 * contents. The cost follows the changes; texts are compared by hash, so none is read.
 */
import type { PageId } from '../ids.js'
import { type Change, diff } from '../merkle/map.js'
import { runTogether } from '../merkle/steps.js'
import type { Json, Step } from '../merkle/types.js'
import type { FileRecord, NameEntry, PageRecord, Snapshot } from '../pages/types.js'
import { equal } from './decisions.js'

/** An attribute's two values; absent where the version does not have it. */
export interface AttributeChange {
  readonly before?: Json
  readonly after?: Json
}

export type Attributes = Readonly<Record<string, AttributeChange>>

export type ContentChange =
  | { readonly type: 'page_created' | 'page_deleted'; readonly page: PageRecord }
  /** `document` holds the hashes of the two texts. */
  | { readonly type: 'page_edited'; readonly page: PageRecord; readonly attributes: Attributes }
  /** A page under another parent, or at another position among its siblings: then both parents are the same. */
  | {
      readonly type: 'page_moved'
      readonly page: PageRecord
      readonly parent: { readonly before: PageId | null; readonly after: PageId | null }
    }
  | { readonly type: 'file_created' | 'file_deleted'; readonly file: FileRecord }
  | { readonly type: 'file_edited'; readonly file: FileRecord; readonly attributes: Attributes }
  /** A text that is no page: reusable contents (with `id`), variables, configuration. */
  | {
      readonly type: 'text_created' | 'text_deleted' | 'text_edited'
      readonly path: string
      readonly before?: NameEntry
      readonly after?: NameEntry
    }

/** Member of a page's record → the attribute that it is reported as. */
const pageAttributes = {
  type: 'type',
  title: 'title',
  description: 'description',
  slug: 'slug',
  text: 'document',
  cover: 'cover',
  emoji: 'emoji',
  icon: 'icon',
  hidden: 'hidden',
  layout: 'layout',
  variables: 'variables',
  tags: 'tags',
  condition: 'condition',
  linkTitle: 'linkTitle',
  url: 'target',
  source: 'source',
} as const

const fileAttributes = {
  name: 'name',
  path: 'path',
  hash: 'downloadURL',
  size: 'size',
  contentType: 'contentType',
  width: 'width',
  height: 'height',
} as const

/** Returns the changes from one snapshot to the other: pages, then files, then texts, each in key order. */
export function* diffSnapshots(before: Snapshot, after: Snapshot): Step<ContentChange[]> {
  const [pages, files, names] = yield* runTogether(
    diff(before.pages, after.pages),
    diff(before.files, after.files),
    diff(before.names, after.names),
  )
  return [...pages.flatMap(pageChanges), ...files.flatMap(fileChanges), ...names.flatMap(textChanges)]
}

function pageChanges({ before, after }: Change<PageRecord>): ContentChange[] {
  if (!before) return [{ type: 'page_created', page: after! }]
  if (!after) return [{ type: 'page_deleted', page: before }]
  const changes: ContentChange[] = []
  const attributes = pageDifference(before, after)
  if (attributes) changes.push({ type: 'page_edited', page: after, attributes })
  if (before.parent !== after.parent || before.position !== after.position) {
    changes.push({ type: 'page_moved', page: after, parent: { before: before.parent, after: after.parent } })
  }
  return changes
}

/** Returns the attributes of a page that differ between two of its versions; undefined when none does. */
export function pageDifference(before: PageRecord, after: PageRecord): Attributes | undefined {
  return changedAttributes(before, after, pageAttributes)
}

function fileChanges({ before, after }: Change<FileRecord>): ContentChange[] {
  if (!before) return [{ type: 'file_created', file: after! }]
  if (!after) return [{ type: 'file_deleted', file: before }]
  const attributes = changedAttributes(before, after, fileAttributes)
  return attributes ? [{ type: 'file_edited', file: after, attributes }] : []
}

function textChanges(change: Change<NameEntry>): ContentChange[] {
  const [before, after] = [change.before, change.after].map((entry) =>
    entry && 'text' in entry ? entry : undefined,
  )
  if (!before && !after) return []
  const type = !before ? 'text_created' : after ? 'text_edited' : 'text_deleted'
  return [{ type, path: change.key, ...(before && { before }), ...(after && { after }) }]
}

function changedAttributes(
  before: PageRecord | FileRecord,
  after: PageRecord | FileRecord,
  names: Readonly<Record<string, string>>,
): Attributes | undefined {
  const [left, right]: Readonly<Record<string, unknown>>[] = [{ ...before }, { ...after }]
  const changed = Object.entries(names).flatMap(([member, attribute]) => {
    const [beforeValue, afterValue] = [left![member], right![member]]
    if (equal(beforeValue, afterValue)) return []
    return [
      [
        attribute,
        {
          ...(beforeValue !== undefined && { before: beforeValue as Json }),
          ...(afterValue !== undefined && { after: afterValue as Json }),
        },
      ],
    ]
  })
  return changed.length > 0 ? (Object.fromEntries(changed) as Attributes) : undefined
}
