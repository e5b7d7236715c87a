/** Which encoding a client gets, by what it says it takes. */
import { describe, expect, test } from 'vitest'
import { encodingFor } from './compression.js'

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
    // Nothing that we can make: what there is, is better than nothing.
    ['identity;q=0', undefined],
  ])('%j gets %j', (accepted, encoding) => {
    expect(encodingFor(accepted)).toBe(encoding)
  })
})
