/** Which visitor tokens a site accepts, and for how long. */
import { expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { openTestClient } from '../../../tests/test-client.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'
import { readVisitorToken } from './visitor-token.js'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describeEngines('a visitor token', (engine) => {
  async function open() {
    const { services } = await openTestClient(await engine.open())
    const site = { id: 'site_a', key_generation: 0 }
    const key = services.addresses.keys.visitor(site.id, site.key_generation)
    const now = Date.parse('2026-02-01T00:00:00Z')
    const seconds = Math.floor(now / 1000)
    return { services, site, key, now, seconds }
  }

  test('returns the claims signed with the key of the site', async () => {
    const { services, site, key, now, seconds } = await open()
    const claims = { plan: 'pro', iat: seconds, exp: seconds + 60 }
    const token = makeVisitorToken(key, { ...claims, unsigned: { plan: 'free' } })
    const read = () => readVisitorToken(services, site, token, now)
    expect(await read()).toEqual({ state: 'valid', claims, expires: now + 60_000 })
    // Once more, from the cache.
    expect(await read()).toEqual({ state: 'valid', claims, expires: now + 60_000 })
    const endless = await readVisitorToken(services, site, makeVisitorToken(key, {}), now)
    expect(endless).toEqual({ state: 'valid', claims: {} })
  })

  test('expires at its time, within the allowed clock skew, cached or not', async () => {
    const { services, site, key, now, seconds } = await open()
    const token = makeVisitorToken(key, { exp: seconds })
    const stateAt = async (time: number) => (await readVisitorToken(services, site, token, time)).state
    expect(await stateAt(now + 29_000)).toBe('valid')
    expect(await stateAt(now + 31_000)).toBe('expired')
    expect(await stateAt(now)).toBe('valid')
    for (const early of [{ iat: seconds + 60 }, { nbf: seconds + 60 }]) {
      const token = makeVisitorToken(key, early)
      expect((await readVisitorToken(services, site, token, now)).state).toBe('refused')
      expect((await readVisitorToken(services, site, token, now + 60_000)).state).toBe('valid')
    }
  })

  test('is refused when it was signed with another algorithm, another key, or not at all', async () => {
    const { services, site, key, now, seconds } = await open()
    const claims = { exp: seconds + 60 }
    const good = makeVisitorToken(key, claims)
    const unsigned = `${encode({ alg: 'none' })}.${encode(claims)}.`
    const [header, , signature] = good.split('.')
    const refused = [
      makeVisitorToken(key, claims, { alg: 'HS512' }, 'sha512'),
      makeVisitorToken(key, claims, { alg: 'RS256' }),
      makeVisitorToken(key, claims, { alg: 'none' }),
      makeVisitorToken(key, claims, { alg: 'HS256', crit: ['b64'], b64: false }),
      makeVisitorToken(key, claims, {}),
      unsigned,
      makeVisitorToken(`${key}x`, claims),
      makeVisitorToken('', claims),
      makeVisitorToken(services.addresses.keys.visitor('site_b', 0), claims),
      `${header}.${encode({ exp: seconds + 600 })}.${signature}`,
      good.slice(0, -1),
      makeVisitorToken(key, ['no object']),
      makeVisitorToken(key, { exp: 'tomorrow' }),
      makeVisitorToken(key, { long: 'x'.repeat(4_000) }),
      'a.b.c',
      '..',
      'x',
    ]
    for (const token of refused)
      expect(await readVisitorToken(services, site, token, now), token.slice(0, 60)).toEqual({
        state: 'refused',
        claims: {},
      })
    expect((await readVisitorToken(services, site, good, now)).state).toBe('valid')
  })

  test('is void after the key that signed it was rotated', async () => {
    const { services, site, key, now } = await open()
    const token = makeVisitorToken(key, {})
    expect((await readVisitorToken(services, site, token, now)).state).toBe('valid')
    const later = { ...site, key_generation: 1 }
    expect((await readVisitorToken(services, later, token, now)).state).toBe('refused')
  })
})
