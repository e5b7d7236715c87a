import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { measureImage } from './image-dimensions.js'

const namespace = 'xmlns="http://www.w3.org/2000/svg"'
const svg = (text: string) => measureImage(new TextEncoder().encode(text), 'image/svg+xml')

describe('the size of a drawing', () => {
  test.each<[string, string, number, number]>([
    ['numbers', `<svg ${namespace} width="100" height="50.4"/>`, 100, 50],
    ['pixels in single quotes', `<svg width='100px' height='50px'></svg>`, 100, 50],
    ['inches and points', `<svg width="1in" height="36pt"/>`, 96, 48],
    ['its box, where it says shares only', `<svg width="100%" height="100%" viewBox="0 0 30 20"/>`, 30, 20],
    ['its box with commas', `<svg viewBox="-5,-5,30.2,20"/>`, 30, 20],
    ['a width and a box', `<svg viewBox="0 0 30 20" width="60"/>`, 60, 40],
    ['a height and a box', `<svg\n viewBox="0 0 30 20"\n height="10">`, 15, 10],
    ['a prefix', `<svg:svg xmlns:svg="http://www.w3.org/2000/svg" width="3" height="4"/>`, 3, 4],
    [
      'what programs write before it',
      `\ufeff<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd" [\n<!ENTITY ns "http://x/>">\n]>\n<svg width="3" height="4">`,
      3,
      4,
    ],
  ])('follows from %s', async (_, text, width, height) => {
    expect(await svg(text)).toEqual({ width, height })
  })

  test.each([
    ['nothing', `<svg ${namespace}><rect width="20" height="30"/></svg>`],
    ['no drawing', '<html><svg width="1" height="1"/></html>'],
    ['no size', '<svg width="0" height="10" viewBox="0 0 0 0"/>'],
    ['more than is believed', '<svg width="999999999" height="1"/>'],
    ['a comment without an end', `<!--${' '.repeat(100_000)}`],
    ['a first tag that comes too late', `${' '.repeat(100_000)}<svg width="1" height="1"/>`],
    ['blanks without an end', `<svg width${' '.repeat(1_000_000)}`],
  ])('is left open by %s', async (_, text) => {
    expect(await svg(text)).toEqual({})
  })

  test('is read from the first tag alone: what is inside is not drawn', async () => {
    // Rendering this would not end, and it contains a filter of a million pixels.
    const endless = `<svg ${namespace} width="40" height="30"><filter id="f"><feTurbulence numOctaves="999"/></filter>${'<g filter="url(#f)">'.repeat(50_000)}`
    expect(await svg(endless)).toEqual({ width: 40, height: 30 })
  })
})

describe('the size of a picture', () => {
  test('is read from its header, with its orientation applied', async () => {
    const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: '#fff' } })
    expect(await measureImage(await picture.clone().png().toBuffer(), 'image/png')).toEqual({
      width: 30,
      height: 20,
    })
    const turned = await picture.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await measureImage(turned, 'image/jpeg')).toEqual({ width: 20, height: 30 })
  })

  test('is unknown for what is damaged and for what is no picture', async () => {
    expect(await measureImage(new Uint8Array([1, 2, 3]), 'image/png')).toEqual({})
    expect(await measureImage(new TextEncoder().encode('<svg width="1" height="1"/>'), 'text/plain')).toEqual(
      {},
    )
  })
})
