/** Space translation endpoints: translators, guidance, translated spaces, runs and XLIFF. */
import type { PageId } from '../../core/ids.js'
import { download, nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/space-translations.js'
import { scheduleCollection } from '../../store/collect/gc-triggers.js'
import type { Db } from '../../store/db/database.js'
import { inOrganization } from '../organizations/scope.js'
import { canAdminister } from '../spaces/scope.js'
import { type SpaceRow, findSpace, headOf } from '../spaces/store.js'
import { createTranslatedSpace } from './create.js'
import {
  type SpaceTranslationRow,
  countUntranslated,
  deleteSpaceTranslation,
  listSpaceTranslations,
  updateSpaceTranslation,
} from './space-translation-store.js'
import { readGuidance } from './guidance.js'
import { presentSpaceTranslation, presentTranslator } from './present-space-translation.js'
import { requestRun } from './run.js'
import { inTranslation } from './scope.js'
import {
  type SpaceTranslationContext,
  atSpaceTranslation,
  inSpaceTranslation,
  inTranslatedPage,
} from './space-translation-scope.js'
import { updateTranslation } from './store.js'
import { deleteTranslatorRow, findTranslator, putTranslatorRow, sealKey } from './translators.js'
import {
  type TranslationContents,
  headContent,
  listTranslatedPages,
  openTranslationContents,
  getTranslatedPage,
} from './translated-pages.js'
import { planXliffImport, applyXliff, exportXliff } from './xliff.js'

const maxListedRefusals = 100

async function present(
  db: Db,
  { addresses }: Services,
  row: SpaceTranslationRow,
  source: SpaceRow,
  mayEdit: boolean,
) {
  const open = await countUntranslated(db, row)
  return presentSpaceTranslation(addresses, row, { sourceHead: headOf(source), mayEdit, open })
}

interface SpaceTranslationRequest {
  readonly space: { readonly row: SpaceRow }
  readonly spaceTranslation: SpaceTranslationContext
}

function contentsOf(
  db: Db,
  services: Services,
  { space, spaceTranslation }: SpaceTranslationRequest,
): Promise<TranslationContents> {
  const { row, source } = spaceTranslation
  return openTranslationContents(db, services, { row, source: source.row, space: space.row })
}

export const spaceTranslationRoutes: readonly Route[] = [
  route(operations.getTranslator, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ db, organization, services: { addresses } }) => {
      const row = await findTranslator(db, organization.row.id)
      if (row === undefined) throw new ApiError('not_found', { thing: 'translator' })
      return presentTranslator(addresses, row)
    },
  }),

  route(operations.putTranslator, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ tx, organization, body, services, now }) => {
      const { endpoint, model, key, charactersPerRun } = body
      const { protocol, username, password, search, hash } = new URL(endpoint)
      if (!/^https?:$/.test(protocol) || username !== '' || password !== '' || search !== '' || hash !== '')
        throw new ApiError('invalid_request', {
          problem:
            'The member "endpoint" must be the base of an API, with http or https, and without user, query and fragment.',
        })
      const holder = { organization_id: organization.row.id, endpoint }
      const before = await findTranslator(tx, organization.row.id)
      // A key that was set for one endpoint is never sent to another.
      const sealedKey = before?.endpoint === endpoint ? before.sealed_key : null
      const row = await putTranslatorRow(tx, {
        ...holder,
        model,
        sealed_key: key === undefined ? sealedKey : sealKey(services, holder, key),
        characters_per_run:
          charactersPerRun ?? before?.characters_per_run ?? operations.defaultCharactersPerRun,
        updated_at: now,
      })
      return presentTranslator(services.addresses, row)
    },
  }),

  route(operations.deleteTranslator, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ tx, organization }) => {
      if ((await findTranslator(tx, organization.row.id)) === undefined) return nothingRemoved
      return deleteTranslatorRow(tx, organization.row.id)
    },
  }),

  route(operations.getGuidance, {
    at: inTranslation,
    allow: 'view',
    handle: async ({ translation }) => readGuidance(translation),
  }),

  route(operations.putGuidance, {
    at: inTranslation,
    allow: 'administer',
    handle: async ({ tx, translation, body: { instructions, glossary }, now }) =>
      readGuidance(
        await updateTranslation(tx, translation, {
          instructions: instructions === undefined || instructions === '' ? null : instructions,
          glossary: glossary === undefined || glossary.length === 0 ? null : JSON.stringify(glossary),
          updated_at: now,
        }),
      ),
  }),

  route(operations.listSpaceTranslations, {
    at: inTranslation,
    allow: 'administer',
    handle: async ({ db, translation, query, services }) => {
      const { items, ...page } = await listSpaceTranslations(db, translation, query)
      const presented: operations.SpaceTranslation[] = []
      for (const row of items) {
        const source = await findSpace(db, row.organization_id, row.source_space_id)
        presented.push(await present(db, services, row, source!, true))
      }
      return { ...page, items: presented }
    },
  }),

  route(operations.createSpaceTranslation, {
    at: inTranslation,
    allow: 'administer',
    handle: async ({ tx, translation, body, actor, now, services }) => {
      const row = await createTranslatedSpace(tx, translation, body, { actor, now, services })
      const source = await findSpace(tx, row.organization_id, row.source_space_id)
      return present(tx, services, row, source!, true)
    },
  }),

  route(operations.getSpaceTranslation, {
    at: inSpaceTranslation,
    allow: 'view',
    handle: async ({ db, space, spaceTranslation: { row, source }, services }) =>
      present(db, services, row, source.row, canAdminister(space.level)),
  }),

  route(operations.updateSpaceTranslation, {
    at: inSpaceTranslation,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, spaceTranslation: { row, source }, body: { follows }, now, services }) => {
      if (follows === undefined || follows === (row.follows === 1))
        return present(tx, services, row, source.row, true)
      const changed = await updateSpaceTranslation(tx, row, { follows: follows ? 1 : 0, updated_at: now })
      return present(tx, services, changed, source.row, true)
    },
  }),

  route(operations.deleteSpaceTranslation, {
    at: atSpaceTranslation,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, spaceTranslation, now }) => {
      if (spaceTranslation === undefined) return nothingRemoved
      await deleteSpaceTranslation(tx, spaceTranslation.row)
      return scheduleCollection(tx, spaceTranslation.row.organization_id, now)
    },
  }),

  route(operations.runSpaceTranslation, {
    at: inSpaceTranslation,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, actor: { userId }, spaceTranslation: { row, source }, body, now, services }) => {
      const again = body?.again
      const requested = await requestRun(tx, row, { userId, now, ...(again !== undefined && { again }) })
      return present(tx, services, requested, source.row, true)
    },
  }),

  route(operations.cancelSpaceTranslation, {
    at: inSpaceTranslation,
    allow: 'administer',
    locks: 'organization',
    handle: async ({ tx, spaceTranslation: { row, source }, now, services }) => {
      const isActive = row.state === 'pending' || row.state === 'running'
      const change = { state: 'canceled', ended_at: now, updated_at: now } as const
      const ended = isActive ? await updateSpaceTranslation(tx, row, change) : row
      return present(tx, services, ended, source.row, true)
    },
  }),

  route(operations.listTranslatedPages, {
    at: inSpaceTranslation,
    allow: 'view',
    handle: async ({ db, query, services, ...context }) =>
      listTranslatedPages(await contentsOf(db, services, context), query),
  }),

  route(operations.getTranslatedPage, {
    at: inTranslatedPage,
    allow: 'view',
    handle: async ({ db, services, pageId, ...context }) => {
      const page = await getTranslatedPage(await contentsOf(db, services, context), pageId as PageId)
      if (page === undefined) throw new ApiError('not_found', { thing: 'page' })
      return page
    },
  }),

  route(operations.exportXliff, {
    at: inSpaceTranslation,
    allow: 'view',
    handle: async ({ space, spaceTranslation: { row, source }, query, services }) => {
      const db = services.database.read
      const content = await headContent(db, services, source.row)
      return download(`${space.row.title}.xlf`, exportXliff(db, row, content, query))
    },
  }),

  route(operations.importXliff, {
    at: inSpaceTranslation,
    allow: 'administer',
    async handleLong({ spaceTranslation, body: { xliff }, actor: { userId }, services, now, commit }) {
      const db = services.database.read
      const content = await headContent(db, services, spaceTranslation.source.row)
      const plan = await planXliffImport(db, spaceTranslation.row, content, xliff)
      return commit(async ({ tx, spaceTranslation: { row } }) => {
        if (plan.rows.length > 0) {
          await applyXliff(tx, row, plan)
          await requestRun(tx, row, { userId, now })
        }
        return {
          taken: plan.rows.length,
          unchanged: plan.unchanged,
          unknown: plan.unknown,
          refused: plan.refused.slice(0, maxListedRefusals),
          refusedCount: plan.refused.length,
        }
      })
    },
  }),
]
