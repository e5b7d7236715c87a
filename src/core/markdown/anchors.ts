/**
 * The fragments that lead to headings and other blocks: made from their text, unique in one document.
 *
 * They are the ones that the source platform makes, in Latin letters, so that links from elsewhere survive a
 * move. Where it has none, as for Korean, the letters of the text stay. What Octavo and the platform made of
 * headings before leads to them still, as aliases.
 */
import { hasKana, romanizeKana } from './kana.js'
import { latinize } from './latin.js'
import { pinyinOf } from './pinyin.js'
import { trimBothOf } from '../trim.js'

/** Returns the fragment for a text, empty when it has neither letters nor digits. */
export function anchorOf(text: string): string {
  return platformAnchor(text) || plainAnchor(text.replace(variationSelectors, ''))
}

const variationSelectors = /[\ufe00-\ufe0f]|\u20e3/g
const apostrophes = /(?<=\S)['\u2018\u2019\u201a\u201b\u2032\u2035](?=\S)/g

/** Returns the fragment that the source platform makes of a text; empty where its letters have no Latin ones. */
export function platformAnchor(text: string): string {
  const spelled = spell(text.normalize('NFC').replace(apostrophes, ''))
  const slug = trimBothOf(latinize(spelled.toLowerCase()).replace(/[^a-z0-9_.]+/g, '-'), '-')
  if (!/[a-z0-9]/.test(slug)) return ''
  return /^[0-9]/.test(slug) ? `id-${slug}` : slug
}

/** Ideographs become syllables, kana letters; beside them other signs are left out. */
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

/** Returns the fragment in the letters of the text: what Octavo itself made before. */
export function plainAnchor(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s._+-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Returns the fragment that the platform made once: without points, and with digits at the start. */
function formerPlatformAnchor(text: string): string {
  return trimBothOf(platformAnchor(text).replace(/^id-/, '').replace(/[.-]+/g, '-'), '-')
}

export interface Anchored {
  readonly anchor: string
  /** Further fragments that lead here; absent when there are none. */
  readonly aliases?: readonly string[]
}

export interface Anchors {
  /**
   * Returns the fragments of something that is called `text`: its `id` when it has one, else one made from the text,
   * else `fallback`; each is given once. The aliases are not settled before `settle`.
   */
  take(text: string, fallback: string, id?: string): Anchored
  /** Takes back the aliases that are the fragment of something else; to be called when everything has its own. */
  settle(): void
}

/** Returns the fragments of one document. */
export function createAnchors(): Anchors {
  const own = uniqueNames()
  const formers = [
    { names: uniqueNames(), make: plainAnchor },
    { names: uniqueNames(), make: formerPlatformAnchor },
  ]
  const doubtful: { readonly alias: string; readonly aliases: string[] }[] = []
  return {
    take(text, fallback, id) {
      const anchor = own.take(id ?? (anchorOf(text) || fallback))
      const aliases: string[] = []
      // Where the platform finds no letters it counts.
      if (id === undefined && fallback === 'heading' && text !== '' && platformAnchor(text) === '')
        aliases.push(own.take('undefined'))
      for (const { names, make } of formers) {
        const wanted = id ?? (make(text) || (make === plainAnchor ? fallback : ''))
        if (wanted === '') continue
        const alias = names.take(wanted)
        if (alias === anchor) continue
        doubtful.push({ alias, aliases })
        aliases.push(alias)
      }
      return aliases.length === 0 ? { anchor } : { anchor, aliases }
    },
    settle() {
      const kept = new Set<string>()
      for (const { alias, aliases } of doubtful) {
        if (own.has(alias) || kept.has(alias)) aliases.splice(aliases.lastIndexOf(alias), 1)
        kept.add(alias)
      }
    },
  }
}

interface Names {
  readonly take: (wanted: string) => string
  readonly has: (name: string) => boolean
}

/** Names made unique by `-1`, `-2` … */
function uniqueNames(): Names {
  const counts = new Map<string, number>()
  return {
    take(wanted) {
      let name = wanted
      while (counts.has(name)) {
        const count = counts.get(wanted)! + 1
        counts.set(wanted, count)
        name = `${wanted}-${count}`
      }
      counts.set(name, 0)
      return name
    },
    has: (name) => counts.has(name),
  }
}
