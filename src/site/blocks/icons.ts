/**
 * Icons by name, as inline SVG from the Lucide set (ISC).
 *
 * Writers use Font Awesome names, so the ones that Lucide calls differently are translated here. The
 * set is read on first use (about 7 ms, 2 MB); an unknown name shows nothing, never a broken square.
 */
import { createRequire } from 'node:module'
import { html, type Html, nothing, trusted } from '../html.js'

interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>
  readonly aliases: Readonly<Record<string, { readonly parent: string }>>
}

let loaded: IconSet | undefined

function iconSet(): IconSet {
  loaded ??= createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as IconSet
  return loaded
}

/** Font Awesome name → Lucide name, where they differ. */
export const iconNames: Readonly<Record<string, string>> = {
  'address-book': 'contact',
  'address-card': 'id-card',
  'arrow-pointer': 'mouse-pointer',
  'arrow-right-arrow-left': 'arrow-right-left',
  'arrow-right-from-bracket': 'log-out',
  'arrow-right-to-bracket': 'log-in',
  'arrow-rotate-left': 'rotate-ccw',
  'arrow-rotate-right': 'rotate-cw',
  'arrow-trend-up': 'trending-up',
  'arrow-up-right-from-square': 'external-link',
  'arrows-left-right': 'move-horizontal',
  'arrows-rotate': 'refresh-cw',
  'arrows-spin': 'refresh-cw',
  'arrows-up-down-left-right': 'move',
  'bag-shopping': 'shopping-bag',
  bars: 'menu',
  bolt: 'zap',
  'bolt-lightning': 'zap',
  'book-open-cover': 'book-open',
  'box-archive': 'archive',
  'brackets-curly': 'braces',
  'building-columns': 'landmark',
  bullhorn: 'megaphone',
  bullseye: 'target',
  burst: 'sparkles',
  'cart-shopping': 'shopping-cart',
  'caret-right': 'chevron-right',
  certificate: 'badge-check',
  'chart-bar': 'chart-column',
  'chart-simple': 'chart-column',
  'circle-dollar': 'circle-dollar-sign',
  'circle-dollar-to-slot': 'hand-coins',
  'circle-exclamation': 'circle-alert',
  'circle-info': 'info',
  'circle-nodes': 'waypoints',
  'circle-question': 'circle-question-mark',
  'circle-xmark': 'circle-x',
  'circles-overlap': 'blend',
  'clock-rotate-left': 'history',
  'code-branch': 'git-branch',
  'code-merge': 'git-merge',
  'code-pull-request': 'git-pull-request',
  comment: 'message-circle',
  comments: 'messages-square',
  computer: 'monitor',
  cube: 'box',
  cubes: 'boxes',
  desktop: 'monitor',
  'diagram-project': 'workflow',
  display: 'monitor',
  envelope: 'mail',
  exclamation: 'circle-alert',
  'eye-slash': 'eye-off',
  'face-smile': 'smile',
  'file-csv': 'file-spreadsheet',
  'file-export': 'file-output',
  'file-import': 'file-input',
  'file-invoice': 'receipt-text',
  'file-invoice-dollar': 'receipt',
  'file-lines': 'file-text',
  'file-magnifying-glass': 'file-search',
  'file-pdf': 'file-text',
  'floppy-disk': 'save',
  flask: 'flask-conical',
  'gauge-high': 'gauge',
  gear: 'settings',
  gears: 'cog',
  gitbook: 'book-open',
  'gitbook-assistant': 'sparkles',
  'globe-pointer': 'globe',
  grid: 'layout-grid',
  golang: 'file-code',
  'grid-2': 'layout-grid',
  'hand-wave': 'hand',
  'handshake-angle': 'handshake',
  hashtag: 'hash',
  'id-card-clip': 'id-card-lanyard',
  language: 'languages',
  'laptop-code': 'laptop',
  'layer-group': 'layers',
  'life-ring': 'life-buoy',
  'lightbulb-on': 'lightbulb',
  'list-check': 'list-checks',
  'list-timeline': 'chart-gantt',
  'list-ul': 'list',
  'location-dot': 'map-pin',
  'magnifying-glass': 'search',
  memo: 'notebook-text',
  message: 'message-square',
  microchip: 'cpu',
  'microchip-ai': 'cpu',
  microphone: 'mic',
  mobile: 'smartphone',
  'mobile-screen': 'smartphone',
  'money-bill': 'banknote',
  'money-bill-transfer': 'banknote-arrow-up',
  'node-js': 'file-code',
  'paper-plane': 'send',
  passport: 'book-user',
  'pen-to-square': 'square-pen',
  'people-group': 'users',
  'people-roof': 'house',
  'plug-circle-bolt': 'plug-zap',
  'puzzle-piece': 'puzzle',
  python: 'file-code',
  question: 'circle-question-mark',
  'rectangle-terminal': 'square-terminal',
  'right-to-bracket': 'log-in',
  robot: 'bot',
  rotate: 'refresh-cw',
  'rotate-left': 'rotate-ccw',
  'rotate-right': 'rotate-cw',
  'scale-balanced': 'scale',
  'screwdriver-wrench': 'wrench',
  seedling: 'sprout',
  'share-nodes': 'share-2',
  'shield-halved': 'shield',
  shop: 'store',
  sliders: 'sliders-horizontal',
  sparkle: 'sparkles',
  stars: 'sparkles',
  'table-cells': 'table',
  'table-columns': 'columns-2',
  'text-width': 'type',
  'toggle-on': 'toggle-right',
  toolbox: 'wrench',
  'trash-can': 'trash-2',
  'triangle-exclamation': 'triangle-alert',
  'truck-fast': 'truck',
  'up-right-from-square': 'external-link',
  'user-group': 'users',
  'user-headset': 'headset',
  'user-shield': 'shield-user',
  'users-gear': 'user-cog',
  'users-line': 'users',
  'wand-magic-sparkles': 'wand-sparkles',
  'wave-pulse': 'activity',
  'window-maximize': 'app-window',
  xmark: 'x',
}

/** Icons that point along the line, and point the other way where lines are read from right to left. */
const turning = new Set(['arrow-left', 'arrow-right', 'arrow-up-right', 'chevron-right'])

const drawn = new Map<string, Html>()

/** The icon as a decorative 1em SVG that takes the colour of its text; nothing when the name is unknown. */
export function icon(name: string | undefined): Html {
  if (name === undefined) return nothing
  const known = drawn.get(name)
  if (known !== undefined) return known
  const plain = name.toLowerCase().replace(/^fa-/, '')
  const wanted = Object.hasOwn(iconNames, plain) ? (iconNames[plain] as string) : plain
  const { icons, aliases } = iconSet()
  const own = Object.hasOwn(aliases, wanted) ? (aliases[wanted]?.parent ?? wanted) : wanted
  if (!Object.hasOwn(icons, own)) return nothing
  const body = trusted(icons[own]?.body ?? '')
  const svg = html`<svg class="${turning.has(own) ? 'icon turns' : 'icon'}" viewBox="0 0 24 24" width="1em" height="1em" aria-hidden="true">
    ${body}
  </svg>`
  // Only names of the set are kept, so text of people cannot fill the memory.
  drawn.set(name, svg)
  return svg
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
