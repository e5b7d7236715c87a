import { expect, test } from 'vitest'
import { createAddresses } from './addresses.js'

test.each([
  ['http://127.0.0.1:4000', undefined, 'http://127.0.0.1:4000/@docs/guide/'],
  ['https://octavo.example.com/', undefined, 'https://octavo.example.com/@docs/guide/'],
  ['http://127.0.0.1:4000', 'sites.localhost', 'http://docs.sites.localhost:4000/guide/'],
  ['http://[::1]:4000', 'sites.localhost', 'http://docs.sites.localhost:4000/guide/'],
  ['https://octavo.example.com', 'example.com', 'https://docs.example.com/guide/'],
])('sites of %s with the domain %s are reached at %s', (baseUrl, sitesDomain, address) => {
  const sign = (text: string) => text
  const addresses = createAddresses({ baseUrl, sign, ...(sitesDomain !== undefined && { sitesDomain }) })
  expect(addresses.site('docs', 'guide')).toBe(address)
  expect(addresses.site('docs', 'guide', 'own.example.org')).toBe('https://own.example.org/')
})
