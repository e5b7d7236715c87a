/**
 * Public addresses of the installation. The server derives them from its settings and its actual port and stores them
 * in the database, so that commands, which may run with other settings or none, print the same.
 */
import type { Database } from '../../store/db/database.js'
import { findInInstallation, setInInstallation } from '../../store/db/installation.js'
import type { Settings } from '../settings/settings.js'

export interface PublicAddresses {
  readonly baseUrl: string
  readonly sitesDomain?: string
}

type AddressSettings = Pick<Settings, 'url' | 'host' | 'port' | 'sitesDomain'>

const storedName = 'reached at'

/** Returns the addresses in the settings of a server, and stores them for commands. */
export async function storePublicAddresses(
  settings: AddressSettings,
  database: Database,
): Promise<PublicAddresses> {
  const addresses = fromSettings(settings)
  const stored = JSON.stringify(addresses)
  if ((await findInInstallation(database.read, storedName)) !== stored)
    await setInInstallation(database, storedName, stored)
  return addresses
}

/** Returns the addresses in the settings of a command, else those of the last started server, else the defaults. */
export async function loadPublicAddresses(
  settings: AddressSettings,
  database: Database,
): Promise<PublicAddresses> {
  const stored = await findInInstallation(database.read, storedName)
  const { url, sitesDomain } = settings
  return {
    ...(stored === undefined ? fromSettings(settings) : (JSON.parse(stored) as PublicAddresses)),
    ...(url !== undefined && { baseUrl: url }),
    ...(sitesDomain !== undefined && { sitesDomain }),
  }
}

function fromSettings({ url, host, port, sitesDomain }: AddressSettings): PublicAddresses {
  const baseUrl = url ?? `http://${hostInUrl(host)}:${port}`
  return { baseUrl, ...(sitesDomain !== undefined && { sitesDomain }) }
}

/** IPv6 addresses need brackets; the wildcard address is no address for a client. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
