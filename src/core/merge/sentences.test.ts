/** Changes in words: the same whatever order they come in, and short whatever there is. */
import { describe, expect, it } from 'vitest'
import type { ContentChange } from './diff.js'
import { tellChange, tellChanges } from './sentences.js'

const page = (title: string) => ({ id: title, type: 'document', title }) as never
const edited = (title: string, attributes: object) =>
  ({ type: 'page_edited', page: page(title), attributes }) as ContentChange
const text = (type: string, path: string, id?: string) =>
  ({ type, path, after: { text: 'hash', size: 1, ...(id && { id }) } }) as unknown as ContentChange

const all: ContentChange[] = [
  { type: 'page_created', page: page('New') },
  { type: 'page_moved', page: page('Deep'), parent: { before: null, after: null } },
  edited('Is', { title: { before: 'Was' }, document: {} }),
  edited('Word', { document: {} }),
  { type: 'file_edited', file: { name: 'a.png' }, attributes: { downloadURL: {} } } as never,
  text('text_edited', '.gitbook/includes/note.md', 'id'),
  text('text_edited', '.gitbook/vars.yaml'),
  text('text_edited', '.gitbook.yaml'),
]

describe('changes in words', () => {
  it('are one sentence of each kind, in whatever order they come', () => {
    const said =
      'Added the page “New”. Renamed “Was” to “Is”. Moved the page “Deep”. Edited the page “Word”. ' +
      'Changed the file “a.png”. Edited the reusable content “note”. Changed the variables.'
    expect(tellChanges(all)).toBe(said)
    expect(tellChanges(all.toReversed())).toBe(said)
    expect(tellChanges([])).toBe('Nothing that a reader would see.')
  })

  it('say of one what of it changed', () => {
    expect(all.map(tellChange)).toEqual([
      'Added the page “New”.',
      'Moved the page “Deep”.',
      'Renamed “Was” to “Is”, and edited it: text.',
      'Edited “Word”: text.',
      'Edited “a.png”: bytes.',
      'Edited the reusable content “note”.',
      'Changed the variables.',
      'Nothing that a reader would see.',
    ])
    expect(tellChange(edited('Is', { title: { before: 'Was' } }))).toBe('Renamed “Was” to “Is”.')
    expect(tellChange(edited('One', { icon: {}, linkTitle: {} }))).toBe('Edited “One”: icon, title of links.')
  })

  it('are short, whatever there is', () => {
    const long = '😀'.repeat(1_000)
    const types = ['page_created', 'page_deleted', 'page_moved'] as const
    const many = types.flatMap((type) =>
      Array.from({ length: 5_000 }, (_, at) => ({ type, page: page(`${long}${at}`) }) as ContentChange),
    )
    const said = tellChanges(many)
    expect(said).toContain('and 4997 more')
    expect(said.length).toBeLessThan(1_500)
    expect(said).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })
})
