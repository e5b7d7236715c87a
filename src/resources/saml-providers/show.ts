/** Responses of SAML providers, with their default teams, for admins. */
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { SamlProvider } from '../../contract/saml.js'
import type { Db } from '../../store/db/database.js'
import { showTeams } from '../teams/show.js'
import { findTeam } from '../teams/store.js'
import { presentProvider } from './present.js'
import type { SamlProviderRow } from './store.js'

export async function showProvider(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  row: SamlProviderRow,
): Promise<SamlProvider> {
  return (await showProviders(db, addresses, reader, [row]))[0]!
}

export async function showProviders(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly SamlProviderRow[],
): Promise<SamlProvider[]> {
  const wanted = new Set(rows.map(({ default_team_id: id }) => id).filter((id) => id !== null))
  const found = await Promise.all([...wanted].map((id) => findTeam(db, reader.organizationId, id)))
  const known = found.filter((team) => team !== undefined)
  const teams = new Map((await showTeams(db, reader, known)).map((team) => [team.id, team]))
  return rows.map((row) => presentProvider(addresses, row, teams.get(row.default_team_id ?? '')))
}
