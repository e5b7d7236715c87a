/** Links of a preview: which page of the same content they lead to, as an address of the app. */
import type { ChangeSource } from '../api/queries.js'

export type PreviewTarget =
  | { readonly kind: 'part'; readonly id: string }
  | { readonly kind: 'page'; readonly path: string }
  /** Somewhere else: another space, another host. */
  | { readonly kind: 'away'; readonly address: string }
  /** What no browser opens from here, such as a script. */
  | { readonly kind: 'none' }

/** Returns where a link leads; `base` is the address of the app, which a preview has too. */
export function previewTargetOf(href: string, base: string, { space, change }: ChangeSource): PreviewTarget {
  if (href.startsWith('#')) return { kind: 'part', id: decode(href.slice(1)) }
  const url = URL.parse(href, base)
  if (url === null || !/^(?:https?|mailto):$/.test(url.protocol)) return { kind: 'none' }
  const away = { kind: 'away', address: url.href } as const
  if (url.origin !== new URL(base).origin) return away
  const match = /^\/s\/([^/]+)(?:\/~\/changes\/(\d+))?(?:\/~\/sites\/[^/]+)?(?:\/(.*))?$/.exec(url.pathname)
  if (match === null) return away
  const [, inSpace, inChange, path = ''] = match
  const isSame = inSpace === space && (inChange === undefined || Number(inChange) === change)
  return isSame && !path.startsWith('~/') ? { kind: 'page', path: decode(path.replace(/\/$/, '')) } : away
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
