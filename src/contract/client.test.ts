/** The API client against a running server. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEngines } from '../../tests/engines.js'
import { type Person, type TestClient, openTestClient } from '../../tests/test-client.js'
import type { OrganizationId } from '../core/ids.js'
import { getChangeRequest } from './change-requests.js'
import { type ApiClient, ApiRequestError, createApiClient } from './client.js'
import { spaceContent } from './content.js'
import { exportSpaceArchive, importSpaceArchive } from './imports.js'
import { searchSpace } from './search.js'
import { createSpace, deleteSpace, getSpace, listSpaces, updateSpace } from './spaces.js'

describeEngines('the API client', ({ open }) => {
  let api: TestClient
  let ann: Person
  let organizationId: OrganizationId
  let baseUrl: string
  let client: ApiClient

  beforeAll(async () => {
    api = await openTestClient(await open())
    ann = await api.person('ann')
    organizationId = await api.organization(ann)
    await api.server.listen({ host: '127.0.0.1', port: 0 })
    baseUrl = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`
    client = createApiClient({ baseUrl, token: ann.token })
  })
  afterAll(() => api.server.close())

  const create = (title: string) =>
    client.call(createSpace, { params: { organizationId }, body: { title, editMode: 'live' } })

  test('sends path parameters, query and body, and returns the reply', async () => {
    const { id } = await create('A & b')
    await create('Other')
    expect((await client.call(getSpace, { params: { spaceId: id } })).title).toBe('A & b')
    const { items, next } = await client.call(listSpaces, { params: { organizationId }, query: { limit: 1 } })
    expect([items.length, next]).toEqual([1, { page: expect.any(String) }])
    const rest = await client.call(listSpaces, { params: { organizationId }, query: { page: next!.page } })
    expect(rest.items).toHaveLength(1)
    const changed = await client.call(updateSpace, { params: { spaceId: id }, body: { title: 'New' } })
    expect(changed.title).toBe('New')
    const found = await client.call(searchSpace, { params: { spaceId: id }, query: { query: 'a&b?=é' } })
    expect(found.items).toEqual([])
    const { pages } = await client.call(spaceContent.pages, { params: { spaceId: id } })
    expect(pages).toHaveLength(1)
    expect(await client.call(deleteSpace, { params: { spaceId: id } })).toBeUndefined()
  })

  test('throws the status, code and message of a refusal', async () => {
    const failed = async (work: Promise<unknown>) => {
      const error: unknown = await work.catch((reason: unknown) => reason)
      if (!(error instanceof ApiRequestError)) throw error
      return error
    }
    const { id: spaceId } = await create('Space')
    const hidden = await failed(client.call(getSpace, { params: { spaceId: 'none' } }))
    expect([hidden.status, hidden.code, hidden.message]).toEqual([
      404,
      404,
      'There is no such space, or it is not visible to you.',
    ])
    const invalid = await failed(
      client.call(updateSpace, { params: { spaceId }, body: { title: 7 as never } }),
    )
    expect([invalid.status, invalid.details[0]?.path]).toEqual([400, 'body.title'])
    const anonymous = createApiClient({ baseUrl })
    expect((await failed(anonymous.call(getSpace, { params: { spaceId } }))).status).toBe(401)
    const page = new Response('<h1>Bad gateway</h1>', { status: 502 })
    const proxied = createApiClient({ baseUrl, fetch: async () => page })
    const broken = await failed(proxied.call(getSpace, { params: { spaceId } }))
    expect([broken.status, broken.code]).toEqual([502, 0])
    const offline = createApiClient({ baseUrl: 'http://127.0.0.1:1' })
    expect((await failed(offline.call(getSpace, { params: { spaceId } }))).status).toBe(0)
  })

  test('encodes path parameters, and refuses those that would change the path', async () => {
    const params = { spaceId: 'a/../b?c#d', changeRequestId: 1 }
    await expect(client.call(getChangeRequest, { params })).rejects.toThrow('no such space')
    for (const spaceId of ['', '.', '..'])
      await expect(client.call(getSpace, { params: { spaceId } })).rejects.toThrow(RangeError)
  })

  test('sends uploads, and returns files unread', async () => {
    const { id: spaceId } = await create('Files')
    const archive = await client.send(exportSpaceArchive, { params: { spaceId } })
    expect(archive.headers.get('content-type')).toBe('application/zip')
    const form = new FormData()
    form.append('file', await archive.blob(), 'files.zip')
    expect(await client.call(importSpaceArchive, { params: { spaceId }, form })).toHaveProperty('pages')
  })

  test('an aborted request throws the reason of its signal', async () => {
    const signal = AbortSignal.abort(new Error('left'))
    await expect(client.call(listSpaces, { params: { organizationId }, signal })).rejects.toThrow('left')
  })

  test('requests off the contract do not compile', () => {
    const mistakes = () => [
      // @ts-expect-error the path has a parameter.
      client.call(getSpace),
      // @ts-expect-error the parameter is called `spaceId`.
      client.call(getSpace, { params: { organizationId } }),
      // @ts-expect-error a search has a query.
      client.call(searchSpace, { params: { spaceId: 'a' } }),
      // @ts-expect-error a title is text.
      client.call(updateSpace, { params: { spaceId: 'a' }, body: { title: 7 } }),
      // @ts-expect-error a removal has no body.
      client.call(deleteSpace, { params: { spaceId: 'a' }, body: {} }),
    ]
    expect(mistakes).toBeTypeOf('function')
  })
})
