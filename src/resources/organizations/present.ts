/** Wire format of an organization, as its member sees it. Plans and trials are constants: there is no billing. */
import { reaches } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Organization } from '../../contract/organizations.js'
import { readMergeRules } from './merge-rules.js'
import type { OrganizationContext, OrganizationRow } from './store.js'

export function presentOrganization(
  addresses: Addresses,
  { row, role, ownsTeam }: OrganizationContext,
): Organization {
  const isAdmin = role === 'admin'
  const isMember = role !== null
  return {
    object: 'organization',
    id: row.id,
    title: row.title,
    createdAt: new Date(row.created_at).toISOString(),
    emailDomains: JSON.parse(row.email_domains) as string[],
    hostname: row.hostname,
    type: row.type as Organization['type'],
    ...(row.use_case === null ? {} : { useCase: row.use_case as NonNullable<Organization['useCase']> }),
    ...(row.community_type === null
      ? {}
      : { communityType: row.community_type as NonNullable<Organization['communityType']> }),
    defaultRole: row.default_role as Exclude<Organization['defaultRole'], undefined>,
    ...(row.default_content === null
      ? {}
      : { defaultContent: JSON.parse(row.default_content) as NonNullable<Organization['defaultContent']> }),
    sso: row.sso === 1,
    ai: row.ai === 1,
    inviteLinks: row.invite_links === 1,
    plan: 'free_2024',
    mergeRules: readMergeRules(row.merge_rules, 'none') as Organization['mergeRules'],
    urls: {
      location: addresses.api(`/orgs/${row.id}`),
      app: addresses.app(`/o/${row.id}`),
      ...(row.logo_url === null ? {} : { logo: row.logo_url }),
    },
    trial: { status: 'notapplicable', count: 0 },
    ...(row.blocked_reason === null ? {} : { blocked: { reason: row.blocked_reason } }),
    internal_isOnNewTrial: true,
    permissions: {
      view: true,
      access: true,
      admin: isAdmin,
      ownTeam: ownsTeam,
      createContent: reaches(role, 'create'),
      createOpenAPISpec: reaches(role, 'create'),
      ingestConversations: false,
      viewBilling: isAdmin,
      listMembers: isMember,
      listTeams: isMember,
      listIntegrations: false,
      listInstallations: false,
      installIntegration: false,
    },
  }
}

/** For users who may join: name and URL, without settings. */
export function presentToOutsider(addresses: Addresses, row: OrganizationRow, domain: string): Organization {
  const {
    defaultRole: _role,
    defaultContent: _content,
    ...presented
  } = presentOrganization(addresses, {
    row: { ...row, email_domains: JSON.stringify([domain]), blocked_reason: null, merge_rules: null },
    role: null,
    ownsTeam: false,
  })
  return { ...presented, permissions: { ...presented.permissions, view: false, access: false } }
}
