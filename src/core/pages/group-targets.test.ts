import { expect, test } from 'vitest'
import type { PageId } from '../ids.js'
import { defaultConfig } from '../config.js'
import { describePage } from '../markdown/describe.js'
import { memoryObjects } from '../merkle/testing.js'
import { emptySnapshot } from './build.js'
import { type Edit, editSnapshot } from './edit.js'
import { withPagesOfGroups } from './group-targets.js'
import { resolveTargets } from './targets.js'
import type { PageRecord } from './types.js'

const insert = (id: string, parent: string | null, page: object): Edit =>
  ({ kind: 'insert-page', parent, page: { id, title: id, ...page } }) as Edit
const group = (id: string, parent: string | null) => insert(id, parent, { type: 'group' })
const text = (id: string, parent: string | null) =>
  insert(id, parent, { type: 'document', text: `# ${id}\n` })

const memory = memoryObjects()
const { snapshot } = memory.run(
  editSnapshot(
    emptySnapshot(defaultConfig),
    [
      text('home', null),
      group('group', null),
      insert('out', 'group', { type: 'link', url: 'https://octavo.test/' }),
      text('closed', 'group'),
      text('below', 'closed'),
      text('open', 'group'),
      group('empty', null),
    ],
    { sink: memory, describe: describePage, now: 1 },
  ),
)

test.each([
  ['/pages/group', undefined, 'closed'],
  ['group/', undefined, 'closed'],
  ['group/#part', undefined, 'closed'],
  // Pages that are closed to the reader are passed over, with those below them.
  ['/pages/group', (page: PageRecord) => page.id !== ('closed' as PageId), 'open'],
  // Without a page of their own to lead to.
  ['/pages/empty', undefined, 'empty'],
  ['/pages/home', undefined, 'home'],
])('"%s" leads to a page', (url, isOpen, id) => {
  const targets = memory.run(resolveTargets(snapshot, 'home.md', [url]))
  expect(memory.run(withPagesOfGroups(snapshot, targets, isOpen)).get(url)).toMatchObject({
    kind: 'page',
    page: { id },
  })
})
