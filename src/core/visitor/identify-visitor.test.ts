import { describe, expect, test } from 'vitest'
import { type Asking, readArrival } from './identify-visitor.js'
import { nameClaims, unknownVisitor } from './visitor.js'

const asking: Asking = {
  authorization: undefined,
  cookies: undefined,
  query: [],
  path: '/@acme/docs/page',
  takesAccessToken: false,
}
const arrive = ({ query, ...more }: Partial<Omit<Asking, 'query'>> & { query?: string }) =>
  readArrival({ ...asking, ...more, query: [...new URLSearchParams(query)] })

const kept = (basePath: string, token: string, name = 'x') =>
  `octavo-visitor-token~${name}=${encodeURIComponent(JSON.stringify({ basePath, token }))}`

describe('the token of a visitor', () => {
  const all = {
    authorization: 'Bearer head.er.1',
    query: 'access_token=a&jwt_token=q',
    cookies: `a=b; octavo-visitor-token=parent; ${kept('/@acme/', 'short')}; ${kept('/@acme/docs/', 'own', 'y')}`,
    takesAccessToken: true,
  }
  const { authorization: _, ...noHeader } = all
  test.each([
    ['the header first', all, 'head.er.1'],
    ['then the address of programs', noHeader, 'a'],
    ['then an address', { ...noHeader, takesAccessToken: false }, 'q'],
    ['an empty one, which takes it back', { ...noHeader, query: 'jwt_token=', takesAccessToken: false }, ''],
    ['then the cookie of the longest part of the path', { ...noHeader, query: '' }, 'own'],
    ['a cookie of this site alone', { cookies: kept('/@acme/other/', 'other') }, undefined],
    ['then the cookie of another server', { cookies: 'octavo-visitor-token=parent' }, 'parent'],
    [
      'the cookie by the other name, behind ours',
      { cookies: 'gitbook-visitor-token=other; octavo-visitor-token=parent' },
      'parent',
    ],
    ['the cookie by the other name', { cookies: 'gitbook-visitor-token=other' }, 'other'],
    ['no token of the API', { authorization: 'Bearer oct_abc' }, undefined],
    [
      'nothing that cannot be read',
      { cookies: 'octavo-visitor-token~x=%; octavo-visitor-token~y=1' },
      undefined,
    ],
  ])('comes by %s', (_name, request, token) => {
    expect(arrive(request).token).toBe(token)
  })
})

describe('what visitors say of themselves', () => {
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
    expect(arrive({ query }).unsigned).toEqual(unsigned)
  })

  test('is merged with what cookies remember, the address over them', () => {
    const cookie = (value: unknown, name: string) => `${name}=${encodeURIComponent(JSON.stringify(value))}`
    const { unsigned } = arrive({
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

  test('changes nothing but what is said', () => {
    const { unsigned } = arrive({ query: 'visitor.__proto__.isAdmin=true&visitor.constructor.prototype.x=1' })
    expect(Object.keys(unsigned).toSorted()).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  test('holds the first fifty of many', () => {
    const query = Array.from({ length: 80 }, (_, index) => `visitor.a${index}=1`).join('&')
    expect(Object.keys(arrive({ query }).unsigned)).toHaveLength(50)
  })
})

test('what an address carried is to be remembered, and asked again without it', () => {
  const { remember } = arrive({ query: 'q=x&jwt_token=t&visitor.a=1&page=2' })
  expect(remember).toMatchObject({ token: 't', unsigned: { a: 1 } })
  expect(remember!.rest).toEqual([
    ['q', 'x'],
    ['page', '2'],
  ])
  expect(arrive({ query: 'q=x' }).remember).toBeUndefined()
})

test('claims have one name, in whatever order they are said', () => {
  const one = { ...unknownVisitor, claims: { a: 1, b: { c: [1, 2], d: 2 } } }
  const other = { ...unknownVisitor, claims: { b: { d: 2, c: [1, 2] }, a: 1 } }
  expect(nameClaims(one)).toBe(nameClaims(other))
  expect(nameClaims({ ...one, claims: {}, unsigned: one.claims })).not.toBe(nameClaims(one))
  expect(nameClaims({ ...one, claims: { a: 1, b: { c: [2, 1], d: 2 } } })).not.toBe(nameClaims(one))
  expect(nameClaims(unknownVisitor)).toBe('')
})
