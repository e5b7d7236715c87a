/**
 * Table of addresses (the app's router): which screen a path belongs to and with which parameters, and the path of each
 * screen. They are the `urls.app` of the API.
 */

/** A parsed address. `path` is the rest of a page's path, without slashes at its ends. */
export type Address =
  | { readonly screen: 'home' }
  | { readonly screen: 'account' }
  | { readonly screen: 'inbox' }
  | { readonly screen: 'gallery' }
  | { readonly screen: 'organization'; readonly organization: string; readonly part: string }
  | { readonly screen: 'space'; readonly space: string; readonly path: string }
  | {
      readonly screen: 'change'
      readonly space: string
      readonly change: number
      readonly tab: ChangeTab
      readonly path: string
    }
  | {
      readonly screen: 'revision'
      readonly space: string
      readonly revision: string
      readonly path: string
    }
  | { readonly screen: 'compare'; readonly space: string; readonly path: string }
  | { readonly screen: 'history'; readonly space: string; readonly path: string }
  | { readonly screen: 'unknown' }

export const changeTabs = ['write', 'changes', 'conversation', 'checks'] as const
export type ChangeTab = (typeof changeTabs)[number]

/** Parses a path with its query; unknown ones are a screen of their own. */
export function parseAddress(pathname: string): Address {
  const parts = pathname.split('/').filter((part) => part !== '')
  const [first, second, ...rest] = parts
  if (first === undefined) return { screen: 'home' }
  if (first === 'account') return { screen: 'account' }
  if (first === 'inbox' && second === undefined) return { screen: 'inbox' }
  if (first === '~octavo' && second === 'ui') return { screen: 'gallery' }
  if (second === undefined) return { screen: 'unknown' }
  // Redirects to another origin: the browser opens it.
  if (first === 'o' && rest[0] === 'site' && rest[2] === 'preview') return { screen: 'unknown' }
  if (first === 'o') return { screen: 'organization', organization: second, part: rest.join('/') }
  if (first !== 's') return { screen: 'unknown' }
  if (rest[0] !== '~') return { screen: 'space', space: second, path: rest.join('/') }
  if (rest[1] === 'revisions' && rest[2] !== undefined)
    return { screen: 'revision', space: second, revision: rest[2], path: rest.slice(3).join('/') }
  if (rest[1] === 'compare') return { screen: 'compare', space: second, path: rest.slice(2).join('/') }
  if (rest[1] === 'history') return { screen: 'history', space: second, path: rest.slice(2).join('/') }
  const change = Number(rest[2])
  if (rest[1] !== 'changes' || !Number.isSafeInteger(change)) return { screen: 'unknown' }
  const below = rest.slice(3)
  const tab = below[0] === '~' ? changeTabs.find((one) => one === below[1]) : undefined
  return {
    screen: 'change',
    space: second,
    change,
    tab: tab ?? 'write',
    path: (tab === undefined ? below : below.slice(2)).join('/'),
  }
}

export const homePath = '/'
export const accountPath = '/account'
export const inboxPath = '/inbox'

export const organizationPath = (organization: string, part = ''): string =>
  `/o/${organization}${part === '' ? '' : `/${part}`}`

export const spacePath = (space: string, path = ''): string => `/s/${space}/${path}`

export const revisionPath = (space: string, revision: string, path = ''): string =>
  `/s/${space}/~/revisions/${revision}/${path}`

export const changePath = (space: string, change: number, path = '', tab: ChangeTab = 'write'): string =>
  `/s/${space}/~/changes/${change}/${tab === 'write' ? '' : `~/${tab}/`}${path}`

/** The history of a space, or of the page at a path. */
export const historyPath = (space: string, path = ''): string =>
  `/s/${space}/~/history${path === '' ? '' : `/${path}`}`

/** The comparison of two contents, each named as in the API; without the later one with the current content. */
export const comparePath = (space: string, from: string, to: string | undefined, path = ''): string =>
  `/s/${space}/~/compare${path === '' ? '' : `/${path}`}?from=${from}${to === undefined ? '' : `&to=${to}`}`
