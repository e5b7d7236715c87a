/**
 * First start on empty data: creates one organization, one admin, one sign-in link and one token. Secrets
 * are printed once, unless the settings contain them.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import { insertSignInLink } from '../../access/signin/sessions.js'
import { newApiToken } from '../../access/signin/secrets.js'
import { setPassword } from '../../access/signin/passwords.js'
import { markEmailVerified } from '../../access/signin/verified-email.js'
import { insertToken } from '../../access/signin/tokens.js'
import { createOrganization } from '../../resources/organizations/create.js'
import { hasUsers, insertUser } from '../../resources/users/store.js'
import type { Database } from '../../store/db/database.js'
import type { Settings } from '../settings/settings.js'

export interface FirstStart {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly email: string
  /** Secret of a link that signs the admin in, once. */
  readonly signInLink: string
  /** Undefined when it is in the settings. */
  readonly token: string | undefined
}

/** Creates the organization and its admin when there is no user yet; returns undefined on every later start. */
export async function prepareFirstStart(
  database: Database,
  settings: Settings,
  now: number,
): Promise<FirstStart | undefined> {
  return database.write(async (tx) => {
    // Inside the transaction: of two processes that start together, one finds the other's admin.
    if (await hasUsers(tx)) return undefined
    const userId = newId<UserId>()
    const email = settings.adminEmail ?? 'admin@localhost'
    await insertUser(tx, { id: userId, displayName: email.split('@')[0]!, email, now })
    await markEmailVerified(tx, userId, now)
    if (settings.adminPassword !== undefined) await setPassword(tx, userId, settings.adminPassword, now)
    const { row } = await createOrganization(tx, userId, { title: 'My organization', hostname: 'docs' }, now)
    const token = settings.adminToken ?? newApiToken()
    await insertToken(tx, { userId, token, label: 'First token', now })
    return {
      organizationId: row.id,
      userId,
      email,
      signInLink: await insertSignInLink(tx, userId, now),
      token: settings.adminToken === undefined ? token : undefined,
    }
  })
}
