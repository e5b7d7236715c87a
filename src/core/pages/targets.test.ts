import { expect, test } from 'vitest'
import { describePage } from '../markdown/describe.js'
import type { FileId, PageId } from '../ids.js'
import { memoryObjects } from '../merkle/testing.js'
import { emptySnapshot } from './build.js'
import { type Edit, editSnapshot } from './edit.js'
import { type Target, resolveTargets } from './targets.js'
import { defaultConfig } from '../config.js'

const page = (id: string, title: string, parent: string | null, slug?: string): Edit => ({
  kind: 'insert-page',
  parent: parent as PageId | null,
  page: {
    type: 'document',
    id: id as PageId,
    title,
    text: `# ${title}\n`,
    ...(slug !== undefined && { slug }),
  },
})

const memory = memoryObjects()
const { snapshot } = memory.run(
  editSnapshot(
    emptySnapshot(defaultConfig),
    [
      page('home', 'Home', null, 'readme'),
      {
        kind: 'insert-page',
        parent: null,
        page: { type: 'group', id: 'group' as PageId, title: 'Getting started' },
      },
      page('first', 'First steps', 'group'),
      {
        kind: 'put-file',
        file: {
          id: 'picture' as FileId,
          path: '.gitbook/assets/picture.png',
          name: 'picture.png',
          contentType: 'image/png',
          size: 1,
          hash: 'h' as never,
        },
      },
      { kind: 'put-text', path: '.gitbook/includes/note.md', text: 'Note.', id: 'note' },
    ],
    { sink: memory, describe: describePage, now: 1 },
  ),
)

const name = (target: Target): string => {
  if (target.kind === 'page')
    return `page ${target.page.id}${target.fragment === undefined ? '' : `#${target.fragment}`}`
  if (target.kind === 'file') return `file ${target.file.id}`
  if (target.kind === 'text') return `text ${target.entry.id}`
  return target.kind
}

test.each([
  ['first-steps.md', 'page first'],
  ['first-steps.md#part', 'page first#part'],
  ['first-steps', 'page first'],
  ['./', 'page group'],
  ['../getting-started/', 'page group'],
  ['../getting-started', 'page group'],
  ['/pages/first', 'page first'],
  ['../.gitbook/assets/picture.png', 'file picture'],
  ['/files/picture', 'file picture'],
  ['../.gitbook/includes/note.md', 'text note'],
  ['#part', 'anchor'],
  ['https://example.com/x.md', 'url'],
  ['mailto:a@example.com', 'url'],
  ['missing.md', 'broken'],
  ['/files/missing', 'broken'],
  ['../../outside.md', 'broken'],
])('%s in a page of the group leads to %s', (url, expected) => {
  const targets = memory.run(resolveTargets(snapshot, 'getting-started/first-steps.md', [url]))
  expect(name(targets.get(url)!)).toBe(expected)
})

test('a link into another space is recognized by the address of the application', () => {
  const url = 'https://docs.example/s/other/some/page#part'
  const targets = memory.run(resolveTargets(snapshot, 'readme.md', [url], ['https://docs.example']))
  expect(targets.get(url)).toEqual({ kind: 'space', space: 'other', path: 'some/page', fragment: 'part' })
})

test('all destinations of a text are looked up in few rounds', () => {
  memory.resetCounts()
  const urls = Array.from({ length: 200 }, (_, index) => `missing-${index}.md`)
  const targets = memory.run(resolveTargets(snapshot, 'readme.md', urls))
  expect(targets.size).toBe(200)
  expect(memory.counts.questions).toBeLessThan(20)
})

test('where files exist, no paths of pages are read', () => {
  memory.resetCounts()
  const urls = ['first-steps.md', 'first-steps', '../.gitbook/includes/note.md']
  memory.run(resolveTargets(snapshot, 'getting-started/first-steps.md', urls))
  // The names, then the pages.
  expect(memory.counts.reads).toBe(2)
})
