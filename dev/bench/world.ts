/** Benchmark environment: a data folder, the server on it, and functions that fill it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { OrganizationId, SpaceId } from '../../src/core/ids.js'
import { writeZip } from '../../src/resources/exports/write-zip.js'
import type { Database } from '../../src/store/db/database.js'
import { openDatabase } from '../../src/store/db/open.js'
import { findIndexState } from '../../src/store/search/index-state.js'
import { type ServerProcess, require2xx, startServer } from '../server-process.js'
import type { CorpusFile } from './corpus.js'

export interface World {
  readonly server: ServerProcess
  readonly organization: string
  /** The folder of the data. */
  readonly data: string
  /** The database of the server, to read what the API does not return. */
  readonly database: Database
  /** Ends the server and opens another on the same data, at the same address. */
  restart(): Promise<World>
  /** Starts a second server on the same data, with additional settings; the caller stops it. */
  startAnother(additional?: Environment): Promise<ServerProcess>
  /** Stops the server and removes the data. */
  close(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

/** On PostgreSQL where `url` is set; `environment` adds settings of the servers. */
export async function openWorld(url?: string, environment: Environment = {}): Promise<World> {
  const data = await mkdtemp(join(tmpdir(), 'octavo-bench-'))
  return openOn(data, url, environment)
}

async function openOn(data: string, url: string | undefined, environment: Environment): Promise<World> {
  const server = await startOn(data, url, environment)
  try {
    const { items } = await require2xx(server.request('GET', '/orgs'))
    const database = await openDatabase({ dataFolder: data, url })
    return worldOf(server, database, { data, url, environment, organization: items[0].id })
  } catch (error) {
    await server.stop()
    throw error
  }
}

function startOn(data: string, url = '', environment: Environment): Promise<ServerProcess> {
  return startServer({ data, environment: { OCTAVO_DATABASE_URL: url, ...environment } })
}

interface WorldParts {
  readonly data: string
  readonly url: string | undefined
  readonly environment: Environment
  readonly organization: string
}

function worldOf(
  server: ServerProcess,
  database: Database,
  { data, url, environment, organization }: WorldParts,
): World {
  async function end(): Promise<void> {
    await database.close()
    await server.stop()
  }
  return {
    server,
    organization,
    data,
    database,
    async restart() {
      await end()
      // At another URL it would resolve the links of every space again.
      const { port } = new URL(server.url)
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await openOn(data, url, { ...environment, OCTAVO_PORT: port })
        } catch (error) {
          // Another process may have got the port meanwhile, mostly for one connection.
          if (attempt === 30 || !String(error).includes('is taken')) throw error
          await wait(1_000)
        }
      }
    },
    startAnother: (additional) => startOn(data, url, { ...environment, ...additional }),
    async close() {
      await end()
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** A space that may be edited live, without any page. */
export async function createSpace({ server, organization }: World, title: string): Promise<string> {
  const body = { title, empty: true, editMode: 'live' }
  return (await require2xx(server.request('POST', `/orgs/${organization}/spaces`, body))).id
}

export async function zipOf(files: readonly CorpusFile[]): Promise<Uint8Array> {
  const entries = files.map(({ path, bytes }) => ({ path, stream: () => Readable.from([bytes]) }))
  const pieces: Uint8Array[] = []
  for await (const piece of writeZip(Readable.from(entries))) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Resolves when the search index of the space has its current content. */
export async function untilIndexed({ server, database }: World, space: string): Promise<void> {
  const { organization, revision } = await require2xx(server.request('GET', `/spaces/${space}`))
  const place = { organizationId: organization as OrganizationId, spaceId: space as SpaceId }
  // With pages that are made of specifications, the revision is named with their versions.
  const isIndexed = async () => (await findIndexState(database.read, place))?.revisionId?.startsWith(revision)
  while ((await isIndexed()) !== true) await wait(5)
}

/** Imports an archive into a space; resolves when its pages can be searched, with the milliseconds it took. */
export async function importArchive(world: World, space: string, zip: Uint8Array): Promise<number> {
  const begun = performance.now()
  await require2xx(world.server.request('POST', `/spaces/${space}/content/archive`, zip))
  await untilIndexed(world, space)
  return performance.now() - begun
}

export interface ListedPage {
  readonly id: string
  readonly path: string
}

/** The documents of a space, depth first. */
export async function listPages({ server }: World, space: string): Promise<readonly ListedPage[]> {
  const { pages } = await require2xx(server.request('GET', `/spaces/${space}/content/pages`))
  const found: ListedPage[] = []
  const add = (nodes: readonly any[]): void => {
    for (const { id, path, type, pages = [] } of nodes) {
      if (type === 'document') found.push({ id, path })
      add(pages)
    }
  }
  add(pages)
  return found
}

/** Publishes a space without restrictions and returns the URL of the site. */
export async function publishSpace(
  { server, organization }: World,
  space: string,
  title: string,
): Promise<string> {
  const place = `/orgs/${organization}/sites`
  const site = await require2xx(
    server.request('POST', place, { title, spaces: [space], visibility: 'public' }),
  )
  const published = await require2xx(server.request('POST', `${place}/${site.id}/publish`))
  return published.urls.published
}
