/**
 * Embeds: what the address of an embedded page says by itself. Nothing is fetched.
 *
 * Providers with a player or a viewer for other sites have an address for frames, which is derived from that of the page.
 */

import { decodePercent } from './resolve.js'

export interface EmbedDescription {
  /** The path of the page, else the name of its site. */
  readonly title: string
  /** The provider, else the host. */
  readonly site: string
  /** Address to show in a frame, where the provider has one. */
  readonly frame?: string
}

interface Provider {
  readonly name: string
  readonly frame?: (url: URL, parts: readonly string[]) => string | undefined
}

const idPattern = /^[\w-]{1,64}$/

/** Returns a part of a path that is an id: nothing else is put into the address of a frame as it is. */
function idIn(part: string | null | undefined): string | undefined {
  return part != null && idPattern.test(part) ? part : undefined
}

function frameAt(base: string, ...parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : [base, ...parts].join('/')
}

/** Returns seconds of a position in a video, such as 90, 90s or 1m30s. */
function secondsOf(position: string | null): number {
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(position ?? '') ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

function youTubeFrame({ searchParams }: URL, parts: readonly string[]): string | undefined {
  const [kind, second] = parts
  const named = kind !== undefined && ['embed', 'shorts', 'live'].includes(kind)
  const id = idIn(kind === 'watch' ? searchParams.get('v') : named ? second : kind)
  const frame = frameAt('https://www.youtube-nocookie.com/embed', id)
  const start = secondsOf(searchParams.get('t') ?? searchParams.get('start'))
  return frame === undefined || start === 0 ? frame : `${frame}?start=${start}`
}

function vimeoFrame(_: URL, [id, hash]: readonly string[]): string | undefined {
  if (id === undefined || !/^\d{1,20}$/.test(id)) return undefined
  const isUnlisted = hash !== undefined && /^[\da-f]{6,20}$/.test(hash)
  return `https://player.vimeo.com/video/${id}${isUnlisted ? `?h=${hash}` : ''}`
}

function googleFrame(_: URL, [kind, d, id]: readonly string[]): string | undefined {
  const views = { document: 'preview', spreadsheets: 'preview', presentation: 'embed' } as const
  if (kind === undefined || !Object.hasOwn(views, kind) || d !== 'd') return undefined
  return frameAt(`https://docs.google.com/${kind}/d`, idIn(id), views[kind as keyof typeof views])
}

const youTube: Provider = { name: 'YouTube', frame: youTubeFrame }
const gitHub: Provider = { name: 'GitHub' }

/** By their hosts, without "www.". */
const providers: Readonly<Record<string, Provider>> = {
  'youtube.com': youTube,
  'm.youtube.com': youTube,
  'youtube-nocookie.com': youTube,
  'youtu.be': youTube,
  'vimeo.com': { name: 'Vimeo', frame: vimeoFrame },
  'loom.com': {
    name: 'Loom',
    frame: (_, [kind, id]) =>
      kind === 'share' || kind === 'embed' ? frameAt('https://www.loom.com/embed', idIn(id)) : undefined,
  },
  'open.spotify.com': {
    name: 'Spotify',
    frame: (_, [kind, id]) =>
      ['album', 'artist', 'episode', 'playlist', 'show', 'track'].includes(kind ?? '')
        ? frameAt('https://open.spotify.com/embed', kind, idIn(id))
        : undefined,
  },
  'figma.com': {
    name: 'Figma',
    frame: ({ href }, [kind, id]) =>
      ['board', 'design', 'file', 'proto', 'slides'].includes(kind ?? '') && idIn(id) !== undefined
        ? `https://www.figma.com/embed?embed_host=octavo&url=${encodeURIComponent(href)}`
        : undefined,
  },
  'codepen.io': {
    name: 'CodePen',
    frame: (_, [user, kind, id]) =>
      kind === 'pen' || kind === 'embed'
        ? frameAt('https://codepen.io', idIn(user), 'embed', idIn(id))
        : undefined,
  },
  'codesandbox.io': {
    name: 'CodeSandbox',
    frame: (_, [kind, id]) =>
      kind === 's' || kind === 'embed' ? frameAt('https://codesandbox.io/embed', idIn(id)) : undefined,
  },
  'github.com': gitHub,
  'gist.github.com': { name: 'GitHub Gist' },
  'docs.google.com': { name: 'Google Docs', frame: googleFrame },
  'miro.com': {
    name: 'Miro',
    frame: (_, [app, board, id]) =>
      app === 'app' && board === 'board' && /^[\w=-]{1,64}$/.test(id ?? '')
        ? `https://miro.com/app/live-embed/${id}/`
        : undefined,
  },
}

/** Returns the name of the provider with a host, which is written without "www."; undefined for any other. */
export function providerName(host: string): string | undefined {
  return Object.hasOwn(providers, host) ? providers[host]!.name : undefined
}

/** Returns what a web address says of the page there; throws for a text that is no address. */
export function describeEmbed(address: string): EmbedDescription {
  const url = new URL(address)
  const host = url.hostname.replace(/^www\./, '')
  const parts = url.pathname.split('/').filter(Boolean)
  const provider = Object.hasOwn(providers, host) ? providers[host] : undefined
  const site = provider?.name ?? host
  const frame = provider?.frame?.(url, parts)
  const title = parts.map(decodePercent).join('/')
  return { title: title === '' ? site : title, site, ...(frame !== undefined && { frame }) }
}
