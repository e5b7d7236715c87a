/** Presents a space as the API returns it. */
import { type Level, reaches, spaceActions } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Space } from '../../contract/spaces.js'
import type { FieldTexts } from '../custom-fields/store.js'
import { valueOf } from '../custom-fields/values.js'
import { readMergeRules } from '../organizations/merge-rules.js'
import { type SpaceRow, type SpaceRelations, defaultLevelOf } from './store.js'

/** The emoji of a space without one: an open book. */
export const defaultEmoji = '1f4d6'

export function presentSpace(
  addresses: Addresses,
  row: SpaceRow,
  level: Level,
  relations: SpaceRelations,
  fieldValues: readonly FieldTexts[] = [],
): Space {
  const may = (action: keyof typeof spaceActions) => reaches(level, spaceActions[action])
  const { published } = relations
  const publishedUrl =
    published &&
    addresses.site(published.hostname, published.site.basename, published.site.hostname) + published.path
  return {
    object: 'space',
    id: row.id,
    title: row.title,
    emoji: row.emoji ?? defaultEmoji,
    visibility: (published?.site.visibility ?? row.visibility) as Space['visibility'],
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    ...(row.deleted_at !== null && { deletedAt: new Date(row.deleted_at).toISOString() }),
    editMode: row.edit_mode as Space['editMode'],
    urls: {
      location: addresses.api(`/spaces/${row.id}`),
      app: addresses.app(`/s/${row.id}/`),
      ...(publishedUrl !== undefined && { published: publishedUrl }),
      ...(publishedUrl !== undefined && published?.site.visibility === 'public' && { public: publishedUrl }),
    },
    organization: row.organization_id,
    ...(row.collection_id !== null && { parent: row.collection_id }),
    ...(row.language !== null && { language: row.language }),
    ...(fieldValues.length > 0 && {
      customFields: Object.fromEntries(fieldValues.map((one) => [one.field.name, valueOf(one)])),
    }),
    revision: row.revision_id,
    defaultLevel: defaultLevelOf(row),
    comments: row.comments,
    changeRequests: row.next_change_request_number - 1,
    changeRequestsOpen: relations.open,
    changeRequestsDraft: relations.draft,
    mergeRules: readMergeRules(row.merge_rules, 'inherit'),
    permissions: {
      view: may('view'),
      access: may('view'),
      admin: may('administer'),
      viewInviteLinks: may('administer'),
      edit: may('edit'),
      triggerGitSync: may('administer'),
      installIntegration: false,
      comment: may('comment'),
      merge: may('merge'),
      review: may('review'),
    },
  }
}

/**
 * Returns the space without internal data (custom fields, counters) and its location in the organization, for readers
 * of a site. The published URL comes from the site.
 */
export function presentSpaceToReaders({
  customFields: _said,
  parent: _parent,
  urls,
  ...space
}: Space): Space {
  return {
    ...space,
    urls: { location: urls.location, app: urls.app },
    mergeRules: readMergeRules(null, 'inherit'),
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
  }
}

/** Returns code points in hexadecimal, from a character or from code points. */
export function emojiCode(emoji: string): string {
  if (/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(emoji)) return emoji.toLowerCase()
  return [...emoji].map((character) => character.codePointAt(0)!.toString(16)).join('-')
}
