/**
 * What a site answered, written anew for its twin: addresses of the site become ways from file to file.
 *
 * An address that is met for the first time is asked for, and what comes is written or put in line; so whatever a page
 * names is in the twin too, and nothing that it does not name.
 */
import { trimBothOf } from '../../core/trim.js'
import { escapeHtml } from '../../site/html.js'
import { belowBase } from '../../site/routing/linker.js'
import { createFileNames, relativePath } from '../../site/static-export/file-names.js'
import { extensionFor } from '../../site/static-export/file-types.js'
import {
  type FoundAddress,
  findAddresses,
  findDataAddresses,
  findStyleAddresses,
  findTextAddresses,
  replaceAddresses,
  withoutCounting,
  withoutFeedback,
  withoutMcpAction,
} from '../../site/static-export/markup.js'
import { type AskedSite, type TwinAnswer, textOf } from './fetch-internal.js'
import { type Place, type Reference, createPlaces } from './places.js'

/** Where an address leads: to a file of the twin (a page is its folder), or out of it. */
export type Target = { readonly name: string; readonly query?: string } | { readonly href: string }

export interface Lead {
  readonly target: Target
  readonly fragment: string
}

/** The program that searches the twin. */
export interface Finding {
  readonly name: string
  readonly version: string
}

export interface Translator {
  readonly read: ReturnType<typeof createPlaces>
  /** The folder of the page at a path below the site. */
  pageName(path: string): string
  textName(path: string): string
  /** Says where an address leads that is known to be a page, or the text of one. */
  know(href: string, target: Target): void
  /** Says where an address leads; asks for it where that is not known; undefined where nothing is. */
  follow(href: string): Promise<Lead | undefined>
  /** The same; where nothing is it notes so and leads to the site itself; undefined for what stays as it is. */
  lead(href: string): Promise<Lead | undefined>
  wayFrom(name: string, lead: Lead): string
  /** An answer, with its addresses as seen from the file of this name. */
  translate(name: string, answer: TwinAnswer): Promise<string | Uint8Array>
  /** Pages that were met and are nowhere listed; taken out, they are somebody else's to write. */
  takeFurther(): Place[]
  /** Addresses that lead nowhere. */
  readonly missing: ReadonlySet<string>
}

/** Below a variant: where its page of results stands. */
export const searchPath = '~octavo/search'
/** Redirects that lead to redirects are followed so far. */
const mostHops = 5
/** Files at the top of a twin that are no part of the site. */
const ownFiles = ['404.html', '_redirects', '.nojekyll'] as const

export function createTranslator(
  { site, ask }: AskedSite,
  {
    serverBase,
    at,
    finding,
    write,
  }: {
    readonly serverBase: string
    readonly at: string | undefined
    readonly finding: Finding
    readonly write: (name: string, content: string | Uint8Array) => Promise<void>
  },
): Translator {
  const read = createPlaces(site, serverBase)
  const names = createFileNames(ownFiles)
  const beginning = site.url.startsWith(serverBase) ? `${serverBase}/` : site.url
  const targets = new Map<string, Target | undefined>()
  const missing = new Set<string>()
  let further: Place[] = []
  // Before anything else, so that its name is as it is written everywhere.
  names.folder('~octavo')

  const pageName = (path: string): string => names.folder(trimBothOf(path, '/'))

  async function settle(place: Place, hops = 0): Promise<Target | undefined> {
    if (targets.has(place.href)) return targets.get(place.href)
    // What names itself on the way to itself leads nowhere.
    targets.set(place.href, undefined)
    const target = await find(place, hops)
    targets.set(place.href, target)
    return target
  }

  async function find(place: Place, hops: number): Promise<Target | undefined> {
    const answer = await ask(place.href)
    if (answer.location !== undefined) {
      const led = read(answer.location)
      if (led.place === undefined) return { href: led.href ?? answer.location }
      return hops < mostHops ? settle(led.place, hops + 1) : undefined
    }
    if (answer.status !== 200) return undefined
    if (isMarkup(answer) && !place.path.includes('~octavo/')) {
      // The same page, asked for something: a question, a form.
      if (place.query !== '') return settle({ ...place, href: place.href.split('?')[0]!, query: '' })
      further.push(place)
      return { name: pageName(place.path) }
    }
    const asked = new URLSearchParams(place.query)
    const version = asked.get('v')
    asked.delete('v')
    // The same file in several spaces has several ids, and needs no folder for its space.
    const path = trimBothOf(place.path.replace(/^~octavo\/files\/[^/]+\//, '~octavo/files/'), '/')
    const name = names.file(path + extensionFor(path, answer.contentType), asked.toString())
    const isAsset = version !== null && place.path.startsWith('~octavo/assets/')
    const target = { name, ...(isAsset && { query: `v=${version}` }) }
    targets.set(place.href, target)
    await write(name, await translate(name, answer))
    return target
  }

  async function follow(href: string): Promise<Lead | undefined> {
    const reference = read(href)
    if (reference.place === undefined) {
      return reference.href === undefined ? undefined : { target: { href: reference.href }, fragment: '' }
    }
    const target = await settle(reference.place)
    return target && { target, fragment: reference.fragment }
  }

  /** The same of an address that was met before, at once: a page has hundreds of them. */
  function leadKnown(reference: Reference): Lead | undefined {
    if (reference.place === undefined) return undefined
    const target = targets.get(reference.place.href)
    return target && { target, fragment: reference.fragment }
  }

  async function lead(href: string): Promise<Lead | undefined> {
    const led = await follow(href)
    const reference = read(href)
    if (led !== undefined || reference.place === undefined) return led
    missing.add(reference.place.href)
    // It may be there another time.
    const target = { href: new URL(reference.place.href, site.url).href }
    return { target, fragment: reference.fragment }
  }

  function wayFrom(name: string, { target, fragment }: Lead): string {
    if ('href' in target) return target.href + fragment
    return relativePath(name, target.name) + (target.query === undefined ? '' : `?${target.query}`) + fragment
  }

  /** As somebody elsewhere asks for it. */
  function absolute({ target, fragment }: Lead): string {
    if ('href' in target || at === undefined) return ('href' in target ? target.href : site.url) + fragment
    return at + relativePath('', target.name).replace(/^\.\/$/, '') + fragment
  }

  async function translate(name: string, answer: TwinAnswer): Promise<string | Uint8Array> {
    const { contentType, body } = answer
    if (isMarkup(answer)) return translateMarkup(name, textOf(answer))
    if (/^text\/css\b/.test(contentType)) {
      const styles = textOf(answer)
      return rewrite(styles, findStyleAddresses(styles), (one) => wayFrom(name, one))
    }
    const isForPeople = /^text\/markdown\b/.test(contentType)
    const isMap = /^(?:text\/(?:plain|xml)|application\/(?:\w+\+)?xml)\b/.test(contentType)
    // What programs fetch from elsewhere names whole addresses, of the site where the twin has none.
    if (!isForPeople && (!isMap || at === undefined)) return body
    const text = textOf(answer)
    const found = findTextAddresses(text, beginning)
    return rewrite(text, found, (one) => (isForPeople ? wayFrom(name, one) : absolute(one)))
  }

  async function rewrite(
    text: string,
    found: readonly FoundAddress[],
    say: (lead: Lead) => string,
  ): Promise<string> {
    const said: (string | undefined)[] = []
    for (const one of found) {
      const led = leadKnown(read(one.href)) ?? (await lead(one.href))
      said.push(led && say(led))
    }
    return replaceAddresses(text, found, (_, index) => said[index])
  }

  async function translateMarkup(name: string, answered: string): Promise<string> {
    // Without an address of its own it leads language models to the site.
    const silent = withoutFeedback(withoutCounting(answered))
    const given = at === undefined ? silent : withoutMcpAction(silent)
    const data = at === undefined ? [] : findDataAddresses(given, beginning)
    const markup = await rewrite(given, data, absolute)
    const found = findAddresses(markup)
    const said: (string | undefined)[] = []
    for (const one of found) {
      const saying = sayInMarkup(name, one)
      said.push(typeof saying === 'object' ? await saying : saying)
    }
    return replaceAddresses(markup, found, (_, index) => {
      const words = said[index]
      return words === undefined ? undefined : escapeHtml(words)
    })
  }

  /** What is written instead of an address in a tag; undefined where it stays. */
  function sayInMarkup(name: string, one: FoundAddress): string | undefined | Promise<string | undefined> {
    const { element, attribute, href } = one
    const reference = read(href)
    if (reference.place === undefined) return element === 'meta' ? undefined : reference.href
    if (attribute === 'data-search' || attribute === 'action') return saySearch(name, one, reference.place)
    const isForOthers = element === 'meta' || (element === 'link' && reference.isAbsolute)
    if (isForOthers && at === undefined) return undefined
    const say = (led: Lead | undefined) => led && (isForOthers ? absolute(led) : wayFrom(name, led))
    const known = leadKnown(reference)
    return known === undefined ? lead(href).then(say) : say(known)
  }

  /** The search of a variant is its page of results, and a program; no other form has anybody to answer it here. */
  function saySearch(name: string, { attribute, href }: FoundAddress, { path }: Place): string {
    const root = attribute === 'action' ? path : path.replace(searchPath, '')
    const number = site.variants.findIndex((variant) => belowBase(variant) === root)
    if (number < 0) return new URL(href, site.url).href
    if (attribute === 'action') return relativePath(name, `${pageName(root)}${searchPath}/`)
    return `${relativePath(name, finding.name)}?v=${finding.version}#${number}`
  }

  return {
    read,
    pageName,
    textName: (path) => names.file(path),
    know: (href, target) => void targets.set(href, target),
    follow,
    lead,
    wayFrom,
    translate,
    takeFurther() {
      const taken = further
      further = []
      return taken
    },
    missing,
  }
}

function isMarkup({ contentType }: TwinAnswer): boolean {
  return /^text\/html\b/.test(contentType)
}
