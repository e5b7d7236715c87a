import { expect, it, vi } from 'vitest'
import { withoutNotice } from './engine.js'

it('keeps quiet about the one notice, and about nothing else', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
  const notice = 'SQLite is an experimental feature and might change at any time'
  const answer = withoutNotice(() => {
    process.emitWarning(notice, 'ExperimentalWarning')
    process.emitWarning('Something else', 'ExperimentalWarning')
    process.emitWarning('SQLite is an experimental thing of somebody', 'DeprecationWarning')
    return 7
  })
  expect(answer).toBe(7)
  expect(warned.mock.calls.map(([said]) => said)).toEqual([
    'Something else',
    'SQLite is an experimental thing of somebody',
  ])
  warned.mockClear()
  process.emitWarning(notice, 'ExperimentalWarning')
  expect(warned).toHaveBeenCalledTimes(1)
  warned.mockRestore()
})
