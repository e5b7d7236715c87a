import { describe, expect, test } from 'vitest'
import { type VisitorRequest, identifyVisitor } from './identify-visitor.js'
import { claimsKey, unknownVisitor } from './visitor.js'

const request: VisitorRequest = {
  authorization: undefined,
  cookies: undefined,
  query: [],
  path: '/@acme/docs/page',
  takesAccessToken: false,
}
const identify = ({ query, ...more }: Partial<Omit<VisitorRequest, 'query'>> & { query?: string }) =>
  identifyVisitor({ ...request, ...more, query: [...new URLSearchParams(query)] })

const tokenCookieFor = (basePath: string, token: string, name = 'x') =>
  `octavo-visitor-token~${name}=${encodeURIComponent(JSON.stringify({ basePath, token }))}`

describe('the token of a visitor', () => {
  const all = {
    authorization: 'Bearer head.er.1',
    query: 'access_token=a&jwt_token=q',
    cookies: `a=b; octavo-visitor-token=parent; ${tokenCookieFor('/@acme/', 'short')}; ${tokenCookieFor('/@acme/docs/', 'own', 'y')}`,
    takesAccessToken: true,
  }
  const { authorization: _, ...noHeader } = all
  test.each([
    ['the header first', all, 'head.er.1'],
    ['then the access_token of programs', noHeader, 'a'],
    ['then the query', { ...noHeader, takesAccessToken: false }, 'q'],
    ['an empty token, which revokes it', { ...noHeader, query: 'jwt_token=', takesAccessToken: false }, ''],
    ['then the cookie with the longest base path', { ...noHeader, query: '' }, 'own'],
    ['only a cookie of this site', { cookies: tokenCookieFor('/@acme/other/', 'other') }, undefined],
    ['then the cookie of another server', { cookies: 'octavo-visitor-token=parent' }, 'parent'],
    [
      'the GitBook cookie, after our own',
      { cookies: 'gitbook-visitor-token=other; octavo-visitor-token=parent' },
      'parent',
    ],
    ['the GitBook cookie', { cookies: 'gitbook-visitor-token=other' }, 'other'],
    ['no API token', { authorization: 'Bearer oct_abc' }, undefined],
    ['no malformed cookie', { cookies: 'octavo-visitor-token~x=%; octavo-visitor-token~y=1' }, undefined],
  ])('comes from %s', (_name, request, token) => {
    expect(identify(request).token).toBe(token)
  })
})

describe('unsigned claims', () => {
  test.each([
    ['visitor.plan=pro', { plan: 'pro' }],
    ['visitor.a.b=1&visitor.a.c=true&visitor.a.d=null', { a: { b: 1, c: true, d: null } }],
    ['visitor.list=["a",{"b":1}]&visitor.bad={oops', { list: ['a', { b: 1 }], bad: '{oops' }],
    ['visitor.zip=007&visitor.n=-2.5&visitor.e=1e9', { zip: 7, n: -2.5, e: '1e9' }],
    ['visitor.=x&visitor.a..b=y', {}],
    [`visitor.${'a.'.repeat(9)}b=1`, {}],
    [`visitor.long=${'x'.repeat(3_000)}`, {}],
    [`visitor.deep=${'['.repeat(1_900)}`, { deep: '['.repeat(1_900) }],
    [`visitor.deep=${'['.repeat(900)}${']'.repeat(900)}`, {}],
  ])('%.60s', (query, unsigned) => {
    expect(identify({ query }).unsigned).toEqual(unsigned)
  })

  test('are merged with those of cookies, the query winning', () => {
    const cookie = (value: unknown, name: string) => `${name}=${encodeURIComponent(JSON.stringify(value))}`
    const { unsigned } = identify({
      cookies: [
        cookie({ plan: 'free', team: { size: 1 } }, 'octavo-visitor-public'),
        cookie({ team: { name: 'a' } }, 'octavo-visitor-public-2'),
        cookie(['no object'], 'octavo-visitor-public-3'),
        cookie({ seats: 3 }, 'gitbook-visitor-public'),
        cookie({ not: 'ours' }, 'other'),
      ].join('; '),
      query: 'visitor.plan=pro',
    })
    expect(unsigned).toEqual({ plan: 'pro', seats: 3, team: { size: 1, name: 'a' } })
  })

  test('never change a prototype', () => {
    const { unsigned } = identify({
      query: 'visitor.__proto__.isAdmin=true&visitor.constructor.prototype.x=1',
    })
    expect(Object.keys(unsigned).toSorted()).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  test('are limited to the first fifty', () => {
    const query = Array.from({ length: 80 }, (_, index) => `visitor.a${index}=1`).join('&')
    expect(Object.keys(identify({ query }).unsigned)).toHaveLength(50)
  })
})

test('a token and claims in the query are to be remembered and removed from the query', () => {
  const { remember } = identify({ query: 'q=x&jwt_token=t&visitor.a=1&page=2' })
  expect(remember).toMatchObject({ token: 't', unsigned: { a: 1 } })
  expect(remember!.rest).toEqual([
    ['q', 'x'],
    ['page', '2'],
  ])
  expect(identify({ query: 'q=x' }).remember).toBeUndefined()
})

test('the key of claims does not depend on their order', () => {
  const one = { ...unknownVisitor, claims: { a: 1, b: { c: [1, 2], d: 2 } } }
  const other = { ...unknownVisitor, claims: { b: { d: 2, c: [1, 2] }, a: 1 } }
  expect(claimsKey(one)).toBe(claimsKey(other))
  expect(claimsKey({ ...one, claims: {}, unsigned: one.claims })).not.toBe(claimsKey(one))
  expect(claimsKey({ ...one, claims: { a: 1, b: { c: [2, 1], d: 2 } } })).not.toBe(claimsKey(one))
  expect(claimsKey(unknownVisitor)).toBe('')
})
