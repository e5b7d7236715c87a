import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, expect, test } from 'vitest'
import type { Hash } from '../../core/ids.js'
import { openDirectory } from '../files/directory.js'
import type { FileStorage } from '../files/storage.js'
import { createSizedImages } from './sized.js'

let folder: string
let files: FileStorage
let image: { hash: Hash; size: number; contentType: string; width: number; height: number }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-images-'))
  files = await openDirectory(folder)
  image = await upload(await picture(1000))
})

const picture = (width: number) =>
  sharp({
    create: {
      width,
      height: 400,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .png()
    .toBuffer()

const upload = async (bytes: Uint8Array) => {
  const { hash } = await files.put(bytes)
  return { hash, size: 50_000, contentType: 'image/png', width: 1000, height: 400 }
}

/** The storage, counting how often originals are read. */
function counted(): { storage: FileStorage; reads: () => number } {
  let reads = 0
  const open: FileStorage['open'] = (...args) => {
    reads++
    return files.open(...args)
  }
  return { storage: { ...files, open }, reads: () => reads }
}

const waitLong = { maxWait: 60_000 }

test('a resized image is created once, by the first request, and stored', async () => {
  const { storage, reads } = counted()
  const images = createSizedImages(storage, waitLong)
  const [one, two] = await Promise.all([images.find(image, 480), images.find(image, 480)])
  expect(one).toBeInstanceOf(Uint8Array)
  expect(two).toEqual(one)
  expect(reads()).toBe(1)
  // Another process finds it.
  expect(await createSizedImages(storage, waitLong).find(image, 480)).toEqual(one)
  expect(reads()).toBe(1)
  expect((await sharp(one as Uint8Array).metadata()).width).toBe(480)
})

test('two processes that create one concurrently store the same', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => createSizedImages(files, waitLong).find(image, 960)))
  expect(one).toEqual(two)
  expect(await files.derived.read(image.hash, '960.webp')).toEqual(one)
})

test('an image whose original is used is tried once', async () => {
  const { storage, reads } = counted()
  const images = createSizedImages(storage, waitLong)
  const broken = await upload(Buffer.from('no picture'))
  expect(await images.find(broken, 480)).toBe('asItIs')
  expect(await images.find(broken, 480)).toBe('asItIs')
  expect(reads()).toBe(1)
  expect(await images.find({ ...image, contentType: 'image/gif' }, 480)).toBe('asItIs')
  expect(reads()).toBe(1)
})

test('without waiting a request gets the original, and the resized image the next time', async () => {
  const images = createSizedImages(files, { maxWait: 0 })
  expect(await images.find(image, 480)).toBe('later')
  await images.close()
  expect(await createSizedImages(files, waitLong).find(image, 480)).toBeInstanceOf(Uint8Array)
})

test('they are created one after another, and the number of waiting ones is bounded', async () => {
  let [concurrent, most] = [0, 0]
  const storage: FileStorage = {
    ...files,
    derived: {
      ...files.derived,
      async put(...args) {
        concurrent++
        most = Math.max(most, concurrent)
        await new Promise((resolve) => setImmediate(resolve))
        await files.derived.put(...args)
        concurrent--
      },
    },
  }
  const images = createSizedImages(storage, { ...waitLong, maxWaiting: 3 })
  const found = await Promise.all(([480, 960, 1600, 2400] as const).map((width) => images.find(image, width)))
  // Each checks first whether it exists already, so any of them may be the last.
  expect(found.filter((one) => one instanceof Uint8Array)).toHaveLength(3)
  expect(found.filter((one) => one === 'later')).toHaveLength(1)
  expect(most).toBe(1)
})

test('the others are created after a failed one', async () => {
  const { storage, reads } = counted()
  let isAway = true
  const put: FileStorage['derived']['put'] = (...args) =>
    isAway ? Promise.reject(new Error('The storage is away')) : files.derived.put(...args)
  const images = createSizedImages({ ...storage, derived: { ...files.derived, put } }, waitLong)
  expect(await images.find(image, 480)).toBe('later')
  isAway = false
  expect(await images.find(image, 480), 'not tried again at once').toBe('later')
  expect(reads()).toBe(1)
  expect(await images.find(image, 960)).toBeInstanceOf(Uint8Array)
})
