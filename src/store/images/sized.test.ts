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
  const open: FileStorage['open'] = (...asked) => {
    reads++
    return files.open(...asked)
  }
  return { storage: { ...files, open }, reads: () => reads }
}

const patient = { maxWait: 60_000 }

test('a size is made once, by whoever asks first, and kept', async () => {
  const { storage, reads } = counted()
  const images = createSizedImages(storage, patient)
  const [one, two] = await Promise.all([images.find(image, 480), images.find(image, 480)])
  expect(one).toBeInstanceOf(Uint8Array)
  expect(two).toEqual(one)
  expect(reads()).toBe(1)
  // Another process finds it.
  expect(await createSizedImages(storage, patient).find(image, 480)).toEqual(one)
  expect(reads()).toBe(1)
  expect((await sharp(one as Uint8Array).metadata()).width).toBe(480)
})

test('two processes that make one at the same time keep the same', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => createSizedImages(files, patient).find(image, 960)))
  expect(one).toEqual(two)
  expect(await files.derived.read(image.hash, '960.webp')).toEqual(one)
})

test('what is shown as it is, is tried once', async () => {
  const { storage, reads } = counted()
  const images = createSizedImages(storage, patient)
  const broken = await upload(Buffer.from('no picture'))
  expect(await images.find(broken, 480)).toBe('asItIs')
  expect(await images.find(broken, 480)).toBe('asItIs')
  expect(reads()).toBe(1)
  expect(await images.find({ ...image, contentType: 'image/gif' }, 480)).toBe('asItIs')
  expect(reads()).toBe(1)
})

test('who has no patience gets the original, and the size the next time', async () => {
  const images = createSizedImages(files, { maxWait: 0 })
  expect(await images.find(image, 480)).toBe('later')
  await images.close()
  expect(await createSizedImages(files, patient).find(image, 480)).toBeInstanceOf(Uint8Array)
})

test('they are made one after another, and no more than a few wait', async () => {
  let [atOnce, most] = [0, 0]
  const storage: FileStorage = {
    ...files,
    derived: {
      ...files.derived,
      async put(...asked) {
        atOnce++
        most = Math.max(most, atOnce)
        await new Promise((resolve) => setImmediate(resolve))
        await files.derived.put(...asked)
        atOnce--
      },
    },
  }
  const images = createSizedImages(storage, { ...patient, maxWaiting: 3 })
  const found = await Promise.all(([480, 960, 1600, 2400] as const).map((width) => images.find(image, width)))
  // Each looks first whether it is there already, so any of them may come last.
  expect(found.filter((one) => one instanceof Uint8Array)).toHaveLength(3)
  expect(found.filter((one) => one === 'later')).toHaveLength(1)
  expect(most).toBe(1)
})

test('after one that could not be made the others are', async () => {
  const { storage, reads } = counted()
  let isAway = true
  const put: FileStorage['derived']['put'] = (...asked) =>
    isAway ? Promise.reject(new Error('The storage is away')) : files.derived.put(...asked)
  const images = createSizedImages({ ...storage, derived: { ...files.derived, put } }, patient)
  expect(await images.find(image, 480)).toBe('later')
  isAway = false
  expect(await images.find(image, 480), 'not tried again at once').toBe('later')
  expect(reads()).toBe(1)
  expect(await images.find(image, 960)).toBeInstanceOf(Uint8Array)
})
