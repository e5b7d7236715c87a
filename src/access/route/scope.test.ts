import { expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.js'
import {
  type LoadRequest,
  ownAccount,
  ownAccountInBrowser,
  optionalResourceScope,
  resourceScope,
  withRules,
  signedIn,
  subresourceScope,
} from './scope.js'

/** No step of these tests reads anything. */
const request = {} as LoadRequest

type Action = 'view' | 'throw'
const boxes: Readonly<Record<string, { id: string; isSecret: boolean }>> = {
  a: { id: 'a', isSecret: false },
  b: { id: 'b', isSecret: true },
}
const step = {
  key: 'box',
  noun: 'box',
  find: async (_request: LoadRequest, id: string) => boxes[id],
  authorize: (action: Action, { box }: { box: (typeof boxes)[string] | undefined }) => {
    if (box?.isSecret === true) return 'hidden' as const
    return action === 'view' ? ('yes' as const) : { needs: 'admin' as const }
  },
  visibleIf: 'view',
} as const

const codeOf = async (loading: Promise<unknown>) => {
  const error = await loading.catch((thrown: unknown) => thrown)
  return error instanceof ApiError ? error.errorName : 'nothing'
}

test('a resource is loaded, and hidden from users who may not see it', async () => {
  const inBox = resourceScope(signedIn, 'boxId', step)
  expect(await inBox.load(request, { boxId: 'a' })).toEqual({ box: boxes['a'] })
  expect(await codeOf(inBox.load(request, { boxId: 'b' }))).toBe('not_found')
  expect(await codeOf(inBox.load(request, { boxId: 'c' }))).toBe('not_found')
})

test('the rules of an optional resource authorize without it', async () => {
  const atBox = optionalResourceScope(signedIn, 'boxId', step)
  const gone = await atBox.load(request, { boxId: 'c' })
  expect(gone).toEqual({ box: undefined })
  expect(atBox.authorize('throw', gone)).toEqual({ verdict: { needs: 'admin' }, noun: 'box' })
  expect(await codeOf(atBox.load(request, { boxId: 'b' }))).toBe('not_found')
})

test('a subresource admits anonymous callers like its parent, and is authorized by the rules of the parent', () => {
  const part = { key: 'part', noun: 'part', find: async () => 'part' } as const
  expect(subresourceScope(ownAccount, 'partId', part).isPersonal).toBe(true)
  expect(subresourceScope(ownAccountInBrowser, 'partId', part).requiresSession).toBe(true)
  expect(subresourceScope(resourceScope(signedIn, 'boxId', step), 'partId', part).params).toEqual([
    'boxId',
    'partId',
  ])
  expect(
    subresourceScope(resourceScope(signedIn, 'boxId', step), 'partId', part).authorize('throw', {
      box: boxes['a']!,
      part: 'part',
    }),
  ).toEqual({ verdict: { needs: 'admin' }, noun: 'box' })
})

test('a resource may have other rules for operations on something else', async () => {
  const atLid = withRules(resourceScope(signedIn, 'boxId', step), {
    noun: 'lid',
    authorize: (_action: 'lift') => 'yes',
  })
  const resources = await atLid.load(request, { boxId: 'a' })
  expect(atLid.authorize('lift', resources)).toEqual({ verdict: 'yes', noun: 'lid' })
  expect(await codeOf(atLid.load(request, { boxId: 'b' }))).toBe('not_found')
})
