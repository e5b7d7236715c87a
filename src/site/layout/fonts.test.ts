/** Fonts that a site can choose: each file named in a style sheet is of the installed release. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultCustomization, fonts, monospaceFonts } from '../../contract/customization.js'
import { fontRules } from './fonts.js'

const { styling } = defaultCustomization
const packages = new URL('../../../node_modules/@fontsource/', import.meta.url)
const named = [
  ...fonts.map((font) => [font, fontRules({ ...styling, font })] as const),
  ...monospaceFonts.map((font) => [font, fontRules({ ...styling, monospaceFont: font })] as const),
]

test.each(named)('%s has its files and unicode ranges', (_, rules) => {
  const faces = rules.match(/@font-face\{[^}]*\}/g)!
  expect(faces.length).toBeGreaterThanOrEqual(4)
  for (const face of faces) {
    const [, name, version, range] =
      /url\(\/~octavo\/assets\/fonts\/([\w-]+)\.woff2\?v=([\d.]+)\)[^}]*unicode-range:([^;}]+)/.exec(face)!
    const [, folder, script, weight, style] =
      /^(.+?)-((?:latin|cyrillic|greek|vietnamese)(?:-ext)?)-(\d+)-(normal|italic)$/.exec(name!)!
    const home = new URL(`${folder}/`, packages)
    expect(existsSync(new URL(`files/${name}.woff2`, home)), name).toBe(true)
    expect(existsSync(new URL('LICENSE', home)), folder).toBe(true)
    expect(JSON.parse(readFileSync(new URL('package.json', home), 'utf8')).version).toBe(version)
    const packageStyles = readFileSync(
      new URL(`${script}-${weight}${style === 'italic' ? '-italic' : ''}.css`, home),
      'utf8',
    )
    // One release has an additional currency sign in two families.
    const written = /unicode-range: ([^;]+);/.exec(packageStyles)?.[1]
    if (written !== undefined) expect(written.replace('U+20AD-20C4', 'U+20AD-20C0')).toBe(range)
  }
})

test('system fonts need no rule', () => {
  expect(fontRules(styling)).toBe('')
})

test('a file URL cannot close a CSS rule', () => {
  const url = '/~octavo/files/a/b/c.woff2?v=1");}body{display:none}\n</style>\\'
  const font = {
    id: 'own',
    custom: true,
    fontFamily: 'Own',
    fontFaces: [{ weight: 400, sources: [{ url }] }],
  }
  const rules = fontRules({ ...styling, font })
  const [, inside] = /src:url\("([^"]*)"\)\}body\{font-family/.exec(rules)!
  expect(inside).not.toMatch(/["\\<>\s]/)
})
