import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Card, cardSize, drawCard, drawSign, signSize } from './card.js'

const card: Card = { site: 'Handbook', title: 'Publishing', color: '#346ddb' }
const draw = (changed: Partial<Card>) => drawCard({ ...card, ...changed })

/** Number of nearly black pixels, which are letters. */
async function ink(bytes: Uint8Array): Promise<number> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let count = 0
  for (let at = 0; at < data.length; at += info.channels)
    if (data[at]! < 60 && data[at + 1]! < 60 && data[at + 2]! < 60) count++
  return count
}

describe('the social image of a page', () => {
  test('is a PNG of the usual size, and deterministic', async () => {
    const bytes = await draw({})
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', ...cardSize })
    expect(bytes).toEqual(await draw({}))
  })

  test('contains the titles of the page and the site, in its colour', async () => {
    const usual = await ink(await draw({}))
    expect(await ink(await draw({ title: 'Publishing sites' }))).toBeGreaterThan(usual)
    expect(await ink(await draw({ site: 'Handbook of everything' }))).toBeGreaterThan(usual)
    const foot = { left: 600, top: cardSize.height - 4, width: 1, height: 1 }
    const color = async (bytes: Uint8Array) => [
      ...(await sharp(bytes).extract(foot).removeAlpha().raw().toBuffer()),
    ]
    expect(await color(await draw({ color: '#0a0' }))).toEqual([0, 170, 0])
    expect(await color(await draw({ color: 'url(file:///etc/passwd)' }))).toEqual([52, 109, 219])
  })

  test('omits characters that the font lacks', async () => {
    const without = await draw({ title: '' })
    for (const title of ['安装指南', 'دليل التثبيت', 'מדריך', 'Guide 指南'])
      expect(await draw({ title }), title).toEqual(without)
    expect(await draw({ title: 'Publishing 🚀👩🏽‍💻' })).toEqual(await draw({}))
    for (const title of ['Установка', 'Οδηγός', 'Größe – “naïve” €5'])
      expect(await ink(await draw({ title })), title).toBeGreaterThan(await ink(without))
  })

  test('draws user texts verbatim, as far as they fit', async () => {
    const markup = '<b>&amp;</b> <span size="90000">x</span>'
    expect(await ink(await draw({ title: markup }))).toBeGreaterThan(await ink(await draw({ title: 'x' })))
    for (const title of [
      '\u0000\u0001 control',
      'W'.repeat(10_000),
      'word '.repeat(2_000),
      '<',
      '&',
      '\ud800',
    ])
      expect(await sharp(await draw({ title, description: title, site: title })).metadata()).toMatchObject(
        cardSize,
      )
  })
})

test('the icon of a site is its first letter on its colour', async () => {
  const sign = await drawSign({ site: '«octavo»', color: '#346ddb' })
  expect(await sharp(sign).metadata()).toMatchObject({ format: 'png', width: signSize, height: signSize })
  expect(sign).toEqual(await drawSign({ site: 'Other', color: '#346ddb' }))
  expect(sign).not.toEqual(await drawSign({ site: 'Handbook', color: '#346ddb' }))
  expect(await sharp(await drawSign({ site: '文', color: '#346ddb' })).metadata()).toMatchObject({
    width: signSize,
  })
})
