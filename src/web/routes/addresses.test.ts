import { expect, test } from 'vitest'
import { changePath, organizationPath, parseAddress, spacePath } from './addresses.js'

test.each([
  ['/', { screen: 'home' }],
  ['/account', { screen: 'account' }],
  ['/inbox', { screen: 'inbox' }],
  ['/inbox/x', { screen: 'unknown' }],
  ['/o/acme', { screen: 'organization', organization: 'acme', part: '' }],
  ['/o/acme/members', { screen: 'organization', organization: 'acme', part: 'members' }],
  ['/s/x1', { screen: 'space', space: 'x1', path: '' }],
  ['/s/x1/guide/start', { screen: 'space', space: 'x1', path: 'guide/start' }],
  ['/s/x1/~/changes/7/', { screen: 'change', space: 'x1', change: 7, tab: 'write', path: '' }],
  [
    '/s/x1/~/changes/7/~/changes/a/b',
    { screen: 'change', space: 'x1', change: 7, tab: 'changes', path: 'a/b' },
  ],
  ['/s/x1/~/changes/seven', { screen: 'unknown' }],
  ['/s/x1/~/compare/a/b', { screen: 'compare', space: 'x1', path: 'a/b' }],
  ['/s/x1/~/revisions/r1/a/b', { screen: 'revision', space: 'x1', revision: 'r1', path: 'a/b' }],
  ['/s/x1/~/history', { screen: 'history', space: 'x1', path: '' }],
  ['/s/x1/~/history/a/b', { screen: 'history', space: 'x1', path: 'a/b' }],
  ['/o/acme/site/x/preview', { screen: 'unknown' }],
  ['/s', { screen: 'unknown' }],
  ['/nothing/here', { screen: 'unknown' }],
])('%s', (path, address) => {
  expect(parseAddress(path)).toEqual(address)
})

test('the path of a screen parses to that screen', () => {
  expect(parseAddress(changePath('x', 3, 'a/b', 'checks'))).toMatchObject({
    change: 3,
    tab: 'checks',
    path: 'a/b',
  })
  expect(parseAddress(changePath('x', 3, 'a'))).toMatchObject({ tab: 'write', path: 'a' })
  expect(parseAddress(spacePath('x', 'a/b'))).toMatchObject({ screen: 'space', path: 'a/b' })
  expect(parseAddress(organizationPath('acme', 'teams'))).toMatchObject({ part: 'teams' })
})
