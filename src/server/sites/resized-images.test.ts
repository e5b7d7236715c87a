/** Responsive images: offered on pages in several sizes, resized once, and with the access of the original. */
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { createSizedImages } from '../../store/images/sized.js'
import { openDirectory } from '../../store/files/directory.js'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { Person } from '../../../tests/test-client.js'

const picture = (width: number) =>
  sharp({
    create: {
      width,
      height: 160,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

describeSqlite('resized images', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let site: { id: string; base: string }
  /** URLs without the reader's token. */
  let photo: string
  let broken: string

  beforeAll(async () => {
    const files = await openDirectory(await mkdtemp(join(tmpdir(), 'octavo-files-')))
    const images = createSizedImages(files, { maxWait: 60_000 })
    client = await openSiteClient(await engine.open(), undefined, { files, images })
    ann = await client.person('ann')
    acme = await client.organization(ann)
    space = (await client.space(ann, acme, 'Pictures', [])).id
    const whole = await picture(1200).png().toBuffer()
    // Complete enough to be measured.
    const cut = (await picture(1200).jpeg({ quality: 90 }).toBuffer()).subarray(0, 40_000)
    await client.change(ann, space, [
      {
        operation: 'insert_files',
        files: [
          { ref: 'photo', name: 'photo.png', base64: whole.toString('base64') },
          { ref: 'broken', name: 'broken.jpg', base64: cut.toString('base64') },
        ],
      },
      {
        operation: 'insert_page',
        slug: 'home',
        document: {
          markdown: '# Home\n\n![a](./photo)\n\n![b](./broken)\n\n![c](https://example.com/c.png)\n',
        },
      },
    ])
    const { items } = (await client.request(ann, 'GET', `/spaces/${space}/content/files`)).body
    const urlOf = (name: string) => {
      const url = new URL(items.find((item: { name: string }) => item.name === name).downloadURL)
      url.searchParams.delete('token')
      return url.pathname + url.search
    }
    ;[photo, broken] = [urlOf('photo.png'), urlOf('broken.jpg')]
    site = await client.publish(ann, acme, { title: 'Pictures', spaces: [space] })
  })

  const readBytes = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await client.server.inject({ url, headers: { host: 'octavo.test', ...headers } })
    return { status: answer.statusCode, bytes: answer.rawPayload, headers: answer.headers }
  }

  test('a page offers its images in several sizes, each of the declared width', async () => {
    const { text } = await client.read(site.base)
    const images = [...text.matchAll(/<img [^>]*>/g)].map(([tag]) => tag.replaceAll('&amp;', '&'))
    expect(images).toHaveLength(3)
    const [first, second, foreign] = images as [string, string, string]
    expect(first).toContain(`src="${photo}"`)
    expect(first).toMatch(/width="1200" height="160"/)
    const offered = /srcset="([^"]+)"/
      .exec(first)![1]!
      .split(', ')
      .map((one) => one.split(' '))
    expect(offered.map(([, width]) => width)).toEqual(['480w', '960w', '1200w'])
    for (const [url, width] of offered) {
      const { status, bytes, headers } = await readBytes(url!)
      expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
      expect(headers['content-disposition']).toBe('inline; filename=photo.webp')
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(headers['content-security-policy']).toMatch(/sandbox/)
      expect(`${(await sharp(bytes).metadata()).width}w`).toBe(width)
    }
    expect(first).not.toContain('loading')
    expect(second).toContain('loading="lazy"')
    expect(foreign).toContain('src="https://example.com/c.png"')
    expect(foreign).not.toContain('srcset')
  })

  test('a cached size is answered with 304, and HEAD has the length', async () => {
    const size = `${photo}&w=480`
    const { bytes, headers } = await readBytes(size)
    const again = await readBytes(size, { 'if-none-match': headers.etag as string })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    expect((await readBytes(`${photo}&w=960`, { 'if-none-match': headers.etag as string })).status).toBe(200)
    expect((await readBytes(photo, { 'if-none-match': headers.etag as string })).status).toBe(200)
    const head = await client.read(size, {}, 'HEAD')
    expect([head.status, head.text.length, Number(head.headers['content-length'])]).toEqual([
      200,
      0,
      bytes.length,
    ])
  })

  test('the original is unchanged', async () => {
    const { bytes, headers } = await readBytes(photo)
    expect(headers['content-type']).toBe('image/png')
    expect((await sharp(bytes).metadata()).width).toBe(1200)
  })

  test.each(['481', '100000', '0', '', 'abc', '480px'])('there is no width %s', async (width) => {
    expect((await readBytes(`${photo}&w=${width}`)).status).toBe(404)
  })

  test('an image that cannot be decoded is sent as it is, in every size', async () => {
    const [whole, size] = [await readBytes(broken), await readBytes(`${broken}&w=480`)]
    expect([size.status, size.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(size.bytes.equals(whole.bytes)).toBe(true)
  })

  test('a size that is not made in time is the original, which is not cached', async () => {
    const { files } = client.services
    const images = createSizedImages(files, { maxWait: 0 })
    const hasty = await openSiteClient(client.services.database, undefined, { files, images })
    const late = await hasty.read(`${photo}&w=2400`)
    expect([late.headers['content-type'], late.headers['cache-control']]).toEqual(['image/png', 'no-store'])
    await images.close()
    expect((await hasty.read(`${photo}&w=2400`)).headers['content-type']).toBe('image/webp')
  })

  test('a size has the access of the original, and ends with it', async () => {
    const [bob, stranger] = [await client.person('bob'), await client.person('eve')]
    await client.join(acme, bob, 'read')
    const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })
    const statuses = async () =>
      Promise.all(
        [photo, `${photo}&w=480`].map(async (url) => [
          (await readBytes(url)).status,
          (await readBytes(url, as(stranger))).status,
          (await readBytes(url, as(bob))).status,
        ]),
      )
    expect(await statuses()).toEqual([
      [200, 200, 200],
      [200, 200, 200],
    ])
    const { etag } = (await readBytes(`${photo}&w=480`)).headers
    await client.request(ann, 'PATCH', `/orgs/${acme}/sites/${site.id}`, { visibility: 'share-link' })
    expect(await statuses()).toEqual([
      [404, 404, 200],
      [404, 404, 200],
    ])
    const known = { 'if-none-match': etag as string }
    expect((await readBytes(`${photo}&w=480`, known)).status).toBe(404)
    expect((await readBytes(`${photo}&w=480`, as(bob))).headers['cache-control']).toMatch(
      /^private, max-age=0/,
    )

    const carl = await client.person('carl')
    await client.join(acme, carl, 'read')
    const { items } = (await client.request(carl, 'GET', `/spaces/${space}/content/files`)).body
    const { pathname, search } = new URL(items.find((item: any) => item.name === 'photo.png').downloadURL)
    const signed = `${pathname}${search}&w=480`
    expect((await readBytes(signed)).headers['content-type']).toBe('image/webp')
    expect((await readBytes(signed.replace(/token=token-/, 'token=session-'))).status).toBe(404)
    await client.request(ann, 'DELETE', `/orgs/${acme}/members/${carl.id}`)
    expect((await readBytes(signed)).status).toBe(404)
    await client.request(ann, 'DELETE', `/spaces/${space}`)
    expect(await statuses(), 'in the trash').toEqual([
      [404, 404, 404],
      [404, 404, 404],
    ])
  })
})
