import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { resizeImage } from './resize.js'

/** Noise, so that fewer pixels are fewer bytes. */
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

const about = async (bytes: Uint8Array | undefined) => {
  const { format, width, height, orientation, icc, exif } = await sharp(bytes).metadata()
  return { format, width, height, orientation, icc, exif }
}

describe('a resized image', () => {
  test('is WebP of the requested width, and never wider than the original', async () => {
    const bytes = await noise(1000, 500).png().toBuffer()
    expect(await about(await resizeImage(bytes, 480))).toMatchObject({
      format: 'webp',
      width: 480,
      height: 240,
    })
    expect(await about(await resizeImage(bytes, 2400))).toMatchObject({ width: 1000, height: 500 })
  })

  test('is upright, and has no camera metadata', async () => {
    const bytes = await noise(1000, 500)
      .jpeg()
      .withExif({ IFD0: { Make: 'Camera' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const made = await about(await resizeImage(bytes, 480))
    expect(made).toEqual({
      format: 'webp',
      width: 480,
      height: 960,
      orientation: undefined,
      icc: undefined,
      exif: undefined,
    })
  })

  test('retains transparency', async () => {
    const bytes = await noise(600, 600)
      .joinChannel(
        await sharp({ create: { width: 600, height: 600, channels: 3, background: '#404040' } })
          .extractChannel(0)
          .toBuffer(),
        { raw: { width: 600, height: 600, channels: 1 } },
      )
      .png()
      .toBuffer()
    const { data } = await sharp(await resizeImage(bytes, 480))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect((await sharp(await resizeImage(bytes, 480)).metadata()).hasAlpha).toBe(true)
    expect(Math.abs(data[3]! - 0x40)).toBeLessThan(4)
  })

  test('has the colours of its profile', async () => {
    const green = sharp({ create: { width: 600, height: 400, channels: 3, background: '#20c040' } })
    const wide = await green
      .clone()
      .composite([{ input: await noise(600, 100).png().toBuffer(), top: 300, left: 0 }])
      .withIccProfile('p3')
      .png()
      .toBuffer()
    const { icc } = await sharp(wide).metadata()
    expect(icc, 'the original has a profile').toBeDefined()
    const stored = await sharp(wide, { ignoreIcc: true } as never)
      .extract({ left: 10, top: 10, width: 1, height: 1 })
      .raw()
      .toBuffer()
    const [r, g, b] = await sharp(await resizeImage(wide, 480))
      .extract({ left: 10, top: 10, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect([...stored.subarray(0, 3)], 'its numbers are others').not.toEqual([0x20, 0xc0, 0x40])
    expect([Math.abs(r! - 0x20), Math.abs(g! - 0xc0), Math.abs(b! - 0x40)].every((off) => off < 12)).toBe(
      true,
    )
  })
})

describe('the original is used', () => {
  test('when it is animated', async () => {
    const frames = await noise(600, 1200).raw().toBuffer()
    const moving = await sharp(frames, { raw: { width: 600, height: 1200, channels: 3, pageHeight: 600 } })
      .webp({ loop: 0 })
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(2)
    expect(await resizeImage(moving, 480)).toBeUndefined()
  })

  test('when it would not become smaller', async () => {
    const poor = await noise(600, 400).webp({ quality: 1 }).toBuffer()
    expect(await resizeImage(poor, 2400)).toBeUndefined()
  })

  test('when it is damaged, truncated, or not an image', async () => {
    const bytes = await noise(1000, 500).jpeg().toBuffer()
    expect(await resizeImage(bytes, 480)).toBeDefined()
    expect(await resizeImage(bytes.subarray(0, bytes.length / 2), 480)).toBeUndefined()
    expect(await resizeImage(Buffer.from('no picture at all'.repeat(1000)), 480)).toBeUndefined()
    expect(await resizeImage(new Uint8Array(), 480)).toBeUndefined()
    // Large enough that a resized image would be smaller.
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600"><!--${' '.repeat(100_000)} --></svg>`
    expect(await resizeImage(Buffer.from(drawing), 480)).toBeUndefined()
  })

  test('when few bytes decode to more pixels than allowed', async () => {
    const flat = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .png({ compressionLevel: 9 })
        .toBuffer()
    const [usual, bomb] = [await flat(3000, 3000), await flat(7400, 7400)]
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await resizeImage(bomb, 480)).toBeUndefined()
    expect(await resizeImage(usual, 480), 'the same with fewer pixels').toBeDefined()
  })
})
