/** Content negotiation of encodings, and which encodings of an answer are cached. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { encodingFor } from '../../access/http/content-encoding.js'
import { encodeFor, encodedAnswerOf, weightOfEncoded } from './compression.js'
import { readyAnswer } from './send-answer.js'

describe('encodingFor', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br ; q=0.2 , gzip ; q=0.1', 'br'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=nonsense', undefined],
    ['br;q=0.5, identity', undefined],
    ['br;q=0.5, identity;q=0.4', 'br'],
    ['identity;q=0, gzip', 'gzip'],
    // No encoding that we have: uncompressed is better than nothing.
    ['identity;q=0', undefined],
  ])('%j gets %j', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding)
  })
})

describe('encodeFor', () => {
  const body = 'A page of many words. '.repeat(500)
  const contentType = 'text/html; charset=utf-8'
  const answered = (encodedAnswer: 'plain' | 'compressed' = 'compressed') =>
    encodedAnswerOf(readyAnswer({ status: 200, contentType, body, isIndexed: true }, 'public', encodedAnswer))
  const weighsPlain = (encodedAnswer: ReturnType<typeof answered>) =>
    weightOfEncoded(encodedAnswer) > body.length

  test('drops the uncompressed body when only another encoding was requested', async () => {
    const encodedAnswer = answered()
    expect(weighsPlain(encodedAnswer)).toBe(true)
    const made = await encodeFor(encodedAnswer, 'br')
    expect(brotliDecompressSync(made.body).toString()).toBe(body)
    expect(weighsPlain(encodedAnswer)).toBe(false)
    expect(weightOfEncoded(encodedAnswer)).toBeGreaterThan(made.body.length)
    expect(await encodeFor(encodedAnswer, 'br')).toBe(made)
  })

  test('makes the other encodings from the cached one, each as if it had been the first', async () => {
    const encodedAnswer = answered()
    const first = await encodeFor(encodedAnswer, 'br')
    const [plain, gzip] = [await encodeFor(encodedAnswer, undefined), await encodeFor(encodedAnswer, 'gzip')]
    expect(plain.body.toString()).toBe(body)
    expect(gunzipSync(gzip.body).toString()).toBe(body)
    expect(weighsPlain(encodedAnswer)).toBe(true)
    for (const [accepted, encode] of [
      ['br', first],
      ['gzip', gzip],
      [undefined, plain],
    ] as const)
      expect(await encodeFor(answered(), accepted)).toEqual(encode)
  })

  test('keeps a requested uncompressed body, also while another encoding is made', async () => {
    const encodedAnswer = answered()
    const [packed, plain] = await Promise.all([
      encodeFor(encodedAnswer, 'gzip'),
      encodeFor(encodedAnswer, 'identity'),
    ])
    expect(await encodeFor(encodedAnswer, 'identity')).toBe(plain)
    expect(await encodeFor(encodedAnswer, 'gzip')).toBe(packed)
    expect(plain.body.toString()).toBe(body)
  })

  test('compresses once for all requests that wait', async () => {
    const encodedAnswer = answered()
    const made = await Promise.all([encodeFor(encodedAnswer, 'gzip'), encodeFor(encodedAnswer, 'gzip')])
    expect(made[0]).toBe(made[1])
  })

  test('sends answers that may not be compressed uncompressed', async () => {
    const { body: encoded, headers } = await encodeFor(answered('plain'), 'br')
    expect([encoded.toString(), headers['content-encoding']]).toEqual([body, undefined])
  })
})
