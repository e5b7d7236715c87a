/**
 * Anchors (URL fragments) of headings and other blocks: slugs of their text, unique in one document.
 *
 * They equal those of GitBook, transliterated to Latin letters, so that external links survive a migration.
 * Where GitBook has no transliteration, as for Korean, the original letters stay. Anchors of former versions of
 * Octavo and GitBook remain valid as aliases.
 */
import { hasKana, romanizeKana } from './kana.js'
import { latinize } from './latin.js'
import { pinyinOf } from './pinyin.js'
import { trimBothOf } from '../trim.js'

/** Returns the anchor of a text; empty when it has neither letters nor digits. */
export function anchorOf(text: string): string {
  return platformAnchor(text) || plainAnchor(text.replace(variationSelectors, ''))
}

const variationSelectors = /[\ufe00-\ufe0f]|\u20e3/g
const apostrophes = /(?<=\S)['\u2018\u2019\u201a\u201b\u2032\u2035](?=\S)/g

/** Returns the anchor that GitBook makes of a text; empty when its letters have no transliteration. */
export function platformAnchor(text: string): string {
  const spelled = spell(text.normalize('NFC').replace(apostrophes, ''))
  const slug = trimBothOf(latinize(spelled.toLowerCase()).replace(/[^a-z0-9_.]+/g, '-'), '-')
  if (!/[a-z0-9]/.test(slug)) return ''
  return /^[0-9]/.test(slug) ? `id-${slug}` : slug
}

/** Ideographs become pinyin syllables, kana becomes romaji; other characters beside them are dropped. */
function spell(text: string): string {
  if (hasKana(text)) return romanizeKana(text).replace(/[^A-Za-z0-9\- ]+/g, '')
  if (!/[\u4e00-\u9fa5]/.test(text)) return text
  return Array.from(text, (character) => {
    const syllable = pinyinOf(character)
    return syllable === undefined ? character : ` ${syllable} `
  })
    .join('')
    .replace(/[^A-Za-z0-9. ]+/g, '')
}

/** Returns the anchor without transliteration, as former versions of Octavo made it. */
export function plainAnchor(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s._+-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Returns the anchor of former versions of GitBook: without dots, and with leading digits. */
function formerPlatformAnchor(text: string): string {
  return trimBothOf(platformAnchor(text).replace(/^id-/, '').replace(/[.-]+/g, '-'), '-')
}

export interface Anchored {
  readonly anchor: string
  /** Further anchors of the same block; absent when there are none. */
  readonly aliases?: readonly string[]
}

export interface Anchors {
  /**
   * Returns unique anchors for a block titled `text`: its `id` if it has one, else a slug of the text, else
   * `fallback`. The aliases are final only after `resolveAliases`.
   */
  take(text: string, fallback: string, id?: string): Anchored
  /**
   * Adds to `aliases`, the list of one block or inline, the ids that an author has set and no other list has: of equal
   * ids the first one is the target, as in browsers. Final only after `resolveAliases`.
   */
  claim(ids: readonly string[], aliases: string[]): void
  /** Moves the ids of several lists to another one, which it returns. */
  join(lists: readonly (readonly string[])[], into?: string[]): string[]
  /** Removes aliases that collide with other anchors; to be called when all anchors are assigned. */
  resolveAliases(): void
}

/** Returns the anchor registry of one document. */
export function createAnchors(): Anchors {
  const own = uniqueNames()
  const formerSchemes = [
    { names: uniqueNames(), make: plainAnchor },
    { names: uniqueNames(), make: formerPlatformAnchor },
  ]
  const candidates: { readonly alias: string; readonly aliases: string[] }[] = []
  const claimed = new Set<string>()
  const claimLists = new Set<string[]>()
  return {
    take(text, fallback, id) {
      const anchor = own.take(id ?? (anchorOf(text) || fallback))
      const aliases: string[] = []
      // GitBook numbers headings that it has no letters for.
      if (id === undefined && fallback === 'heading' && text !== '' && platformAnchor(text) === '')
        aliases.push(own.take('undefined'))
      for (const { names, make } of formerSchemes) {
        const candidate = id ?? (make(text) || (make === plainAnchor ? fallback : ''))
        if (candidate === '') continue
        const alias = names.take(candidate)
        if (alias === anchor) continue
        candidates.push({ alias, aliases })
        aliases.push(alias)
      }
      return aliases.length === 0 ? { anchor } : { anchor, aliases }
    },
    claim(ids, aliases) {
      for (const id of ids) {
        if (claimed.has(id)) continue
        claimed.add(id)
        claimLists.add(aliases)
        aliases.push(id)
      }
    },
    join(lists, into = []) {
      claimLists.add(into)
      for (const list of lists as string[][]) for (const id of list.splice(0)) into.push(id)
      return into
    },
    resolveAliases() {
      const seen = new Set<string>()
      for (const { alias, aliases } of candidates) {
        if (own.has(alias) || claimed.has(alias) || seen.has(alias)) aliases.splice(aliases.indexOf(alias), 1)
        seen.add(alias)
      }
      for (const aliases of claimLists) {
        const free = aliases.filter((alias) => !own.has(alias) || !claimed.has(alias))
        aliases.splice(0, aliases.length, ...free)
      }
    },
  }
}

interface UniqueNames {
  readonly take: (base: string) => string
  readonly has: (name: string) => boolean
}

/** Makes names unique by appending `-1`, `-2` … */
function uniqueNames(): UniqueNames {
  const counts = new Map<string, number>()
  return {
    take(base) {
      let name = base
      while (counts.has(name)) {
        const count = counts.get(base)! + 1
        counts.set(base, count)
        name = `${base}-${count}`
      }
      counts.set(name, 0)
      return name
    },
    has: (name) => counts.has(name),
  }
}
