/** A SAML provider on the wire, as admins see it. */
import { serviceOf } from '../../access/signin/saml/service.js'
import type { Addresses } from '../../contract/addresses.js'
import type { SamlProvider } from '../../contract/saml.js'
import type { Team } from '../../contract/teams.js'
import type { Db } from '../../store/db/database.js'
import { type SamlProviderRow, findTeams } from './store.js'

export async function presentProvider(
  db: Db,
  addresses: Addresses,
  row: SamlProviderRow,
): Promise<SamlProvider> {
  return (await presentProviders(db, addresses, [row]))[0]!
}

export async function presentProviders(
  db: Db,
  addresses: Addresses,
  rows: readonly SamlProviderRow[],
): Promise<SamlProvider[]> {
  const wanted = rows.flatMap(({ default_team_id: id }) => (id === null ? [] : [id]))
  const teams = new Map(
    (await findTeams(db, [...new Set(wanted)])).map((team): [string, Team] => [
      team.id,
      {
        object: 'team',
        id: team.id,
        title: team.title,
        members: Number(team.members),
        spaces: Number(team.spaces),
        createdAt: new Date(team.created_at).toISOString(),
        permissions: { admin: true, view: true },
      },
    ]),
  )
  return rows.map((row) => present(addresses, row, teams.get(row.default_team_id ?? '')))
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
