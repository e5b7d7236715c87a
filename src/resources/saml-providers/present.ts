/** A SAML provider on the wire, as admins see it. */
import type { Reader } from '../../access/rules/levels.js'
import { serviceOf } from '../../access/signin/saml/service.js'
import type { Addresses } from '../../contract/addresses.js'
import type { SamlProvider } from '../../contract/saml.js'
import type { Team } from '../../contract/teams.js'
import type { Db } from '../../store/db/database.js'
import { presentTeams } from '../teams/present.js'
import { findTeam } from '../teams/store.js'
import type { SamlProviderRow } from './store.js'

export async function presentProvider(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  row: SamlProviderRow,
): Promise<SamlProvider> {
  return (await presentProviders(db, addresses, reader, [row]))[0]!
}

export async function presentProviders(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly SamlProviderRow[],
): Promise<SamlProvider[]> {
  const wanted = new Set(rows.map(({ default_team_id: id }) => id).filter((id) => id !== null))
  const found = await Promise.all([...wanted].map((id) => findTeam(db, reader.organizationId, id)))
  const teams = await presentTeams(
    db,
    reader,
    found.filter((team) => team !== undefined),
  )
  return rows.map((row) =>
    present(
      addresses,
      row,
      teams.find(({ id }) => id === row.default_team_id),
    ),
  )
}

function present(addresses: Addresses, row: SamlProviderRow, team: Team | undefined): SamlProvider {
  const isActive = row.entity_id !== null && row.sso_url !== null && row.certificate !== null
  return {
    object: 'saml-provider',
    id: row.id,
    label: row.label,
    ...(row.sso_url !== null && { ssoURL: row.sso_url }),
    ...(row.entity_id !== null && { entityID: row.entity_id }),
    ...(row.certificate !== null && { certificate: row.certificate }),
    ...(team !== undefined && { defaultTeam: team }),
    defaultRole: row.default_role as SamlProvider['defaultRole'],
    createdAt: new Date(row.created_at).toISOString(),
    status: isActive ? 'active' : 'pending',
    service: { ...serviceOf(addresses, row.id) },
    urls: { location: addresses.api(`/orgs/${row.organization_id}/saml/${row.id}`) },
  }
}
