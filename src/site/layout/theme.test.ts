import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { themeScript, themeScriptHash, themeStylesheet } from './theme.js'

function valueOf(sheet: string, name: string): string {
  return new RegExp(`--${name}:(#[0-9a-f]{6});`).exec(sheet)?.[1] ?? ''
}

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

describe('themeStylesheet', () => {
  const colors = [
    '#fff',
    '#000',
    '#ffcc00',
    '#346ddb',
    '#777777',
    '#0f0',
    '#00f',
    '#f00',
    '#fafafa',
    '#101010',
  ]

  it.each(colors)('keeps text readable whatever the colour: %s', (color) => {
    const sheet = themeStylesheet({ primary: { light: color, dark: color } })
    expect(contrastRatio(valueOf(sheet, 'link-light'), '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrastRatio(valueOf(sheet, 'link-dark'), '#111318')).toBeGreaterThanOrEqual(4.5)
    for (const mode of ['light', 'dark']) {
      const onPrimary = contrastRatio(valueOf(sheet, `on-primary-${mode}`), valueOf(sheet, `primary-${mode}`))
      expect(onPrimary).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('leaves a colour alone that is readable already', () => {
    expect(valueOf(themeStylesheet({ primary: { light: '#0b4a9e', dark: '#8db1f7' } }), 'link-light')).toBe(
      '#0b4a9e',
    )
  })

  it('writes the tint, and both modes on their own', () => {
    expect(themeStylesheet({ tint: { light: '#abc', dark: 'none' } })).toBe(':root{--tint-light:#aabbcc;}')
  })

  it.each(['red', '', '#12', '#12345', '#fff;}body{display:none', 'url(x)', '#fffffff'])(
    'takes nothing from %j',
    (color) => {
      expect(
        themeStylesheet({ primary: { light: color, dark: color }, tint: { light: color, dark: color } }),
      ).toBe('')
    },
  )
})

describe('themeScript', () => {
  it('has the hash that the content policy names', () => {
    expect(themeScriptHash).toBe(`'sha256-${createHash('sha256').update(themeScript).digest('base64')}'`)
    expect(themeScript).not.toMatch(/<\/script/i)
  })
})
