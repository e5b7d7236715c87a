/** Enforcing the merge invariants is linear, counted in accesses of maps: a shared list of reasons is read once. */
import { expect, test, vi } from 'vitest'
import { mergeTexts } from './merge-texts.js'

/** Counts reads and writes of maps during the work. */
function countLooks(work: () => void): number {
  const spies = [vi.spyOn(Map.prototype, 'get'), vi.spyOn(Map.prototype, 'set')]
  try {
    work()
    return spies.reduce((looks, { mock }) => looks + mock.calls.length, 0)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`)

test.each([
  [
    'that both sides made of one block, at different places',
    (count: number) => ({
      base: `start\n\n${words(count).join('\n')}\n\nend\n`,
      ours: `${words(count).join('\n\n')}\n\nstart\n\nend\n`,
      theirs: `start\n\nend\n\n${words(count).join('\n\n')}\n`,
    }),
  ],
  [
    'that both sides moved to one position and changed, in the other order',
    (count: number) => {
      const moved = (list: readonly string[], side: string) =>
        `start\n\nend\n\nlast\n\n${list.map((word) => `${word}\n${side}`).join('\n\n')}\n`
      return {
        base: `start\n\n${words(count).join('\n\n')}\n\nend\n\nlast\n`,
        ours: moved(words(count), 'ours'),
        theirs: moved(words(count).toReversed(), 'theirs'),
      }
    },
  ],
  [
    'that stay in their section, while both sides add to it and one puts a heading above the most',
    (count: number) => {
      const list = (mark: string) => words(count).map((word) => `${mark} ${word}`)
      return {
        base: `start\n\n${list('old').join('\n\n')}\n\n- end\n`,
        ours: `start\n\n${list('ours').join('\n\n')}\n\n## New\n\n${list('old').join('\n\n')}\n\n- end\n`,
        theirs: `start\n\n${list('old').join('\n\ntheirs\n\n')}\n\n- end\n- more\n`,
      }
    },
  ],
])('twice the blocks take twice the looks: blocks %s', (_name, versions) => {
  const merge = (count: number) => {
    const { base, ours, theirs } = versions(count)
    return mergeTexts(base, ours, theirs)
  }
  expect(merge(20).conflicts).toHaveLength(1)
  const [less, more] = [200, 400].map((count) => countLooks(() => merge(count)))
  expect(more).toBeLessThan(2.5 * less!)
})
