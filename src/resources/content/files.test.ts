/** The list of files: in the order in which they were made, whatever they are called. */
import { expect, test } from 'vitest'
import { openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('files', ({ open }) => {
  test('are listed in the order in which they were made, whole and in pages', async () => {
    const api = await openTestClient(await open())
    const ann = await api.person('ann')
    const organization = await api.organization(ann)
    const { id } = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, { editMode: 'live' })).body
    const names = ['west', 'east', 'north', 'south', 'up', 'down', 'left', 'right', 'near', 'far']
    const insert = async (some: string[]) => {
      const files = some.map((name) => ({ name: `${name}.txt`, base64: 'b25l' }))
      const changes = [{ operation: 'insert_files', files }]
      const answer = await api.request(ann, 'POST', `/spaces/${id}/content`, { changes })
      expect(answer.status, answer.text).toBe(200)
    }
    await insert(names.slice(0, 5))
    for (const name of names.slice(5)) await insert([name])

    const list = `/spaces/${id}/content/files`
    const listed: string[] = []
    for (let page: string | undefined = ''; page !== undefined;) {
      const { body } = await api.request(ann, 'GET', `${list}?limit=3${page}`)
      listed.push(...body.items.map(({ name }: { name: string }) => name.replace('.txt', '')))
      page = body.next && `&page=${body.next.page}`
    }
    expect(listed).toEqual(names)
  })

  test('are not made of a request without bytes, or of another content type', async () => {
    const api = await openTestClient(await open())
    const ann = await api.person('ann')
    const organization = await api.organization(ann)
    const { id } = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, { editMode: 'live' })).body
    const change = (await api.request(ann, 'POST', `/spaces/${id}/change-requests`)).body
    const places = [`/spaces/${id}`, `/spaces/${id}/change-requests/${change.id}`]
    const types = 'multipart/form-data, application/octet-stream, application/zip'
    const upload = async (path: string, contentType: string | undefined, payload: string) => {
      const headers = {
        authorization: `Bearer ${ann.token}`,
        ...(contentType !== undefined && { 'content-type': contentType }),
      }
      const { statusCode, body } = await api.server.inject({
        method: 'POST',
        url: `/v1${path}`,
        headers,
        payload,
      })
      return [statusCode, body] as const
    }
    for (const path of [
      ...places.map((place) => `${place}/content/files`),
      `/spaces/${id}/content/archive`,
    ]) {
      for (const contentType of [undefined, 'application/octet-stream', 'application/zip'])
        expect(await upload(path, contentType, '')).toEqual([400, expect.stringContaining(types)])
      for (const [contentType, payload] of [
        ['application/json', '{"name":"a.txt"}'],
        ['application/json', '{'],
        ['text/plain', 'words'],
        ['image/png', 'pixels'],
      ] as const)
        expect(await upload(path, contentType, payload)).toEqual([
          415,
          expect.stringContaining(`allowed: ${types}`),
        ])
    }
    for (const place of places)
      expect((await api.request(ann, 'GET', `${place}/content/files`)).body.items).toEqual([])
  })

  test('of 25 MB are taken as a form and as bytes, with their type, their size and a free name', async () => {
    const api = await openTestClient(await open())
    const ann = await api.person('ann')
    const organization = await api.organization(ann)
    const { id } = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, {})).body
    const { number } = (await api.request(ann, 'POST', `/spaces/${id}/change-requests`)).body
    // A picture of two by one pixels, with bytes after its end.
    const pixels = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAC0lEQVR42mNgAAMAAAkAAekOIEEAAAAASUVORK5CYII=',
      'base64',
    )
    const picture = Buffer.concat([pixels, Buffer.alloc(25_000_000 - pixels.length)])
    const head =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="shot.jpg"\r\nContent-Type: text/html\r\n\r\n'
    const names: string[] = []
    for (const [contentType, payload, disposition] of [
      [
        'multipart/form-data; boundary=x',
        Buffer.concat([Buffer.from(head), picture, Buffer.from('\r\n--x--\r\n')]),
        '',
      ],
      ['application/octet-stream', picture, "attachment; filename*=UTF-8''shot.jpg"],
    ] as const) {
      const answer = await api.server.inject({
        method: 'POST',
        url: `/v1/spaces/${id}/change-requests/${number}/content/files`,
        headers: {
          authorization: `Bearer ${ann.token}`,
          'content-type': contentType,
          ...(disposition !== '' && { 'content-disposition': disposition }),
        },
        payload,
      })
      expect(answer.statusCode, answer.body).toBe(201)
      const dimensions = { width: 2, height: 1 }
      expect(answer.json()).toMatchObject({ contentType: 'image/png', size: 25_000_000, dimensions })
      names.push(answer.json().name)
    }
    expect(names).toEqual(['shot.jpg', 'shot-1.jpg'])
  })
})
