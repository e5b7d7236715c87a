import { expect, test } from 'vitest'
import type { FileId, Hash, PageId } from '../ids.js'
import type { Json } from '../merkle/types.js'
import { memoryObjects } from '../merkle/testing.js'
import { draftOf, draftPage, finishDraft, putFile, putPage } from '../pages/draft.js'
import { describeDrawing, drawnSnapshot } from '../pages/testing.js'
import type { DocumentPage, FileRecord, PageRecord } from '../pages/types.js'
import { diffSnapshots } from './diff-snapshots.js'

const memory = memoryObjects()
const base = drawnSnapshot('page=page.md\nlink=-> https://octavo.test\n  below=below.md', memory)

/** Changes after replacing records of the base. */
function changesOf(pages: readonly PageRecord[], before: readonly FileRecord[] = [], after = before) {
  const put = (own: typeof base, records: readonly PageRecord[], files: readonly FileRecord[]) => {
    const draft = draftOf(own, { sink: memory, describe: describeDrawing })
    for (const record of records) memory.run(putPage(draft, record))
    for (const file of files) memory.run(putFile(draft, file))
    return memory.run(finishDraft(draft))
  }
  return memory.run(diffSnapshots(put(base, [], before), put(base, pages, after)))
}

const recordOf = (id: string): PageRecord => {
  const draft = draftOf(base, { sink: memory, describe: describeDrawing })
  return memory.run(draftPage(draft, id as PageId))!
}

test.each<[page: string, member: string, attribute: string, value: Json]>([
  ['page', 'title', 'title', 'New'],
  ['page', 'description', 'description', 'New'],
  ['page', 'slug', 'slug', 'new'],
  ['page', 'cover', 'cover', { src: 'a.png', yPos: 0 }],
  ['page', 'emoji', 'emoji', '📘'],
  ['page', 'icon', 'icon', 'gear'],
  ['page', 'hidden', 'hidden', true],
  ['page', 'layout', 'layout', { outline: false }],
  ['page', 'variables', 'variables', { a: 1 }],
  ['page', 'tags', 'tags', ['new']],
  ['page', 'condition', 'condition', 'visitor.claims.new'],
  ['page', 'linkTitle', 'linkTitle', 'New'],
  ['link', 'url', 'target', 'https://octavo.test/new'],
])('a page (%s) with another "%s" is reported with "%s"', (name, member, attribute, after) => {
  const page = recordOf(name)
  const before = (page as unknown as Record<string, Json | undefined>)[member]
  const changed = { ...page, [member]: after } as PageRecord
  const change = before === undefined ? { after } : { before, after }
  expect(changesOf([changed])).toEqual([
    { type: 'page_edited', page: changed, attributes: { [attribute]: change } },
  ])
})

test('another text of a page is reported by its hash', () => {
  const [page, below] = [recordOf('page'), recordOf('below')] as DocumentPage[]
  const [change] = changesOf([{ ...page!, text: below!.text! }])
  expect(change).toMatchObject({ attributes: { document: { before: page!.text!, after: below!.text! } } })
})

test('a move of a page is reported, among siblings or to another parent', () => {
  const page = recordOf('page')
  const later = { ...page, position: 'z0' }
  expect(changesOf([later])).toEqual([
    { type: 'page_moved', page: later, parent: { before: null, after: null } },
  ])
  const below = { ...page, parent: 'link' as PageId }
  expect(changesOf([below])).toEqual([
    { type: 'page_moved', page: below, parent: { before: null, after: 'link' } },
  ])
})

test('changed bytes and names of a file are reported', () => {
  const file: FileRecord = {
    id: 'file' as FileId,
    path: 'a.png',
    name: 'a.png',
    contentType: 'image/png',
    size: 1,
    hash: 'one' as Hash,
  }
  const after = { ...file, path: 'b.png', name: 'b.png', hash: 'two' as Hash, size: 2 }
  const attributes = {
    name: { before: 'a.png', after: 'b.png' },
    path: { before: 'a.png', after: 'b.png' },
    downloadURL: { before: 'one', after: 'two' },
    size: { before: 1, after: 2 },
  }
  expect(changesOf([], [file], [after])).toEqual([{ type: 'file_edited', file: after, attributes }])
})
