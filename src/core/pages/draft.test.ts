import { expect, test } from 'vitest'
import type { PageId } from '../ids.js'
import { memoryObjects } from '../merkle/testing.js'
import { draftOf, draftPage, finishDraft, putPage, removePage } from './draft.js'
import { findPage, findPageByFile, findPageByPath } from './read.js'
import { describeDrawing, drawnSnapshot, rebuilt } from './testing.js'
import type { DocumentPage } from './types.js'

const [one, other] = ['one', 'other'] as PageId[]

test.each([
  ['changes places with another', 'swap'],
  ['takes the place of one that goes afterwards', 'take'],
])('a page that %s is found there', (_title, how) => {
  const memory = memoryObjects()
  const base = drawnSnapshot('one=one.md\nother=other.md: one.md', memory)
  const draft = draftOf(base, { sink: memory, describe: describeDrawing })
  const [first, second] = [one, other].map((id) => memory.run(draftPage(draft, id!)) as DocumentPage)
  const at = (page: DocumentPage, { slug, path, file }: DocumentPage) => ({ ...page, slug, path, file })
  memory.run(putPage(draft, at(first!, second!)))
  memory.run(how === 'swap' ? putPage(draft, at(second!, first!)) : removePage(draft, other!))

  const snapshot = memory.run(finishDraft(draft))
  expect(snapshot).toEqual(rebuilt(snapshot, memory))
  expect(memory.run(findPageByPath(snapshot, 'other'))?.id).toBe(one)
  expect(memory.run(findPageByFile(snapshot, 'other.md'))?.id).toBe(one)
  const left = how === 'swap' ? other : undefined
  expect(memory.run(findPageByPath(snapshot, 'one'))?.id).toBe(left)
  expect(memory.run(findPage(snapshot, other!))?.id).toBe(left)
})
