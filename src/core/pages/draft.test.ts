import { expect, test } from 'vitest'
import type { PageId } from '../ids.js'
import { memoryObjects } from '../merkle/testing.js'
import { draftOf, draftPage, finishDraft, putPage, putTextFile, removePage } from './draft.js'
import { findPage, findPageByFile, findPageByPath, listReusableContents } from './read.js'
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

test('a reusable content is called by its front matter, else by its file', () => {
  const memory = memoryObjects()
  const file = '.gitbook/includes/note.md'
  const put = (text: string) => {
    const draft = draftOf(drawnSnapshot('one=one.md', memory), { sink: memory, describe: describeDrawing })
    memory.run(putTextFile(draft, file, text, 'id'))
    const snapshot = memory.run(finishDraft(draft))
    expect(snapshot).toEqual(rebuilt(snapshot, memory))
    return memory.run(listReusableContents(snapshot)).map(({ title }) => title)
  }
  expect(put('---\ntitle: A note\n---\nWords')).toEqual(['A note'])
  expect(put('# Heading\n')).toEqual(['note'])
})
