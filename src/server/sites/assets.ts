/**
 * Static assets of published sites: style sheets, browser scripts, fonts and the favicon, read once and served from
 * memory. Their URLs contain a hash of their bytes, so browsers cache them for ever and still load every new version.
 */
import { createHash } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type EncodedFile, immutable, readEncoded, sendEncoded } from '../http/send-encoded.js'
import { packageRoot } from '../package-root.js'
import type { Assets } from '../../site/pages/site-view.js'

interface Asset {
  readonly file: EncodedFile
  readonly version: string
  readonly href: string
}

const folder = new URL('dist/assets/', packageRoot)
const buildScript = new URL('scripts/build.mjs', packageRoot)
const contentTypes: Readonly<Record<string, string>> = {
  'site.css': 'text/css; charset=utf-8',
  'blocks.css': 'text/css; charset=utf-8',
  'plain.css': 'text/css; charset=utf-8',
  'dialogs.css': 'text/css; charset=utf-8',
  'reference.css': 'text/css; charset=utf-8',
  'sign-in.css': 'text/css; charset=utf-8',
  'site.js': 'text/javascript; charset=utf-8',
  'dialogs.js': 'text/javascript; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'follow.js': 'text/javascript; charset=utf-8',
  'finding.js': 'text/javascript; charset=utf-8',
  'favicon.ico': 'image/x-icon',
}

let assetsByName: Promise<ReadonlyMap<string, Asset>> | undefined

function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  assetsByName ??= readAssets()
  return assetsByName
}

async function readAssets(): Promise<ReadonlyMap<string, Asset>> {
  try {
    const names = Object.keys(contentTypes).flatMap((name) => [name, `${name}.br`, `${name}.gz`])
    await Promise.all(names.map((name) => access(new URL(name, folder))))
  } catch {
    const { buildAssets } = (await import(buildScript.href)) as { buildAssets(): Promise<void> }
    await buildAssets()
  }
  const assets = await Promise.all(
    Object.entries(contentTypes).map(async ([name, contentType]) => {
      const file = await readEncoded(new URL(name, folder), contentType)
      const version = createHash('sha256').update(file.plain).digest('base64url').slice(0, 16)
      const href = `/~octavo/assets/${name}?v=${version}`
      return [name, { file, version, href }] as const
    }),
  )
  return new Map(assets)
}

/** Returns the URLs of the assets that pages reference; builds the assets first if they are missing. */
export async function assetAddresses(): Promise<Assets> {
  const assets = await loadAssets()
  return {
    stylesheet: assets.get('site.css')!.href,
    blocksStylesheet: assets.get('blocks.css')!.href,
    plainStylesheet: assets.get('plain.css')!.href,
    followScript: assets.get('follow.js')!.href,
    referenceScript: assets.get('reference.js')!.href,
    referenceStylesheet: assets.get('reference.css')!.href,
    script: assets.get('site.js')!.href,
  }
}

/** Returns the URL of the style sheet of the sign-in pages. */
export async function signInStylesheet(): Promise<string> {
  return (await loadAssets()).get('sign-in.css')!.href
}

/** File names as the build script copies them, without a path. */
const fontName = /^[a-z0-9-]{1,80}\.woff2$/
const fonts = new Map<string, Promise<Buffer | undefined>>()

/** Returns a font file, undefined if there is none; there are few enough to cache all. */
function loadFont(name: string): Promise<Buffer | undefined> {
  if (!fontName.test(name)) return Promise.resolve(undefined)
  const cached = fonts.get(name)
  if (cached !== undefined) return cached
  const loading = loadAssets()
    .then(() => readFile(new URL(`fonts/${name}`, folder)))
    .catch(() => {
      fonts.delete(name)
      return undefined
    })
  fonts.set(name, loading)
  return loading
}

export function mountAssets(server: FastifyInstance): void {
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, v }: { readonly name: string; readonly v?: string | undefined },
  ): Promise<FastifyReply> {
    const asset = (await loadAssets()).get(name)
    if (asset === undefined) {
      reply.callNotFound()
      return reply
    }
    const { file, version } = asset
    const cacheControl = v === version ? immutable : 'public, max-age=0, must-revalidate'
    return sendEncoded(request, reply, file, { cacheControl, version })
  }

  server.get<{ Params: { name: string }; Querystring: { v?: string } }>(
    '/~octavo/assets/:name',
    (request, reply) => send(request, reply, { name: request.params.name, v: request.query.v }),
  )
  // The URL of a font contains the version of its release.
  server.get<{ Params: { name: string } }>('/~octavo/assets/fonts/:name', async (request, reply) => {
    const bytes = await loadFont(request.params.name)
    if (bytes === undefined) {
      reply.callNotFound()
      return reply
    }
    return reply
      .headers({ 'cache-control': immutable, 'x-content-type-options': 'nosniff' })
      .type('font/woff2')
      .send(bytes)
  })
  server.get('/favicon.ico', (request, reply) => send(request, reply, { name: 'favicon.ico' }))
}
