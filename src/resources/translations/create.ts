/** Creates a translated space: it starts as a copy of its source, and is translated by a run. */
import type { Static } from 'typebox'
import type { SpaceId, TranslationSettingsId } from '../../core/ids.js'
import { reaches, spaceActions } from '../../access/rules/levels.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import type { createSpaceTranslation } from '../../contract/space-translations.js'
import { translationLanguages } from '../../contract/translations.js'
import type { Tx } from '../../store/db/database.js'
import type { Services } from '../../access/route/scope.js'
import { enqueueContentJobs } from '../content/content-jobs.js'
import { getContent } from '../content/content.js'
import { createSpace } from '../spaces/create.js'
import { withLevel } from '../spaces/scope.js'
import { findSpaceWithFacts, headOf, updateSpace } from '../spaces/store.js'
import {
  type SpaceTranslationRow,
  findTranslationByLanguage,
  insertSpaceTranslation,
} from './space-translation-store.js'
import { requestRun } from './run.js'
import type { TranslationRow } from './store.js'

const maxTitleLength = 50

/**
 * Returns the row of the new translation; throws 400 for an invalid source or language, 409 when the translation
 * exists.
 */
export async function createTranslatedSpace(
  tx: Tx,
  settings: TranslationRow,
  body: Static<(typeof createSpaceTranslation)['body']>,
  { actor, now, services }: { actor: Actor; now: number; services: Services },
): Promise<SpaceTranslationRow> {
  const { organization_id: organizationId } = settings
  const { userId } = actor
  const found = await findSpaceWithFacts(tx, organizationId, userId, body.source as SpaceId)
  const isVisible =
    found !== undefined && found.row.deleted_at === null && reaches(withLevel(found).level, spaceActions.view)
  if (!isVisible) throw new ApiError('invalid_reference', { member: 'source', thing: 'a space' })
  const { row: source } = found
  const sourceLanguage = body.sourceLanguage ?? supportedLanguageOf(source.language)
  if (!(JSON.parse(settings.languages) as string[]).includes(body.language))
    throw new ApiError('invalid_request', {
      problem: `The member "language" is "${body.language}", which these settings do not name: add it to them first.`,
    })
  if (body.language === sourceLanguage)
    throw new ApiError('invalid_request', { problem: 'The member "language" is that of the source.' })
  if ((await findTranslationByLanguage(tx, organizationId, source.id, body.language)) !== undefined)
    throw new ApiError('already_taken', { member: 'language', value: body.language })
  const content = await getContent({ db: tx, services, organizationId, spaceId: source.id }, headOf(source))
  const { snapshot } = content.revision
  const suffix = ` (${body.language})`
  const space = await createSpace(
    tx,
    {
      title: body.title ?? source.title.slice(0, maxTitleLength - suffix.length) + suffix,
      ...(source.emoji !== null && { emoji: source.emoji }),
      language: body.language,
    },
    { organizationId, collectionId: source.collection_id, userId, now },
    snapshot,
  )
  // Members who may not read the source by default must not read its translation.
  await updateSpace(tx, space, { default_level: source.default_level })
  await enqueueContentJobs(tx, { organizationId, spaceId: space.id, now })
  const row = await insertSpaceTranslation(tx, {
    organization_id: organizationId,
    space_id: space.id,
    source_space_id: source.id,
    settings_id: settings.id as TranslationSettingsId,
    source_language: sourceLanguage,
    language: body.language,
    follows: body.follows === false ? 0 : 1,
    source_revision_id: content.revision.id,
    machine: JSON.stringify(snapshot),
    is_whole: 1,
    state: 'pending',
    asked: 0,
    again: null,
    done: 0,
    total: 0,
    characters: 0,
    characters_ever: 0,
    problem: null,
    asked_by: userId,
    began_at: null,
    ended_at: null,
    created_at: now,
    updated_at: now,
  })
  return requestRun(tx, row, { userId, now })
}

/** Returns the language of a space if it is supported for translation, English otherwise. */
function supportedLanguageOf(language: string | null): string {
  const normalized = language?.toLowerCase() ?? 'en'
  const short = normalized.split('-')[0]!
  return [normalized, short].find((one) => translationLanguages.includes(one)) ?? 'en'
}
