/** Translation settings endpoints: members of the organization view them, admins change them. */
import { newId } from '../../access/ids.js'
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/translations.js'
import type { TranslationSettingsId } from '../../core/ids.js'
import { inOrganization } from '../organizations/scope.js'
import { presentTranslation } from './present.js'
import { atTranslation, inTranslation } from './scope.js'
import {
  countTranslations,
  deleteTranslation,
  insertTranslation,
  listTranslations,
  updateTranslation,
} from './store.js'

export const translationRoutes: readonly Route[] = [
  route(operations.listTranslations, {
    at: inOrganization,
    allow: 'view',
    handle: async ({ db, organization: { row, role }, query, services }) => {
      const list = await listTranslations(db, row.id, query)
      return { ...list, items: list.items.map((one) => presentTranslation(services.addresses, role, one)) }
    },
  }),

  route(operations.createTranslation, {
    at: inOrganization,
    allow: 'administer',
    handle: async ({ tx, organization: { row, role }, body, now, services }) => {
      if ((await countTranslations(tx, row.id)) >= operations.maxTranslationSettings) {
        const problem = `An organization has at most ${operations.maxTranslationSettings} translation settings: delete some first.`
        throw new ApiError('invalid_request', { problem })
      }
      const created = await insertTranslation(tx, {
        organization_id: row.id,
        id: newId<TranslationSettingsId>(),
        title: body.title,
        languages: JSON.stringify(body.languages ?? ['en']),
        created_at: now,
        updated_at: now,
      })
      return presentTranslation(services.addresses, role, created)
    },
  }),

  route(operations.getTranslation, {
    at: inTranslation,
    allow: 'view',
    handle: async ({ organization: { role }, translation, services }) =>
      presentTranslation(services.addresses, role, translation),
  }),

  route(operations.putTranslation, {
    at: inTranslation,
    allow: 'administer',
    handle: async ({
      tx,
      organization: { role },
      translation,
      body: { title, languages },
      now,
      services,
    }) => {
      const change = { title, ...(languages !== undefined && { languages: JSON.stringify(languages) }) }
      const row = await updateTranslation(tx, translation, { ...change, updated_at: now })
      return presentTranslation(services.addresses, role, row)
    },
  }),

  route(operations.deleteTranslation, {
    at: atTranslation,
    allow: 'administer',
    handle: async ({ tx, translation }) =>
      translation === undefined ? nothingRemoved : deleteTranslation(tx, translation),
  }),
]
