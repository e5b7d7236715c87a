/**
 * Files of the browser app: the entry and its lazily loaded chunks, built into `dist/assets/app`. Their names contain a
 * hash of their content, so browsers cache them for ever. Read once and served from memory.
 */
import { readFile, readdir } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { type EncodedFile, immutable, readEncoded, sendEncoded } from '../http/send-encoded.js'
import { packageRoot } from '../package-root.js'

/** What the first page loads; file names below `appFilesPath`. */
export interface AppManifest {
  readonly script: string
  readonly styles: readonly string[]
  /** Chunks that the entry imports at once. */
  readonly preload: readonly string[]
}

export const appFilesPath = '/~octavo/app/'

const folder = new URL('dist/assets/app/', packageRoot)
const buildScript = new URL('scripts/build.mjs', packageRoot)
const contentTypes = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
])

let manifest: Promise<AppManifest> | undefined

/** Returns the manifest of the build; builds the app first if it is missing. */
export function loadAppManifest(): Promise<AppManifest> {
  manifest ??= readManifest().catch((error: unknown) => {
    manifest = undefined
    throw error
  })
  return manifest
}

async function readManifest(): Promise<AppManifest> {
  const read = async () => JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8')) as AppManifest
  try {
    return await read()
  } catch {
    const { buildAssets } = (await import(buildScript.href)) as { buildAssets(): Promise<void> }
    await buildAssets()
    return read()
  }
}

const files = new Map<string, Promise<EncodedFile | undefined>>()

/** Returns a file of the build; undefined when the build has none of this name. */
function loadFile(name: string): Promise<EncodedFile | undefined> {
  const cached = files.get(name)
  if (cached !== undefined) return cached
  const loading = readAppFile(name)
  files.set(name, loading)
  // Names are those of the requests: only files of the build may stay.
  void loading.then((file) => file === undefined && files.delete(name))
  return loading
}

async function readAppFile(name: string): Promise<EncodedFile | undefined> {
  const contentType = contentTypes.get(name.slice(name.lastIndexOf('.') + 1))
  if (contentType === undefined || !/^[\w-]{1,100}\.\w{2,3}$/.test(name)) return undefined
  await loadAppManifest()
  if (!(await readdir(folder)).includes(name)) return undefined
  return readEncoded(new URL(name, folder), contentType)
}

export function mountAppFiles(server: FastifyInstance): void {
  server.get<{ Params: { name: string } }>(`${appFilesPath}:name`, async (request, reply) => {
    const file = await loadFile(request.params.name)
    if (file === undefined) {
      reply.callNotFound()
      return reply
    }
    return sendEncoded(request, reply, file, { cacheControl: immutable })
  })
}
