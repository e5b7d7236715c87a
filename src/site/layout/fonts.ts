/**
 * Web fonts of a site, as `@font-face` rules: built-in families by name, and uploaded files.
 *
 * A font is split into files by script, weight and style (unicode-range), and a browser loads only those that the text of
 * the page needs. Until they are loaded, and for other scripts, the system fonts of the reader are used.
 */
import type { Customization, FontDefinition, FontName } from '../../contract/customization.js'

type Script = 'latin' | 'latin-ext' | 'cyrillic' | 'cyrillic-ext' | 'greek' | 'vietnamese'

const ranges: Readonly<Record<Script, string>> = {
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  vietnamese:
    'U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB',
  greek: 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF',
  'cyrillic-ext': 'U+0460-052F,U+1C80-1C8A,U+20B4,U+2DE0-2DFF,U+A640-A69F,U+FE2E-FE2F',
  cyrillic: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
}

/** A font family and its files: `<folder>-<script>-<weight>-<style>.woff2`. */
interface FontFamily {
  readonly folder: string
  readonly version: string
  readonly scripts: readonly Script[]
  /** Bold weight. */
  readonly bold: 500 | 600 | 700
  readonly hasItalic: boolean
}

const western: readonly Script[] = ['latin-ext', 'latin']
const vietnamese: readonly Script[] = ['latin-ext', 'vietnamese', 'latin']
const easternToo: readonly Script[] = ['latin-ext', 'vietnamese', 'cyrillic-ext', 'cyrillic', 'latin']
const greek: readonly Script[] = ['latin-ext', 'greek', 'cyrillic-ext', 'cyrillic', 'latin']
const all: readonly Script[] = ['latin-ext', 'vietnamese', 'greek', 'cyrillic-ext', 'cyrillic', 'latin']

function family(folder: string, scripts: readonly Script[], more: Partial<FontFamily> = {}): FontFamily {
  return { folder, version: '5.3.0', scripts, bold: 600, hasItalic: true, ...more }
}

/** ABC Favorit is commercial: the closest free font replaces it. */
const families: ReadonlyMap<FontName, FontFamily> = new Map([
  ['ABCFavorit', family('space-grotesk', vietnamese, { hasItalic: false })],
  ['Inter', family('inter', all)],
  ['Roboto', family('roboto', all)],
  ['RobotoSlab', family('roboto-slab', all, { hasItalic: false })],
  ['OpenSans', family('open-sans', all)],
  ['SourceSansPro', family('source-sans-3', all, { version: '5.3.1' })],
  ['Lato', family('lato', western, { bold: 700 })],
  ['Ubuntu', family('ubuntu', greek, { bold: 700 })],
  ['Raleway', family('raleway', easternToo)],
  ['Merriweather', family('merriweather', easternToo, { bold: 700 })],
  ['Overpass', family('overpass', easternToo)],
  ['NotoSans', family('noto-sans', all)],
  ['IBMPlexSerif', family('ibm-plex-serif', easternToo)],
  ['Poppins', family('poppins', western)],
  ['FiraSans', family('fira-sans', all)],
  ['FiraCode', family('fira-code', greek, { hasItalic: false })],
  ['IBMPlexMono', family('ibm-plex-mono', easternToo)],
  ['JetBrainsMono', family('jetbrains-mono', all)],
  ['SourceCodePro', family('source-code-pro', all, { version: '5.3.1' })],
  ['RobotoMono', family('roboto-mono', all)],
  ['SpaceMono', family('space-mono', vietnamese, { bold: 700 })],
  ['DMMono', family('dm-mono', western, { bold: 500 })],
  ['Inconsolata', family('inconsolata', vietnamese, { hasItalic: false })],
])

/** The files of a family, by weight and style. */
function filesOf({ folder, scripts, bold, hasItalic }: FontFamily) {
  return scripts.flatMap((script) =>
    [
      { weight: 400, style: 'normal', weights: '1 499' },
      { weight: bold, style: 'normal', weights: '500 1000' },
      ...(hasItalic ? [{ weight: 400, style: 'italic', weights: '1 499' }] : []),
    ].map(({ weight, style, weights }) => ({
      name: `${folder}-${script}-${weight}-${style}.woff2`,
      style,
      weights,
      range: ranges[script],
    })),
  )
}

function builtInFontRules(name: string, chosen: FontName): string {
  const builtIn = families.get(chosen)!
  return filesOf(builtIn)
    .map(
      (file) =>
        `@font-face{font-family:${name};font-style:${file.style};font-weight:${file.weights};font-display:swap;src:url(/~octavo/assets/fonts/${file.name}?v=${builtIn.version}) format("woff2");unicode-range:${file.range}}`,
    )
    .join('')
}

/** Percent-encodes characters that would end a URL in a style sheet. */
function quoted(url: string): string {
  return `url("${url.replace(/["\\<>\s]/g, encodeURIComponent)}")`
}

function uploadedFontRules(name: string, { fontFaces }: FontDefinition): string {
  return fontFaces
    .map(({ weight, sources }) => {
      const from = sources.map(({ url, format }) => quoted(url) + (format ? ` format("${format}")` : ''))
      return `@font-face{font-family:${name};font-weight:${weight};font-display:swap;src:${from.join()}}`
    })
    .join('')
}

function rulesOf(name: string, chosen: FontName | FontDefinition): string {
  return typeof chosen === 'string' ? builtInFontRules(name, chosen) : uploadedFontRules(name, chosen)
}

/** Returns the rules for the fonts of a site; none for system fonts. */
export function fontRules({ font, headingFont, monospaceFont }: Customization['styling']): string {
  return [
    font === undefined ? '' : `${rulesOf('site-text', font)}body{font-family:site-text,var(--sans)}`,
    headingFont === undefined
      ? ''
      : `${rulesOf('site-heading', headingFont)}h1,h2,h3,h4,.brand-title{font-family:site-heading,var(--sans)}`,
    monospaceFont === undefined
      ? ''
      : `${rulesOf('site-mono', monospaceFont)}:root{--mono:site-mono,ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}`,
  ].join('')
}
