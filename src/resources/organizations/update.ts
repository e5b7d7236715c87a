/** Updating an organization's settings. */
import { ApiError } from '../../contract/errors.js'
import type { OrganizationMergeRules } from '../../contract/merge-rules.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import type { RowUpdate } from '../../store/db/tables.js'
import { writeMergeRules } from './merge-rules.js'
import {
  type OrganizationRow,
  isHostnameTaken,
  isSiteOf,
  setEmailDomains,
  updateOrganizationRow,
} from './store.js'

export interface OrganizationChange {
  readonly title?: string
  readonly emailDomains?: readonly string[]
  readonly hostname?: string
  readonly defaultRole?: Role | null
  readonly defaultContent?: { readonly type: 'site'; readonly site: string } | null
  readonly logo?: string | null
  readonly sso?: boolean
  readonly ai?: boolean
  readonly inviteLinks?: boolean
  readonly mergeRules?: OrganizationMergeRules
}

export async function changeOrganization(
  tx: Tx,
  row: OrganizationRow,
  change: OrganizationChange,
  now: number,
): Promise<OrganizationRow> {
  const { hostname, defaultContent } = change
  if (hostname !== undefined && hostname !== row.hostname && (await isHostnameTaken(tx, hostname))) {
    throw new ApiError('already_taken', { member: 'hostname', value: hostname })
  }
  if (defaultContent && !(await isSiteOf(tx, row.id, defaultContent.site))) {
    throw new ApiError('invalid_reference', { member: 'defaultContent.site', thing: 'a site' })
  }
  const update: RowUpdate<'organizations'> = {
    updated_at: now,
    ...(change.title !== undefined && { title: change.title }),
    ...(hostname !== undefined && { hostname }),
    ...(change.defaultRole !== undefined && { default_role: change.defaultRole }),
    ...(defaultContent !== undefined && {
      default_content: defaultContent && JSON.stringify({ type: 'site', site: defaultContent.site }),
    }),
    ...(change.logo !== undefined && { logo_url: change.logo }),
    ...(change.sso !== undefined && { sso: change.sso ? 1 : 0 }),
    ...(change.ai !== undefined && { ai: change.ai ? 1 : 0 }),
    ...(change.inviteLinks !== undefined && { invite_links: change.inviteLinks ? 1 : 0 }),
    ...(change.mergeRules !== undefined && {
      merge_rules: await writeMergeRules(tx, row.id, change.mergeRules, 'none'),
    }),
    ...(change.emailDomains !== undefined && {
      email_domains: await setEmailDomains(tx, row.id, change.emailDomains),
    }),
  }
  return updateOrganizationRow(tx, row.id, update)
}
