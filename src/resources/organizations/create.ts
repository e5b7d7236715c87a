/** Creating an organization: it gets a free hostname, and its creator becomes admin. */
import { slugify } from '../../core/pages/paths.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import { newId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import {
  type OrganizationContext,
  findOrganizationOf,
  insertMember,
  insertOrganization,
  isHostnameTaken,
  setEmailDomains,
  updateOrganizationRow,
} from './store.js'
import { trimBothOf, trimEndOf } from '../../core/trim.js'

export interface NewOrganization {
  readonly title: string
  readonly emailDomains?: readonly string[]
  readonly hostname?: string
  readonly type?: string
  readonly useCase?: string
}

export async function createOrganization(
  tx: Tx,
  userId: UserId,
  input: NewOrganization,
  now: number,
): Promise<OrganizationContext> {
  const id = newId<OrganizationId>()
  await insertOrganization(tx, {
    id,
    title: input.title,
    hostname: await freeHostname(tx, input),
    type: input.type ?? 'business',
    use_case: input.useCase ?? null,
    community_type: null,
    email_domains: '[]',
    default_role: null,
    default_content: null,
    sso: 0,
    ai: 0,
    invite_links: 1,
    logo_url: null,
    blocked_reason: null,
    created_at: now,
    updated_at: now,
  })
  if (input.emailDomains !== undefined) {
    const email_domains = await setEmailDomains(tx, id, input.emailDomains)
    await updateOrganizationRow(tx, id, { email_domains })
  }
  await insertMember(tx, { organizationId: id, userId, role: 'admin', now })
  return (await findOrganizationOf(tx, userId, id))!
}

/** A requested hostname must be free; one derived from the title gets a number until it is. */
async function freeHostname(tx: Tx, { hostname, title }: NewOrganization): Promise<string> {
  if (hostname !== undefined) {
    if (await isHostnameTaken(tx, hostname))
      throw new ApiError('already_taken', { member: 'hostname', value: hostname })
    return hostname
  }
  const stem = hostnameStem(title)
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    if (!(await isHostnameTaken(tx, candidate))) return candidate
  }
}

/** Leaves room for a number within the 32 characters that a hostname may have. */
function hostnameStem(title: string): string {
  const letters = slugify(title)
    .normalize('NFKD')
    .replace(/[^a-z0-9-]/g, '')
    .slice(0, 24)
  const plain = trimBothOf(letters, '-')
  return plain.length >= 3 ? plain : trimEndOf(`org-${plain}`, '-')
}
