/** Wire format of a SAML provider, for admins. */
import { serviceProviderOf } from '../../access/signin/saml/service.js'
import type { Addresses } from '../../contract/addresses.js'
import type { SamlProvider } from '../../contract/saml.js'
import type { Team } from '../../contract/teams.js'
import type { SamlProviderRow } from './store.js'

export function presentProvider(
  addresses: Addresses,
  row: SamlProviderRow,
  team: Team | undefined,
): SamlProvider {
  const isActive = row.entity_id !== null && row.sso_url !== null && row.certificate !== null
  return {
    object: 'saml-provider',
    id: row.id,
    label: row.label,
    ssoURL: row.sso_url ?? '',
    entityID: row.entity_id ?? '',
    certificate: row.certificate ?? '',
    ...(team !== undefined && { defaultTeam: team }),
    defaultRole: row.default_role as SamlProvider['defaultRole'],
    createdAt: new Date(row.created_at).toISOString(),
    status: isActive ? 'active' : 'pending',
    service: { ...serviceProviderOf(addresses, row.id) },
    urls: { location: addresses.api(`/orgs/${row.organization_id}/saml/${row.id}`) },
  }
}
