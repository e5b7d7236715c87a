/**
 * Icons by name, from the Lucide set (ISC): where one stands it is a reference, and the drawings that a page
 * refers to are in it once.
 *
 * Writers use Font Awesome names, so the ones that Lucide calls differently are translated. The set is read on
 * first use (about 7 ms, 2 MB); an unknown name shows a small circle, never nothing or a broken square.
 */
import { createRequire } from 'node:module'
import { detachSubstring } from '../../core/detach-substring.js'
import { html, type Html, flatten, nothing, trusted } from '../html.js'
import { iconNames } from './icon-names.js'

interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>
  readonly aliases: Readonly<Record<string, { readonly parent: string }>>
}

let loaded: IconSet | undefined

function iconSet(): IconSet {
  loaded ??= createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as IconSet
  return loaded
}

/** Icons that point along the line, and point the other way where lines are read from right to left. */
const turning = new Set(['arrow-left', 'arrow-right', 'arrow-up-right', 'chevron-right'])

/** By the name in the set. */
const drawn = new Map<string, Html>()

/** What stands where nothing comes near a name. */
const neutral = 'circle-small'
/** Longer names are of no set. */
const longestName = 50

/** The icon as a decorative 1em SVG that takes the colour of its text; a neutral one for a name of no set. */
export function icon(name: string | undefined): Html {
  return name === undefined || name.trim() === '' ? nothing : draw(findIcon(name) ?? neutral)
}

/** The icon of that name, or nothing when no set has it. */
export function knownIcon(name: string | undefined): Html {
  const found = name === undefined ? undefined : findIcon(name)
  return found === undefined ? nothing : draw(found)
}

function draw(own: string): Html {
  const known = drawn.get(own)
  if (known !== undefined) return known
  const svg = flatten(
    html`<svg class="${turning.has(own) ? 'icon turns' : 'icon'}" width="1em" height="1em" aria-hidden="true">${trusted(use + href)}${own}"/></svg>`,
  )
  drawn.set(own, svg)
  return svg
}

/** What stands before the name of an icon where it is shown: `href` is looked for, since few places begin like it. */
const [use, href] = ['<use href="', '#icon:'] as const

/** The drawings that the icons in a markup refer to, once each; no heading has a fragment with a colon. */
export function drawingsFor(markup: Html): Html {
  const text = markup.toString()
  const names = new Set<string>()
  for (let at = text.indexOf(href); at >= 0; at = text.indexOf(href, at)) {
    const isUsed = text.endsWith(use, at)
    at += href.length
    if (isUsed) names.add(text.slice(at, text.indexOf('"', at)))
  }
  if (names.size === 0) return nothing
  return html`<div hidden><svg>${[...names].map(symbolFor)}</svg></div>`
}

/** Drawings by the name in the set: nearly every page has the same twenty. */
const symbols = new Map<string, Html>()

function symbolFor(name: string): Html {
  const known = symbols.get(name)
  if (known !== undefined) return known
  const body = iconSet().icons[name]?.body
  const symbol = html`<symbol id="icon:${name}" viewBox="0 0 24 24">${trusted(body ?? '')}</symbol>`
  // Other names are without number.
  if (body === undefined) return symbol
  const whole = flatten(symbol)
  symbols.set(detachSubstring(name), whole)
  return whole
}

/** Returns what is inside of an icon's drawing; undefined for a name of no set. */
export function iconBody(name: string): string | undefined {
  const own = findIcon(name)
  return own === undefined ? undefined : iconSet().icons[own]?.body
}

/** Returns the name in the Lucide set: of the whole, of what stands in the shape, or of as many words as are known. */
function findIcon(name: string): string | undefined {
  let words = name.trim().toLowerCase().replace(/^fa-/, '')
  if (words.length > longestName) return undefined
  for (;;) {
    const inShape = words.replace(/^(?:circle|square|rectangle)-/, '')
    const found = ownName(words) ?? ownName(inShape)
    if (found !== undefined) return found
    const last = words.lastIndexOf('-')
    if (last < 0) return undefined
    words = words.slice(0, last)
  }
}

function ownName(name: string): string | undefined {
  const { icons, aliases } = iconSet()
  const wanted = iconNames.get(name) ?? name
  const own = Object.hasOwn(aliases, wanted) ? (aliases[wanted]?.parent ?? wanted) : wanted
  return Object.hasOwn(icons, own) ? own : undefined
}

/** The emoji of hexadecimal code points ("1f468-200d-1f4bb"), or the characters themselves; empty when they are none. */
export function emojiText(code: string): string {
  if (!/^[0-9a-f]{2,6}(?:[-_ ][0-9a-f]{2,6})*$/i.test(code))
    return /\p{Extended_Pictographic}|\p{Emoji_Component}/u.test(code) ? code : ''
  const points = code.split(/[-_ ]/).map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
    ? String.fromCodePoint(...points)
    : ''
}
