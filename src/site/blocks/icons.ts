/**
 * Icons by name, from the Lucide set (ISC), as an SVG sprite: each use is a reference, and the page contains every
 * referenced drawing once.
 *
 * Authors use Font Awesome names, so the names that differ in Lucide are translated. The set is read on first use
 * (about 7 ms, 2 MB); an unknown name renders as a small circle.
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

/** Icons that are mirrored in right-to-left text. */
const mirroredIcons = new Set(['arrow-left', 'arrow-right', 'arrow-up-right', 'chevron-right'])

/** By the name in the set. */
const iconMarkup = new Map<string, Html>()

/** Fallback for unknown names. */
const fallbackIcon = 'circle-small'
/** Longer names are unknown. */
const maxNameLength = 50

/** Returns the icon as a decorative 1em SVG in the text colour; a neutral one for unknown names. */
export function icon(name: string | undefined): Html {
  return name === undefined || name.trim() === '' ? nothing : draw(findIcon(name) ?? fallbackIcon)
}

/** Returns the icon, or nothing for unknown names. */
export function knownIcon(name: string | undefined): Html {
  const found = name === undefined ? undefined : findIcon(name)
  return found === undefined ? nothing : draw(found)
}

function draw(own: string): Html {
  const cached = iconMarkup.get(own)
  if (cached !== undefined) return cached
  const svg = flatten(
    html`<svg class="${mirroredIcons.has(own) ? 'icon turns' : 'icon'}" width="1em" height="1em" aria-hidden="true">${trusted(use + href)}${own}"/></svg>`,
  )
  iconMarkup.set(own, svg)
  return svg
}

/** Markup before the name of a used icon. The search is for `href`, which is rare in other markup. */
const [use, href] = ['<use href="', '#icon:'] as const

/** Returns the drawings referenced in the markup, once each; anchors of headings contain no colon. */
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

/** Cache of drawings by the name in the set: nearly every page has the same twenty. */
const symbols = new Map<string, Html>()

function symbolFor(name: string): Html {
  const cached = symbols.get(name)
  if (cached !== undefined) return cached
  const body = iconSet().icons[name]?.body
  const symbol = html`<symbol id="icon:${name}" viewBox="0 0 24 24">${trusted(body ?? '')}</symbol>`
  // Unknown names are unlimited, and not cached.
  if (body === undefined) return symbol
  const whole = flatten(symbol)
  symbols.set(detachSubstring(name), whole)
  return whole
}

/** Returns the inner SVG of an icon; undefined for unknown names. */
export function iconBody(name: string): string | undefined {
  const own = findIcon(name)
  return own === undefined ? undefined : iconSet().icons[own]?.body
}

/** Returns the name in the Lucide set: of the full name, without its enclosing shape, or of its longest known prefix. */
function findIcon(name: string): string | undefined {
  let words = name.trim().toLowerCase().replace(/^fa-/, '')
  if (words.length > maxNameLength) return undefined
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
  const setName = iconNames.get(name) ?? name
  const own = Object.hasOwn(aliases, setName) ? (aliases[setName]?.parent ?? setName) : setName
  return Object.hasOwn(icons, own) ? own : undefined
}

/** Returns the emoji of hexadecimal code points ("1f468-200d-1f4bb") or of literal characters; empty for other text. */
export function emojiText(code: string): string {
  if (!/^[0-9a-f]{2,6}(?:[-_ ][0-9a-f]{2,6})*$/i.test(code))
    return /\p{Extended_Pictographic}|\p{Emoji_Component}/u.test(code) ? code : ''
  const points = code.split(/[-_ ]/).map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff && (point < 0xd800 || point > 0xdfff))
    ? String.fromCodePoint(...points)
    : ''
}
