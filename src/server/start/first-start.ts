/**
 * First start on empty data: creates one organization, one admin, one token, and a sign-in link for an admin without a
 * password. Secrets are printed once, unless the settings contain them.
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
  /** Secret of a link that signs the admin in, once; undefined when the password is in the settings. */
  readonly signInLink: string | undefined
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
    const { adminPassword } = settings
    if (adminPassword !== undefined) await setPassword(tx, userId, adminPassword, now)
    const { row } = await createOrganization(tx, userId, { title: 'My organization', hostname: 'docs' }, now)
    const token = settings.adminToken ?? newApiToken()
    await insertToken(tx, { userId, token, label: 'First token', now })
    return {
      organizationId: row.id,
      userId,
      email,
      signInLink: adminPassword === undefined ? await insertSignInLink(tx, userId, now) : undefined,
      token: settings.adminToken === undefined ? token : undefined,
    }
  })
}

/** Returns what is printed on the first start: how to sign in, and the secrets that are in no setting. */
export function firstStartLines(
  { email, signInLink, token }: FirstStart,
  dataFolder: string,
  base: string,
): readonly string[] {
  const renewals = [
    ...(signInLink === undefined ? [] : [`npx octavo user sign-in-link ${email}`]),
    ...(token === undefined ? [] : [`npx octavo token create ${email}`]),
  ]
  return [
    `Octavo keeps its data in ${dataFolder}`,
    signInLink === undefined
      ? `Sign in as ${email} with the password of OCTAVO_ADMIN_PASSWORD:  ${base}/~octavo/sign-in`
      : `Sign in as ${email}:  ${base}/~octavo/sign-in?link=${signInLink}`,
    ...(token === undefined ? [] : [`API token:  ${token}`]),
    ...(renewals.length === 0
      ? []
      : [`This is shown once. New ones, in this folder: ${renewals.join(', ')}`]),
  ]
}
