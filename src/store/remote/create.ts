/** Lazy loading of the client for user-supplied addresses: it takes 20 MB. */
import type { Remote, RemoteOptions } from './remote.js'

/** Returns the client; nothing is connected or loaded before the first address. */
export function createRemote(options: RemoteOptions = {}): Remote {
  let loaded: Promise<Remote> | undefined
  const load = (): Promise<Remote> =>
    (loaded ??= import('./client.js').then(({ openClient }) => openClient(options)))
  return {
    fetch: async (address, limits) => (await load()).fetch(address, limits),
    download: async (address, path, limits) => (await load()).download(address, path, limits),
    post: async (address, sending) => (await load()).post(address, sending),
    close: async () => (await loaded)?.close(),
  }
}
