/** Text contrast of every palette, whatever the colours of a site: computed independently from the emitted values. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Customization, defaultCustomization } from '../../contract/customization.js'
import { siteStylesheet } from './site-stylesheet.js'
import { type Palette, formatColor, paletteOf, surfacesOf } from './palette.js'

/** WCAG 2, of two `#rrggbb` colours: 1 to 21. */
function contrastRatio(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (high! + 0.05) / (low! + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = color.match(/[0-9a-f]{2}/g)!.map((hex) => {
    const share = parseInt(hex, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

const { styling, header } = defaultCustomization
const modes = ['light', 'dark'] as const
const same = (color: string) => ({ light: color, dark: color })
const steps = ['00', '66', 'aa', 'ff']
/** Every channel at four levels: 64 colours, from black to white. */
const grid = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))

function faults(palette: Palette, where: string): string[] {
  const surfaces = surfacesOf(palette).map(formatColor)
  const texts = ['ink', 'inkStrong', 'inkSoft', 'link'] as const
  const onSurfaces = texts.flatMap((name) =>
    surfaces.map((surface) => [name, formatColor(palette[name]), surface] as const),
  )
  const pairs = [
    ...onSurfaces,
    ['button', formatColor(palette.onPrimary), formatColor(palette.primary)] as const,
  ]
  return pairs
    .filter(([, text, surface]) => contrastRatio(text, surface) < 4.5)
    .map(([name, text, surface]) => `${where}: ${name} ${text} on ${surface}`)
}

describe('the colours of a site', () => {
  it.each(grid)('are readable with %s as primary, tint, semantic and header colour', (color) => {
    for (const theme of ['clean', 'muted', 'bold', 'gradient'] as const) {
      for (const background of ['plain', 'match'] as const) {
        for (const preset of ['default', 'bold', 'contrast', 'custom'] as const) {
          const named = { light: color, dark: color }
          const own = {
            ...styling,
            theme,
            background,
            primaryColor: named,
            tint: { color: named },
            infoColor: named,
            successColor: named,
            warningColor: named,
            dangerColor: named,
          }
          const ownHeader = { ...header, preset, backgroundColor: named, linkColor: same('#888') }
          for (const mode of modes) {
            const palette = paletteOf(own, ownHeader, mode)
            const where = `${theme} ${background} ${preset} ${mode}`
            const all = [...faults(palette, where), ...(palette.header ? faults(palette.header, where) : [])]
            for (const name of ['info', 'success', 'warning', 'danger'] as const) {
              const { ink, wash } = palette[name]
              for (const surface of [palette.page, wash].map(formatColor))
                if (contrastRatio(formatColor(ink), surface) < 4.5)
                  all.push(`${where}: ${name} on ${surface}`)
            }
            for (const [name, hue] of Object.entries(palette.hues))
              for (const surface of surfacesOf(palette).map(formatColor))
                if (contrastRatio(formatColor(hue), surface) < 4.5)
                  all.push(`${where}: ${name} on ${surface}`)
            expect(all).toEqual([])
          }
        }
      }
    }
  })

  it('leave a colour with enough contrast unchanged', () => {
    const primaryColor = { light: '#0b4a9e', dark: '#8db1f7' }
    const [light, dark] = modes.map((mode) => paletteOf({ ...styling, primaryColor }, header, mode))
    expect([light, dark].map((one) => formatColor(one!.link))).toEqual(['#0b4a9e', '#8db1f7'])
    expect(formatColor(light!.primary)).toBe('#0b4a9e')
  })

  it('are those of the style sheet by default', () => {
    const sheet = readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8')
    const [light, dark] = [paletteOf(styling, header, 'light'), paletteOf(styling, header, 'dark')]
    for (const name of ['info', 'success', 'warning', 'danger'] as const) {
      const pair = `light-dark(${formatColor(light[name].ink)}, ${formatColor(dark[name].ink)});`
      const washes = `light-dark(${formatColor(light[name].wash)}, ${formatColor(dark[name].wash)});`
      expect(sheet).toContain(`--${name}: ${pair}`)
      expect(sheet).toContain(`--${name}-wash: ${washes}`)
    }
  })
})

describe('the style sheet of a site', () => {
  const sheetWith = (change: Partial<Customization['styling']>, own: Partial<Customization> = {}) =>
    siteStylesheet({ ...defaultCustomization, ...own, styling: { ...styling, ...change } }, undefined)

  it('is empty for the default look, whatever the notation of its colours', () => {
    expect(siteStylesheet(defaultCustomization, undefined)).toBe('')
    expect(sheetWith({ primaryColor: same('#346ddb') })).toBe('')
  })

  it('contains the colours of both modes', () => {
    const sheet = sheetWith({ primaryColor: { light: '#0b4a9e', dark: '#8db1f7' } })
    expect(sheet).toContain('--link:light-dark(#0b4a9e,#8db1f7);')
    expect(sheet).toContain('--primary:light-dark(#0b4a9e,#8db1f7);')
    expect(sheet).toContain('--on-primary:light-dark(#ffffff,#000000);')
  })

  it('names a dismissible announcement', () => {
    expect(siteStylesheet(defaultCustomization, 'abc')).toBe(
      ':root[data-seen="abc"] .announcement{display:none}',
    )
  })
})
