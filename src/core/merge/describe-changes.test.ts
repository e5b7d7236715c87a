/** Change summaries: independent of the order of changes, and of bounded length. */
import { describe, expect, it } from 'vitest'
import type { ContentChange } from './diff-snapshots.js'
import { describeChange, describeChanges } from './describe-changes.js'

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
  text('text_edited', '.gitbook/tags.yaml'),
  text('text_edited', '.gitbook.yaml'),
]

describe('change summaries', () => {
  it('are one sentence of each kind, in any order of the changes', () => {
    const summary =
      'Added the page “New”. Renamed “Was” to “Is”. Moved the page “Deep”. Edited the page “Word”. ' +
      'Changed the file “a.png”. Edited the reusable content “note”. Changed the variables. Changed the tags.'
    expect(describeChanges(all)).toBe(summary)
    expect(describeChanges(all.toReversed())).toBe(summary)
    expect(describeChanges([])).toBe('Nothing that a reader would see.')
  })

  it('name the changed attributes of a single change', () => {
    expect(all.map(describeChange)).toEqual([
      'Added the page “New”.',
      'Moved the page “Deep”.',
      'Renamed “Was” to “Is”, and edited it: text.',
      'Edited “Word”: text.',
      'Edited “a.png”: bytes.',
      'Edited the reusable content “note”.',
      'Changed the variables.',
      'Changed the tags.',
      'Nothing that a reader would see.',
    ])
    expect(describeChange(edited('Is', { title: { before: 'Was' } }))).toBe('Renamed “Was” to “Is”.')
    expect(describeChange(edited('One', { icon: {}, linkTitle: {} }))).toBe(
      'Edited “One”: icon, title of links.',
    )
    const file = { name: 'b.png' }
    const renamed = { name: { before: 'a.png', after: 'b.png' }, path: {} }
    const renamedFile = { type: 'file_edited', file, attributes: renamed } as never
    expect(describeChange(renamedFile)).toBe('Renamed “a.png” to “b.png”.')
    expect(describeChange({ type: 'file_edited', file, attributes: { path: {} } } as never)).toBe(
      'Edited “b.png”: path.',
    )
    const [before, after] = ['Old', 'New'].map((title) => ({ text: 'hash', size: 1, id: 'id', title }))
    const snippet = { type: 'text_edited', path: '.gitbook/includes/note.md', before, after } as never
    expect(describeChange(snippet)).toBe('Renamed “Old” to “New”.')
    expect(describeChanges([renamedFile, snippet])).toBe('Renamed “Old” to “New” and “a.png” to “b.png”.')
  })

  it('are of bounded length', () => {
    const long = '😀'.repeat(1_000)
    const types = ['page_created', 'page_deleted', 'page_moved'] as const
    const many = types.flatMap((type) =>
      Array.from({ length: 5_000 }, (_, at) => ({ type, page: page(`${long}${at}`) }) as ContentChange),
    )
    const summary = describeChanges(many)
    expect(summary).toContain('and 4997 more')
    expect(summary.length).toBeLessThan(1_500)
    expect(summary).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })
})
