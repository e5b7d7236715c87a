/**
 * The address of the server, taken before anything is opened or written: whoever finds it taken has spent nothing,
 * and every URL that is answered carries the port. Until the server is there, whoever asks is told to come again.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../settings/settings.js'
import { SettingsError } from '../settings/settings-errors.js'

export interface ClaimedAddress {
  readonly port: number
  /** Lets go of it, for the server itself. */
  release(): Promise<void>
}

/** Takes the address of the settings; throws a `SettingsError` when that cannot be. */
export async function claimAddress({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<ClaimedAddress> {
  const holder = createServer((_request, response) => {
    response.writeHead(503, { 'retry-after': '1', 'cache-control': 'no-store', connection: 'close' }).end()
  })
  await new Promise<void>((resolve, reject) => {
    holder.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    holder.listen(port, host, resolve)
  })
  return {
    port: (holder.address() as AddressInfo).port,
    release: () =>
      new Promise((resolve) => {
        holder.close(() => resolve())
        holder.closeAllConnections()
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
