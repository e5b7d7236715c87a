/**
 * The colours of a site: a small style sheet of custom properties, and the choice of light or dark.
 *
 * A site names any colour it likes; text in that colour must still be readable. So two values are
 * derived from each: one for text on the page, moved towards black or white until the contrast is
 * enough, and one for text on the colour itself.
 */
import { createHash } from 'node:crypto'

export interface SiteColors {
  /** `#rgb` or `#rrggbb`. */
  readonly primary?: { readonly light: string; readonly dark: string }
  /** Colours the neutral surfaces a little. */
  readonly tint?: { readonly light: string; readonly dark: string }
}

type Color = readonly [red: number, green: number, blue: number]

const white: Color = [255, 255, 255]
const black: Color = [0, 0, 0]

/** Page backgrounds of the style sheet, and the contrast that WCAG 2 asks of text at level AA. */
const surfaces = { light: white, dark: [17, 19, 24] as Color }
const enough = 4.5

function parseColor(text: string): Color | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)
  const found = short ?? long
  if (found === null) return undefined
  const value = (index: number): number =>
    Number.parseInt((found[index] as string).repeat(short === null ? 1 : 2), 16)
  return [value(1), value(2), value(3)]
}

function formatColor(color: Color): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: Color, b: Color): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function mix(color: Color, towards: Color, share: number): Color {
  return color.map((part, index) => part + ((towards[index] as number) - part) * share) as unknown as Color
}

/** The colour, moved away from the surface no further than text on it needs. */
function readableOn(surface: Color, color: Color): Color {
  const towards = contrast(white, surface) > contrast(black, surface) ? white : black
  for (let share = 0; share < 1; share += 0.05) {
    // Rounded as it will be printed, so that the promise holds for the printed value.
    const candidate = mix(color, towards, share).map(Math.round) as unknown as Color
    if (contrast(candidate, surface) >= enough) return candidate
  }
  return towards
}

function primaryRules(color: Color, surface: Color): string {
  const onPrimary = contrast(white, color) >= contrast(black, color) ? white : black
  const mode = surface === surfaces.light ? 'light' : 'dark'
  return [
    `--primary-${mode}:${formatColor(color)};`,
    `--link-${mode}:${formatColor(readableOn(surface, color))};`,
    `--on-primary-${mode}:${formatColor(onPrimary)};`,
  ].join('')
}

/** The style sheet with a site's colours, to be served beside the product's own; empty when it has none that can be read. */
export function themeStylesheet(colors: SiteColors): string {
  let rules = ''
  for (const mode of ['light', 'dark'] as const) {
    const primary = parseColor(colors.primary?.[mode] ?? '')
    if (primary !== undefined) rules += primaryRules(primary, surfaces[mode])
    const tint = parseColor(colors.tint?.[mode] ?? '')
    if (tint !== undefined) rules += `--tint-${mode}:${formatColor(tint)};`
  }
  return rules === '' ? '' : `:root{${rules}}`
}

/**
 * Runs before the first paint: marks that scripts run, and applies the reader's own theme. When the
 * browser program cannot be loaded the mark goes away again, and the page is as without scripts.
 */
export const themeScript =
  "(function(r){r.classList.add('js');try{var t=localStorage.getItem('octavo-theme');if(t&&r.hasAttribute('data-toggleable'))t=='system'?r.removeAttribute('data-theme'):r.setAttribute('data-theme',t)}catch(e){}addEventListener('error',function(e){if(e.target&&e.target.tagName==='SCRIPT')r.classList.remove('js')},true)})(document.documentElement)"

/** What a Content-Security-Policy must allow in `script-src` beside `'self'` for `themeScript` to run. */
export const themeScriptHash = `'sha256-${createHash('sha256').update(themeScript).digest('base64')}'`
