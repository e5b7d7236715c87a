/**
 * Scope of `/spaces/:spaceId/translation`: a translated space.
 *
 * A translation is visible only to readers of its source, too: for all others the space is not a translation.
 */
import { type LoadRequest, withParam, withLoaded } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { reaches, spaceActions } from '../../access/rules/levels.js'
import { type SpaceContext, inSpace, withLevel } from '../spaces/scope.js'
import { findSpaceWithFacts } from '../spaces/store.js'
import { type SpaceTranslationRow, findSpaceTranslation } from './space-translation-store.js'

export interface SpaceTranslationContext {
  readonly row: SpaceTranslationRow
  readonly source: SpaceContext
}

async function findVisibleTranslation(
  { db, actor }: LoadRequest,
  { space }: { readonly space: SpaceContext },
): Promise<SpaceTranslationContext | undefined> {
  if (actor.reading !== undefined) return undefined
  const { organization_id: organizationId, id: spaceId } = space.row
  const row = await findSpaceTranslation(db, { organization_id: organizationId, space_id: spaceId })
  const source = row && (await findSpaceWithFacts(db, organizationId, actor.userId, row.source_space_id))
  if (row === undefined || source === undefined) return undefined
  const sourceContext = withLevel(source)
  // A source in the trash is visible to those who could restore it.
  const requiredAction = source.row.deleted_at === null ? spaceActions.view : spaceActions.administer
  return reaches(sourceContext.level, requiredAction) ? { row, source: sourceContext } : undefined
}

export const inSpaceTranslation = withLoaded(inSpace, 'spaceTranslation', async (request, resources) => {
  const found = await findVisibleTranslation(request, resources)
  if (found === undefined) throw new ApiError('not_found', { thing: 'translation' })
  return found
})

/** The same for deletion, where the translation may not exist. */
export const atSpaceTranslation = withLoaded(inSpace, 'spaceTranslation', findVisibleTranslation)

/** A page by its id, which is the same in the source and in the translation. */
export const inTranslatedPage = withParam(inSpaceTranslation, 'pageId')
