import { expect, test } from 'vitest'
import { ApiError } from '../../contract/errors.js'
import { type LoadRequest, asOneself, asOwner, perhaps, place, ruledBy, signedIn, within } from './scope.js'

/** Nothing here reads anything. */
const request = {} as LoadRequest

type Action = 'look' | 'throw'
const boxes: Readonly<Record<string, { id: string; isSecret: boolean }>> = {
  a: { id: 'a', isSecret: false },
  b: { id: 'b', isSecret: true },
}
const step = {
  key: 'box',
  thing: 'box',
  find: async (_request: LoadRequest, id: string) => boxes[id],
  judge: (action: Action, { box }: { box: (typeof boxes)[string] | undefined }) => {
    if (box?.isSecret === true) return 'hidden' as const
    return action === 'look' ? ('yes' as const) : { needs: 'admin' as const }
  },
  seen: 'look',
} as const

const codeOf = async (loading: Promise<unknown>) => {
  const error = await loading.catch((thrown: unknown) => thrown)
  return error instanceof ApiError ? error.errorName : 'nothing'
}

test('a place is loaded, and known to those who may see it', async () => {
  const inBox = place(signedIn, 'boxId', step)
  expect(await inBox.load(request, { boxId: 'a' })).toEqual({ box: boxes['a'] })
  expect(await codeOf(inBox.load(request, { boxId: 'b' }))).toBe('not_found')
  expect(await codeOf(inBox.load(request, { boxId: 'c' }))).toBe('not_found')
})

test('where a thing may be gone, its rules judge what is left', async () => {
  const atBox = perhaps(signedIn, 'boxId', step)
  const gone = await atBox.load(request, { boxId: 'c' })
  expect(gone).toEqual({ box: undefined })
  expect(atBox.judge('throw', gone)).toEqual({ verdict: { needs: 'admin' }, thing: 'box' })
  expect(await codeOf(atBox.load(request, { boxId: 'b' }))).toBe('not_found')
})

test('a step lets in whom its place lets in, and a part is judged by the rules of the whole', () => {
  const part = { key: 'part', thing: 'part', find: async () => 'part' } as const
  expect(within(asOneself, 'partId', part).isPersonal).toBe(true)
  expect(within(asOwner, 'partId', part).takesSession).toBe(true)
  expect(within(place(signedIn, 'boxId', step), 'partId', part).params).toEqual(['boxId', 'partId'])
  expect(
    within(place(signedIn, 'boxId', step), 'partId', part).judge('throw', {
      box: boxes['a']!,
      part: 'part',
    }),
  ).toEqual({ verdict: { needs: 'admin' }, thing: 'box' })
})

test('a place may have other rules for something else that is done there', async () => {
  const atLid = ruledBy(place(signedIn, 'boxId', step), { thing: 'lid', judge: (_action: 'lift') => 'yes' })
  const here = await atLid.load(request, { boxId: 'a' })
  expect(atLid.judge('lift', here)).toEqual({ verdict: 'yes', thing: 'lid' })
  expect(await codeOf(atLid.load(request, { boxId: 'b' }))).toBe('not_found')
})
