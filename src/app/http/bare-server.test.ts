import { afterAll, describe, expect, test } from 'vitest'
import { createBareServer } from './bare-server.js'

const server = createBareServer({ logLevel: 'silent' })
server.get('/things/:id', () => ({ found: true }))
afterAll(() => server.close())

describe('an address that cannot be read', () => {
  test.each([
    ['/%', 'The address is not percent-encoded UTF-8.'],
    ['/things/%ff', 'The address is not percent-encoded UTF-8.'],
    ['/things/%00', 'The address holds %00.'],
    ['/elsewhere?a=%00', 'The address holds %00.'],
    [`/things/${'a'.repeat(2049)}`, 'A part of the address is longer than 2048 bytes.'],
  ])('%.20s is refused in the shape of every error', async (url, message) => {
    const answer = await server.inject({ url })
    expect(answer.json()).toEqual({ error: { code: 400, message } })
    expect(answer.statusCode).toBe(400)
  })

  test('any other is answered', async () => {
    expect((await server.inject({ url: `/things/${'a'.repeat(2048)}` })).json()).toEqual({ found: true })
  })
})
