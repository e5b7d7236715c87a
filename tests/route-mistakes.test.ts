/**
 * Three mistakes that must not compile. `npm run check` compiles this file: each expected error that is
 * none is itself an error. Running it proves only that the right way stands beside the wrong ones.
 */
import { expect, test } from 'vitest'
import { route } from '../src/access/route/route.js'
import { signedIn } from '../src/access/route/scope.js'
import { mergeChangeRequest } from '../src/contract/change-requests.js'
import { getSpace } from '../src/contract/spaces.js'
import { inChangeRequest } from '../src/resources/change-requests/scope.js'
import { inSpace } from '../src/resources/spaces/scope.js'

const merged = async () => ({ revision: 'r', result: 'merge' as const })

test('the right way', () => {
  expect(route(mergeChangeRequest, { at: inChangeRequest, allow: 'merge', handle: merged }).endpoint).toBe(
    mergeChangeRequest,
  )
})

test('a path parameter that no scope loads', () => {
  // @ts-expect-error `changeRequestId` is in the path, and a space alone is loaded.
  route(mergeChangeRequest, { at: inSpace, allow: 'merge', handle: merged })
  // @ts-expect-error nothing is loaded at all.
  route(getSpace, { at: signedIn, allow: 'ask', handle: async () => ({}) as never })
})

test('a reply off the contract', () => {
  route(mergeChangeRequest, {
    at: inChangeRequest,
    allow: 'merge',
    // @ts-expect-error `done` is no result of a merge.
    handle: async () => ({ revision: 'r', result: 'done' as const }),
  })
})

test('an action that does not exist at the place', () => {
  // @ts-expect-error nobody may `destroy` a space.
  route(mergeChangeRequest, { at: inChangeRequest, allow: 'destroy', handle: merged })
})
