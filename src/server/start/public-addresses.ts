/**
 * By which addresses the installation is reached. The server knows, from its settings and the port that it got, and
 * notes it in the data; the command line, which may be given other settings or none, prints the same.
 */
import type { Database } from '../../store/db/database.js'
import { findInInstallation, setInInstallation } from '../../store/db/installation.js'
import type { Settings } from '../settings/settings.js'

export interface ReachedAt {
  readonly baseUrl: string
  readonly sitesDomain?: string
}

type AddressSettings = Pick<Settings, 'url' | 'host' | 'port' | 'sitesDomain'>

const name = 'reached at'

/** Returns what the settings of a server say, and notes it for commands. */
export async function noteReachedAt(settings: AddressSettings, database: Database): Promise<ReachedAt> {
  const reached = fromSettings(settings)
  const noted = JSON.stringify(reached)
  if ((await findInInstallation(database.read, name)) !== noted)
    await setInInstallation(database, name, noted)
  return reached
}

/** Returns what the settings of a command name, else what the server noted that started last, else what one would. */
export async function recallReachedAt(settings: AddressSettings, database: Database): Promise<ReachedAt> {
  const noted = await findInInstallation(database.read, name)
  const { url, sitesDomain } = settings
  return {
    ...(noted === undefined ? fromSettings(settings) : (JSON.parse(noted) as ReachedAt)),
    ...(url !== undefined && { baseUrl: url }),
    ...(sitesDomain !== undefined && { sitesDomain }),
  }
}

function fromSettings({ url, host, port, sitesDomain }: AddressSettings): ReachedAt {
  const baseUrl = url ?? `http://${hostInUrl(host)}:${port}`
  return { baseUrl, ...(sitesDomain !== undefined && { sitesDomain }) }
}

/** An IPv6 address stands in brackets; an address that means "all" is not one to go to. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
