/**
 * Colour palette of a site, derived from its few configured colours.
 *
 * A site can configure any colour; text in it, or on it, must still be readable (WCAG 2 AA). So every text colour is
 * moved towards black or white, no further than it takes for enough contrast to each of the surfaces behind it.
 * Surfaces are mixed as in style sheets (OKLab), and all is rounded as it is emitted, so that the contrast holds for
 * the emitted values.
 */
import type { Customization } from '../../contract/customization.js'

export type ColorMode = 'light' | 'dark'

type Color = readonly [red: number, green: number, blue: number]
type Triple = readonly [number, number, number]

const white: Color = [255, 255, 255]
const black: Color = [0, 0, 0]

/** WCAG 2 level AA: minimum contrast of text, and of the outlines of controls. */
const minTextContrast = 4.5
const minShapeContrast = 3

/** Returns the channels of `#rgb` or `#rrggbb`; undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text)
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)
  const found = short ?? long
  if (found === null) return undefined
  const value = (index: number): number =>
    Number.parseInt((found[index] as string).repeat(short === null ? 1 : 2), 16)
  return [value(1), value(2), value(3)]
}

export function formatColor(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function toLinear(part: number): number {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function fromLinear(value: number): number {
  const share = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055
  return Math.min(255, Math.max(0, Math.round(share * 255)))
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map(toLinear) as unknown as Triple
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2 contrast ratio, from 1 to 21. */
export function contrast(a: Color, b: Color): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

function toOklab(color: Color): Triple {
  const [red, green, blue] = color.map(toLinear) as unknown as Triple
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  ]
}

function fromOklab([light, a, b]: Triple): Color {
  const long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    fromLinear(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    fromLinear(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    fromLinear(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
  ]
}

/** Mixes the first colour with a share of the second, like `color-mix(in oklab, …)`. */
export function mix(color: Color, other: Color, share: number): Color {
  const [from, to] = [toOklab(color), toOklab(other)]
  return fromOklab(from.map((part, at) => part + (to[at]! - part) * share) as unknown as Triple)
}

/** Returns the colour, moved no further than it takes for the contrast `least` to all of the surfaces. */
export function withContrast(color: Color, surfaces: readonly Color[], least = minTextContrast): Color {
  const towards = Math.min(...surfaces.map((one) => contrast(white, one)))
  const other = Math.min(...surfaces.map((one) => contrast(black, one)))
  const end = towards >= other ? white : black
  for (let step = 0; step < 40; step++) {
    const candidate = mix(color, end, step / 40)
    if (surfaces.every((surface) => contrast(candidate, surface) >= least)) return candidate
  }
  return end
}

/** Returns black or white, whichever has more contrast to a colour; one of them always has enough. */
function textOn(color: Color): Color {
  return contrast(white, color) >= contrast(black, color) ? white : black
}

/** Surfaces, and the text colours on them. */
export interface Palette {
  readonly page: Color
  /** Menus, dialogs and cards. */
  readonly raised: Color
  readonly soft: Color
  readonly soft2: Color
  readonly line: Color
  readonly lineStrong: Color
  readonly ink: Color
  readonly inkStrong: Color
  readonly inkSoft: Color
  readonly primary: Color
  readonly onPrimary: Color
  readonly link: Color
  readonly accentSoft: Color
  readonly accentLine: Color
  /** Background at the top of the page. */
  readonly top: Color
  /** Backgrounds of hints and other semantic boxes. */
  readonly washes: readonly Color[]
}

/** A semantic colour: of text on the page, and the background of its boxes. */
export interface MeaningColor {
  readonly ink: Color
  readonly wash: Color
}

export interface SitePalette extends Palette {
  readonly header: Palette | undefined
  /** Colours of code, methods and coloured text, by name. */
  readonly hues: Readonly<Record<Hue, Color>>
  readonly info: MeaningColor
  readonly success: MeaningColor
  readonly warning: MeaningColor
  readonly danger: MeaningColor
}

export type Hue = 'red' | 'orange' | 'yellow' | 'green' | 'blue' | 'purple'

/** Defaults of the style sheet. */
const defaultHues: Readonly<Record<ColorMode, Readonly<Record<Hue, string>>>> = {
  light: {
    red: '#b42318',
    orange: '#a84508',
    yellow: '#85590a',
    green: '#116b3a',
    blue: '#1f5bbf',
    purple: '#6d3bc4',
  },
  dark: {
    red: '#ff9c92',
    orange: '#fdb073',
    yellow: '#f3cd57',
    green: '#74d99f',
    blue: '#8db7fb',
    purple: '#c3a4fb',
  },
}

/** Defaults: the page, the base of greys, and three text colours. */
const defaultPalette = {
  light: {
    page: '#ffffff',
    raised: '#ffffff',
    base: '#ffffff',
    ink: '#1b1f27',
    inkStrong: '#0c0f14',
    inkSoft: '#555d6b',
  },
  dark: {
    page: '#111318',
    raised: '#191c23',
    base: '#15181e',
    ink: '#e4e7ec',
    inkStrong: '#f7f8fa',
    inkSoft: '#a3abb8',
  },
} as const
const defaultTint = '#64708a'

type Styling = Customization['styling']
type Header = Customization['header']

/** Returns the palette of a site in one mode. */
export function paletteOf(styling: Styling, header: Header, mode: ColorMode): SitePalette {
  const own = (text: string) => parseColor(text)!
  const of = defaultPalette[mode]
  const tint = own(styling.tint?.color[mode] ?? defaultTint)
  const primary = own(styling.primaryColor[mode])
  const isMuted = styling.theme === 'muted'
  const isMatched = styling.background === 'match'
  const share = (isMuted ? 0.07 : 0) + (isMatched ? 0.05 : 0)
  const colored = isMatched && styling.tint === undefined ? primary : tint
  const page = mix(own(of.page), colored, share)
  const base = mix(own(of.base), colored, share)
  const ground: PaletteBase = {
    page,
    raised: isMuted && mode === 'light' ? own(of.raised) : mix(own(of.raised), colored, share),
    base,
    tint,
    primary,
    inks: [own(of.ink), own(of.inkStrong), own(of.inkSoft)],
    top: styling.theme === 'gradient' ? mix(page, primary, mode === 'light' ? 0.16 : 0.24) : page,
  }
  const washOf = (color: Styling['infoColor']) => mix(page, own(color[mode]), mode === 'light' ? 0.09 : 0.13)
  const { infoColor, successColor, warningColor, dangerColor } = styling
  const meanings = [infoColor, successColor, warningColor, dangerColor]
  const palette = paletteOn(ground, meanings.map(washOf))
  const all = surfacesOf(palette)
  const meaning = (color: Styling['infoColor']): MeaningColor => ({
    wash: washOf(color),
    ink: withContrast(own(color[mode]), all),
  })
  const hues = Object.entries(defaultHues[mode]).map(([name, hue]) => [name, withContrast(own(hue), all)])
  return {
    ...palette,
    header: headerPalette(palette, styling, header, mode),
    hues: Object.fromEntries(hues) as Record<Hue, Color>,
    info: meaning(infoColor),
    success: meaning(successColor),
    warning: meaning(warningColor),
    danger: meaning(dangerColor),
  }
}

interface PaletteBase {
  readonly page: Color
  readonly raised: Color
  readonly base: Color
  readonly tint: Color
  readonly primary: Color
  readonly inks: readonly [ink: Color, strong: Color, soft: Color]
  readonly top: Color
}

function paletteOn(
  { page, raised, base, tint, primary, inks, top }: PaletteBase,
  washes: readonly Color[],
): Palette {
  const grey = mix(parseColor(defaultTint)!, tint, 0.4)
  const surfaces = {
    page,
    raised,
    top,
    soft: mix(base, tint, 0.05),
    soft2: mix(base, tint, 0.11),
    accentSoft: mix(page, primary, 0.09),
  }
  const all = [...Object.values(surfaces), ...washes]
  return {
    ...surfaces,
    washes,
    line: mix(base, grey, 0.2),
    lineStrong: mix(base, grey, 0.45),
    ink: withContrast(inks[0], all),
    inkStrong: withContrast(inks[1], all),
    inkSoft: withContrast(inks[2], all),
    primary,
    onPrimary: textOn(primary),
    link: withContrast(primary, all),
    accentLine: mix(page, primary, 0.38),
  }
}

/** Returns all surfaces behind text of a palette. */
export function surfacesOf(palette: Palette): readonly Color[] {
  const { page, raised, top, soft, soft2, accentSoft, washes } = palette
  return [page, raised, top, soft, soft2, accentSoft, ...washes]
}

/** Returns the palette of a header with its own colours; undefined for the default header. */
function headerPalette(
  page: Palette,
  { theme }: Styling,
  { preset, backgroundColor, linkColor }: Header,
  mode: ColorMode,
): Palette | undefined {
  const isBold = preset === 'bold' || (preset === 'default' && theme === 'bold')
  if (isBold) return filled(page.primary, page.onPrimary, page.onPrimary)
  if (preset === 'contrast') return filled(page.inkStrong, page.page, page.page)
  if (preset !== 'custom' || (backgroundColor ?? linkColor) === undefined) return undefined
  const ground = backgroundColor === undefined ? page.page : parseColor(backgroundColor[mode])!
  const link = linkColor === undefined ? textOn(ground) : parseColor(linkColor[mode])!
  return filled(ground, link, link)
}

function filled(ground: Color, ink: Color, accent: Color): Palette {
  const text = textOn(ground)
  // Away from the text colour, so that controls are visible without less text contrast.
  const away = text === white ? black : white
  const [soft, soft2] = [mix(ground, away, 0.1), mix(ground, away, 0.18)]
  const palette = {
    page: ground,
    raised: ground,
    top: ground,
    soft,
    soft2,
    accentSoft: soft,
    washes: [],
    line: mix(ground, text, 0.22),
    lineStrong: withContrast(mix(ground, text, 0.4), [ground], minShapeContrast),
  }
  const surfaces = [ground, soft, soft2]
  const [readable, link] = [withContrast(ink, surfaces), withContrast(accent, surfaces)]
  return {
    ...palette,
    ink: readable,
    inkStrong: readable,
    inkSoft: readable,
    primary: link,
    onPrimary: textOn(link),
    link,
    accentLine: palette.lineStrong,
  }
}
