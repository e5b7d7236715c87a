/**
 * Reservation of the listen address before anything is opened or written: a start on an occupied port fails without side
 * effects, and every URL in a response contains the actual port. Until the server listens, requests get 503.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../settings/settings.js'
import { SettingsError } from '../settings/settings-errors.js'

export interface ReservedAddress {
  readonly port: number
  /** Frees it for the server itself. */
  release(): Promise<void>
}

/** Listens at the address of the settings; throws a `SettingsError` when that is impossible. */
export async function reserveAddress({
  host,
  port,
}: Pick<Settings, 'host' | 'port'>): Promise<ReservedAddress> {
  const placeholder = createServer((_request, response) => {
    response.writeHead(503, { 'retry-after': '1', 'cache-control': 'no-store', connection: 'close' }).end()
  })
  await new Promise<void>((resolve, reject) => {
    placeholder.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    placeholder.listen(port, host, resolve)
  })
  return {
    port: (placeholder.address() as AddressInfo).port,
    release: () =>
      new Promise((resolve) => {
        placeholder.close(() => resolve())
        placeholder.closeAllConnections()
      }),
  }
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new SettingsError([
        `Port ${port} of ${host} is taken: choose another with --port (OCTAVO_PORT); 0 picks a free one.`,
      ])
    case 'EACCES':
      return new SettingsError([
        `Port ${port} is not for this account: choose one above 1023 with --port (OCTAVO_PORT).`,
      ])
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new SettingsError([
        `This machine has no address ${host}: choose one of its own with --host (OCTAVO_HOST).`,
      ])
    default:
      return error
  }
}
