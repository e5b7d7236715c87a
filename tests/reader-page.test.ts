/** Block rendering in a browser: nothing overflows, everything is legible, reachable by keyboard and printable. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath } from './browser.js'
import { type Gallery, openGallery } from './gallery.js'

// Code that runs in the page is written as text: the types of a browser are not available.

/** Elements whose text contrasts less with its background than level AA requires, as text and ratio. */
const faintWords = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const paint = (colors) => {
    canvas.clearRect(0, 0, 1, 1)
    for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1) }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const light = (rgb) => rgb.map((part) => part / 255)
    .map((share) => share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
    .reduce((sum, share, index) => sum + share * [0.2126, 0.7152, 0.0722][index], 0)
  const faint = []
  for (const element of document.body.querySelectorAll('*')) {
    const words = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join('')
    const style = getComputedStyle(element)
    if (words === '' || element.closest('svg, [role=img], .unseen, .skip') || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const behind = []
    for (let at = element; at !== null; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor)
    const [a, b] = [light(paint(behind)), light(paint([...behind, style.color]))]
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    const size = parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(words.slice(0, 30) + ' ' + ratio.toFixed(2))
  }
  return faint
})()`

/** Opens everything collapsible; of the menus the last stays open. */
const openAll = `document.querySelectorAll('details').forEach((one) => (one.open = true))`

/** The box of the first element of a selector. */
const box = (selector: string) =>
  `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()`

describe.skipIf(!existsSync(browserPath))('the page of a reader', () => {
  let gallery: Gallery
  beforeAll(async () => {
    gallery = await openGallery()
  })
  afterAll(() => gallery.close())

  test.each([320, 360, 390, 768, 1280])('is never wider than a window of %i', async (width) => {
    const page = await gallery.open(width)
    await page.evaluate(openAll)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    // Boxes that cut off what sticks out would hide it from the measure above.
    const cut = `[...document.querySelectorAll('.pagination *, .hint *, .title *, .card *')]
      .filter((one) => one.closest('pre, .table') === null && one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML)`
    expect(await page.evaluate(cut)).toEqual([])
    await page.close()
  })

  test.each([false, true])('has words that contrast with what is behind them, dark: %s', async (dark) => {
    const page = await gallery.open(1280, { dark })
    await page.evaluate(openAll)
    expect(await page.evaluate(faintWords)).toEqual([])
    await page.close()
  })

  test('distinguishes a warning from a danger by colour', async () => {
    const page = await gallery.open(1280)
    const hue = (kind: string) => `(() => {
      const canvas = document.createElement('canvas').getContext('2d')
      canvas.fillStyle = getComputedStyle(document.querySelector('.hint-${kind} > .icon')).color
      canvas.fillRect(0, 0, 1, 1)
      const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data
      return Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180 / Math.PI
    })()`
    const [warning, danger] = [await page.evaluate(hue('warning')), await page.evaluate(hue('danger'))]
    expect(Number(warning) - Number(danger)).toBeGreaterThan(25)
    await page.close()
  })

  test('indents the tree of pages down to the fourth level and no further', async () => {
    const page = await gallery.open(1280)
    await page.evaluate(openAll)
    const starts =
      (await page.evaluate(`['Links and references', 'Anchors', 'Of headings', 'Of blocks', 'Of words', 'Of signs']
      .map((title) => [...document.querySelectorAll('.navigation a')].find((link) => link.textContent.startsWith(title)).getBoundingClientRect().left)`)) as number[]
    const steps = starts.slice(1).map((start, index) => Math.sign(start - starts[index]!))
    expect(steps).toEqual([1, 1, 0, 0, 0])
    await page.close()
  })

  test('lines up the buttons that are wrapped', async () => {
    const page = await gallery.open(320)
    expect(
      await page.evaluate(
        `[...new Set([...document.querySelectorAll('.body > p > .button')].map((one) => one.getBoundingClientRect().left))].length`,
      ),
    ).toBe(1)
    await page.close()
  })

  test('is reached past the header and the tree in one step', async () => {
    const page = await gallery.open(1280)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('octavo-content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true)
    await page.close()
  })

  test('switches from the system colour scheme to the other, and back', async () => {
    const page = await gallery.open(1280, { dark: true })
    const button = page.locator('[data-theme-toggle]')
    const colors = async () => [
      await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      await button.getAttribute('aria-label'),
    ]
    const dark = 'rgb(17, 19, 24)'
    expect(await colors()).toEqual([dark, 'Colours of your system'])
    await button.click()
    expect(await colors()).toEqual(['rgb(255, 255, 255)', 'Light colours'])
    await button.click()
    expect(await colors()).toEqual([dark, 'Dark colours'])
    await button.click()
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await colors()).toEqual(['rgb(255, 255, 255)', 'Colours of your system'])
    await page.reload()
    expect(await colors()).toEqual(['rgb(255, 255, 255)', 'Colours of your system'])
    await page.close()
  })

  test('prints whole tables and what is closed', async () => {
    const page = await gallery.open(760)
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(`${box('.expandable:not([open]) p')}.height`)).toBeGreaterThan(10)
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.body table')].every((one) => one.getBoundingClientRect().right <= innerWidth)`,
      ),
    ).toBe(true)
    await page.close()
  })

  describe('its tables', () => {
    /** Of settings and of the matrix. */
    const [settings, matrix] = ['.table.stacks', '.table.keeps-first:has(tr:nth-child(30))']

    test('take the room beside the text where they need it', async () => {
      const page = await gallery.open(1280)
      const [text, few, many] = [
        await page.evaluate(`${box('.body > p')}.width`),
        await page.evaluate(`${box(settings)}.width`),
        await page.evaluate(`${box(matrix)}.width`),
      ] as number[]
      expect(few).toBe(text)
      expect(many).toBeGreaterThan(text! + 100)
      await page.close()
    })

    test('stack their rows on a phone under the names of the columns, and stay tables', async () => {
      const page = await gallery.open(390)
      const labels = `[...document.querySelectorAll('${settings} td')].slice(0, 3).map((cell) => getComputedStyle(cell, '::before').content)`
      expect(await page.evaluate(labels)).toEqual(['"Setting" / ""', '"Default" / ""', '"What it is" / ""'])
      const lefts = `[...document.querySelectorAll('${settings} td')].slice(0, 3).map((cell) => cell.getBoundingClientRect().left)`
      expect(new Set((await page.evaluate(lefts)) as number[]).size).toBe(1)
      const table = page.getByRole('table').filter({ hasText: 'OCTAVO_DATA' })
      expect(await table.getByRole('columnheader').allTextContents()).toEqual([
        'Setting',
        'Default',
        'What it is',
      ])
      expect(await table.getByRole('row').count()).toBe(3)
      await page.close()
    })

    test('fade where there is more, and keep header and first column visible', async () => {
      const page = await gallery.open(768)
      const classes = () =>
        page.evaluate(
          `document.querySelector('${matrix}').className.replace(/table|keeps-first/g, '').trim()`,
        )
      await page.locator(matrix).scrollIntoViewIfNeeded()
      await expect.poll(classes).toBe('more-behind tall')
      await page.evaluate(
        `document.querySelector('${matrix}').scrollTo({ left: 200, top: 300, behavior: 'instant' })`,
      )
      await expect.poll(classes).toContain('more-before')
      expect(await page.evaluate(`${box(`${matrix} td`)}.left - ${box(matrix)}.left`)).toBeCloseTo(1, 0)
      expect(await page.evaluate(`${box(`${matrix} th`)}.top - ${box(matrix)}.top`)).toBeCloseTo(1, 0)
      expect(
        await page.evaluate(`getComputedStyle(document.querySelector('${matrix}')).maskImage`),
      ).toContain('gradient')
      await page.evaluate(`document.querySelector('${matrix}').scrollTo({ left: 9999, behavior: 'instant' })`)
      await expect.poll(classes).not.toContain('more-behind')
      await page.close()
    })

    test('that fit have their header below that of the page, and are no stop for the keyboard', async () => {
      const page = await gallery.open(1280)
      await expect
        .poll(() => page.evaluate(`document.querySelector('${settings}').hasAttribute('tabindex')`))
        .toBe(false)
      await page.evaluate(
        `scrollTo({ top: ${box(`${settings} tbody`)}.top + scrollY - ${box('.header')}.height - 20, behavior: 'instant' })`,
      )
      expect(await page.evaluate(`${box(`${settings} th`)}.top - ${box('.header')}.bottom + 1`)).toBeCloseTo(
        0,
        0,
      )
      await page.close()
    })
  })

  test('aligns an image that fills a list item with the text', async () => {
    const page = await gallery.open(1280)
    const picture = page.getByAltText('A picture alone')
    await picture.scrollIntoViewIfNeeded()
    const [image, item] = await Promise.all([
      picture.boundingBox(),
      page.locator('li', { has: picture }).boundingBox(),
    ])
    expect(image!.x - item!.x).toBeCloseTo(0, 0)
    // No empty line for the mark above it, and none below.
    expect(image!.y - item!.y).toBeLessThan(8)
    expect(item!.height - image!.height).toBeLessThan(16)
    await page.close()
  })

  describe('its code', () => {
    test('wraps and unwraps long lines by a button, absent for short ones', async () => {
      const page = await gallery.open(390)
      const long = page.locator('.code', { hasText: 'a rather long line' })
      const button = long.getByRole('button', { name: 'Wrap lines' })
      const pre = `[...document.querySelectorAll('pre')].find((one) => one.textContent.includes('a rather long line'))`
      const overflow = () => page.evaluate(`${pre}.scrollWidth > ${pre}.clientWidth`)
      expect(await overflow()).toBe(true)
      await button.focus()
      await page.keyboard.press('Enter')
      expect([await overflow(), await button.getAttribute('aria-pressed')]).toEqual([false, 'true'])
      await page.keyboard.press('Enter')
      expect([await overflow(), await button.getAttribute('aria-pressed')]).toEqual([true, 'false'])
      await page.setViewportSize({ width: 1280, height: 800 })
      const short = page.locator('.code', { hasText: 'const young' })
      expect(await short.getByRole('button').count()).toBe(1)
      await page.close()
    })

    test('is copied without the signs of a shell, by the keyboard too', async () => {
      const page = await gallery.open(1280)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.locator('.code', { hasText: 'Two commands' }).getByRole('button', { name: 'Copy' }).focus()
      await page.keyboard.press('Enter')
      await expect
        .poll(() => page.evaluate('navigator.clipboard.readText()'))
        .toBe('npx octavo import ./docs --site\nnpx octavo serve')
      await page.close()
    })
  })

  describe('copied as Markdown', () => {
    const body = '# Blocks\n\nÜber [alles](https://docs.example.com/all.md).\n'
    const open = async (width: number) => {
      const page = await gallery.open(width)
      await page.route('**/index.md', (route) => route.fulfill({ body, contentType: 'text/markdown' }))
      return { page, button: page.getByRole('button', { name: 'Copy as Markdown' }) }
    }

    test.each([390, 1280])('in a window of %i, by the keyboard alone, and announces it', async (width) => {
      const { page, button } = await open(width)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(body)
      await button.waitFor()
      await page.close()
    })

    test('where copying is not allowed the reader is brought to the text', async () => {
      const { page, button } = await open(1280)
      await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })')
      await button.click()
      await page.waitForURL('**/index.md')
      await page.close()
    })

    test('without scripts there is no button, but the link', async () => {
      const page = await gallery.open(1280, { scripts: false })
      expect(await page.locator('.copy-page').isVisible()).toBe(false)
      expect(await page.getByRole('link', { name: 'View as Markdown' }).isVisible()).toBe(true)
      await page.close()
    })
  })

  test('draws diagrams in the colours of the theme', async () => {
    const page = await gallery.open(1280)
    const shape = `getComputedStyle(document.querySelector('.drawing text[fill="var(--_text-muted)"]')).fill`
    const light = await page.evaluate(shape)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect([light, await page.evaluate(shape)]).toEqual(['rgb(85, 93, 107)', 'rgb(163, 171, 184)'])
    // The renderer has built-in text widths; labels fit their shapes in this font too.
    const outside = `[...document.querySelectorAll('.drawing g')].filter((group) => {
      const [shape, words] = [group.querySelector('rect, polygon, circle'), group.querySelector('text')]
      return shape && words && words.getBoundingClientRect().width > shape.getBoundingClientRect().width + 1
    }).map((group) => group.textContent)`
    expect(await page.evaluate(outside)).toEqual([])
    await page.close()
  })

  describe('its pictures', () => {
    const wide = '.images img[alt="Hills, wider than the text"]'

    test.each([
      ['Enter', 'Escape'],
      ['Space', 'Enter'],
    ])('are enlarged by %s and put back by %s, and the keyboard is where it was', async (open, close) => {
      const page = await gallery.open(1280)
      const picture = page.locator(wide)
      await picture.scrollIntoViewIfNeeded()
      await expect.poll(() => picture.getAttribute('role')).toBe('button')
      await picture.focus()
      await page.keyboard.press(open)
      const dialog = page.getByRole('dialog', { name: 'Hills, wider than the text' })
      const [pictureBox, enlargedBox] = [
        await picture.boundingBox(),
        await dialog.locator('img').boundingBox(),
      ]
      expect(enlargedBox!.width).toBeGreaterThan(pictureBox!.width * 1.4)
      expect(enlargedBox!.x + enlargedBox!.width).toBeLessThanOrEqual(1280)
      await page.keyboard.press(close)
      await expect.poll(() => dialog.count()).toBe(0)
      expect(await page.evaluate(`document.activeElement.matches('${wide}')`)).toBe(true)
      await page.close()
    })

    test('are no buttons where they are as large as they can be', async () => {
      const page = await gallery.open(1280)
      const picture = page.locator('.framed img')
      await picture.scrollIntoViewIfNeeded()
      await expect.poll(() => picture.getAttribute('role')).toBe('button')
      await page.evaluate(`document.querySelector('.framed img').setAttribute('width', '640')`)
      await expect.poll(() => picture.getAttribute('role')).toBe(null)
      expect(await picture.getAttribute('tabindex')).toBe(null)
      await page.close()
    })

    test('are dimmed in the dark, unless they were made for it', async () => {
      const filter = (selector: string) => `getComputedStyle(document.querySelector('${selector}')).filter`
      const page = await gallery.open(1280)
      expect(await page.evaluate(filter(wide))).toBe('none')
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await page.evaluate(filter(wide))).toBe('brightness(0.88)')
      expect(await page.evaluate(filter('.images .when-dark'))).toBe('none')
      await page.close()
    })
  })

  test('nothing was refused by the browser or requested from another host', () => {
    expect(gallery.complaints).toEqual([])
  })
})
