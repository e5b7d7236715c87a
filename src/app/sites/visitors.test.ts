/** Who comes to a site: what is told of them, and what is kept of it. */
import { expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { openSiteDoor } from '../../../tests/sites.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'

describeEngines('a visitor', (engine) => {
  async function open() {
    const door = await openSiteDoor(await engine.open())
    const ann = await door.person('ann')
    const acme = await door.organization(ann)
    const { id: space } = await door.space(ann, acme, 'Guide', [
      { slug: 'home', markdown: '# Home\n' },
      { slug: 'start', markdown: '# Start\n' },
    ])
    const { id, base } = await door.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const auth = await door.ask(ann, 'GET', `/orgs/${acme}/sites/${id}/publishing/auth`)
    const now = Math.floor(door.now() / 1000)
    const token = (claims: object, key: string = auth.body.privateKey) => makeVisitorToken(key, claims)
    const told = async (headers: Record<string, string>, path = '~octavo/visitor') => {
      const { status, text } = await door.read(base + path, headers)
      expect(status).toBe(200)
      return JSON.parse(text).visitor.claims
    }
    return { door, base, token, told, now }
  }

  const cookiesOf = (header: string | string[] | undefined) =>
    [header ?? []].flat().map((cookie) => {
      const [pair = '', ...attributes] = cookie.split('; ')
      return { pair, attributes }
    })

  test('is known by a token in an address, which a cookie of the site keeps from then on', async () => {
    const { door, base, token, told, now } = await open()
    const claims = { plan: 'pro', exp: now + 7200 }
    const first = await door.read(`${base}start?jwt_token=${token(claims)}&page=2`)
    expect([first.status, first.headers['location']]).toEqual([307, `${base}start?page=2`])
    expect(first.headers['cache-control']).toBe('no-store')
    const [cookie, ...others] = cookiesOf(first.headers['set-cookie'])
    expect(others).toEqual([])
    expect(cookie!.attributes.toSorted()).toEqual([
      'HttpOnly',
      expect.stringMatching(/^Max-Age=7(?:199|200)$/),
      `Path=${base}`,
      'SameSite=Lax',
    ])
    expect(await told({ cookie: cookie!.pair })).toEqual({ ...claims, unsigned: {} })
    expect(await told({ cookie: cookie!.pair }, '~gitbook/visitor')).toEqual({ ...claims, unsigned: {} })
    expect((await door.read(`${base}start`, { cookie: cookie!.pair })).status).toBe(200)

    const back = await door.read(`${base}start?jwt_token=`, { cookie: cookie!.pair })
    expect(back.headers['location']).toBe(`${base}start`)
    expect(cookiesOf(back.headers['set-cookie'])[0]!.attributes).toContain('Max-Age=0')
  })

  test('is nobody by a token that opens nothing, which is not kept', async () => {
    const { door, base, token, told, now } = await open()
    const none = { unsigned: {} }
    for (const bad of ['x', token({}, 'another key'), token({ exp: now - 60 })]) {
      const { status, headers } = await door.read(`${base}?jwt_token=${bad}`)
      expect([status, headers['location'], headers['set-cookie']]).toEqual([307, base, undefined])
      expect(await told({ cookie: `octavo-visitor-token=${bad}` })).toEqual(none)
      expect(await told({ authorization: `Bearer ${bad}.x.x` })).toEqual(none)
    }
    expect(await told({ cookie: `octavo-visitor-token=${token({ a: 1 })}` })).toEqual({ a: 1, ...none })
    expect(await told({ authorization: `Bearer ${token({ a: 2 })}` })).toEqual({ a: 2, ...none })
  })

  test('says of themselves in an address what a cookie keeps until the browser ends', async () => {
    const { door, base, told } = await open()
    const first = await door.read(`${base}start?visitor.language=fr&visitor.beta=true&q=x`)
    expect([first.status, first.headers['location']]).toEqual([307, `${base}start?q=x`])
    const [{ pair, attributes }] = cookiesOf(first.headers['set-cookie']) as [
      ReturnType<typeof cookiesOf>[number],
    ]
    expect(attributes.toSorted()).toEqual(['HttpOnly', `Path=${base}`, 'SameSite=Lax'])
    expect(await told({ cookie: pair })).toEqual({ unsigned: { language: 'fr', beta: true } })
    const second = await door.read(`${base}?visitor.language=de`, { cookie: pair })
    const [{ pair: later }] = cookiesOf(second.headers['set-cookie']) as [
      ReturnType<typeof cookiesOf>[number],
    ]
    expect(await told({ cookie: later })).toEqual({ unsigned: { language: 'de', beta: true } })
  })

  test('is told of at a site that is there for them alone', async () => {
    const { door, token } = await open()
    expect((await door.read(`/@acme/none/?jwt_token=${token({})}`)).status).toBe(404)
    expect((await door.read('/@acme/none/~octavo/visitor')).status).toBe(404)
  })
})
