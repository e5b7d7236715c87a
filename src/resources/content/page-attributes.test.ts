/** Titles in changes: what a change of a page's title and link title does to its text and its entry. */
import { expect, test } from 'vitest'
import { describePage } from '../../core/markdown/describe.js'
import { defaultConfig } from '../../core/config.js'
import type { PageId } from '../../core/ids.js'
import { memoryObjects } from '../../core/merkle/testing.js'
import { buildSnapshot } from '../../core/pages/build.js'
import { type Edit, editSnapshot } from '../../core/pages/edit.js'
import { findPage } from '../../core/pages/read.js'
import { describeAndPut } from '../../core/pages/testing.js'
import { withTitles } from '../../core/pages/titles.js'
import type { ContentsEntry, DocumentPage } from '../../core/pages/types.js'
import { membersOutsideText, setMembers } from './page-attributes.js'

const bare: DocumentPage = {
  type: 'document',
  id: 'p' as PageId,
  parent: null,
  position: 'a',
  slug: 'p',
  path: 'p',
  file: 'p.md',
  title: '',
}

interface Titles {
  readonly title?: string
  readonly linkTitle?: string
  readonly document?: { readonly markdown: string }
}

const own = '---\nlinkTitle: Menu\n---\n\n# Old\n'

test.each<[name: string, text: string, entry: ContentsEntry, change: Titles, expected: object]>([
  [
    'a title renames the menu',
    '# Old\n',
    { title: 'Short' },
    { title: 'New' },
    { text: '# New\n', title: 'New' },
  ],
  [
    'the same title renames nothing',
    '# Old\n',
    { title: 'Short' },
    { title: 'Old' },
    { text: '# Old\n', title: 'Old', linkTitle: 'Short' },
  ],
  [
    'a title leaves a link title',
    '# Old\n',
    { title: 'Old', linkTitle: 'Menu' },
    { title: 'New' },
    { text: '# New\n', title: 'New', linkTitle: 'Menu' },
  ],
  [
    'a title is followed by a link title that equalled it',
    '# Old\n',
    { title: 'x', linkTitle: 'Old' },
    { title: 'New' },
    { text: '# New\n', title: 'New' },
  ],
  [
    'a title leaves a link title of the text',
    own,
    { title: 'Old' },
    { title: 'New' },
    { text: own.replace('Old', 'New'), title: 'New', linkTitle: 'Menu' },
  ],
  [
    'a title is followed by one of the text that equalled it',
    own.replace('Menu', 'Old'),
    { title: 'Old' },
    { title: 'New' },
    { text: '# New\n', title: 'New' },
  ],
  [
    'a title of a text without one',
    'Words.\n',
    { title: 'Old', linkTitle: 'Old' },
    { title: 'New' },
    { text: 'Words.\n', title: 'New' },
  ],
  [
    'blanks in a title are one',
    '# Old\n',
    { title: 'Short' },
    { title: ' New  one ' },
    { text: '# New one\n', title: 'New one' },
  ],
  [
    'a link title',
    '# Old\n',
    { title: 'Old' },
    { linkTitle: 'Menu' },
    { text: '# Old\n', title: 'Old', linkTitle: 'Menu' },
  ],
  [
    'both titles',
    '# Old\n',
    { title: 'Short' },
    { title: 'New', linkTitle: 'Menu' },
    { text: '# New\n', title: 'New', linkTitle: 'Menu' },
  ],
  [
    'a link title of the text',
    own,
    { title: 'Old' },
    { linkTitle: 'Nav' },
    { text: own.replace('Menu', 'Nav'), title: 'Old', linkTitle: 'Nav' },
  ],
  ['no link title', '# Old\n', { title: 'Short' }, { linkTitle: '' }, { text: '# Old\n', title: 'Old' }],
  [
    'no link title beside a title',
    '# Old\n',
    { title: 'x', linkTitle: 'Menu' },
    { title: 'New', linkTitle: '' },
    { text: '# New\n', title: 'New' },
  ],
  ['no link title of the text', own, { title: 'Old' }, { linkTitle: '' }, { text: '# Old\n', title: 'Old' }],
  [
    'a new text wins over the title',
    '# Old\n',
    { title: 'Short' },
    { title: 'New', document: { markdown: '# Text\n' } },
    { text: '# Text\n', title: 'Text', linkTitle: 'Short' },
  ],
  [
    'a new text wins over the link title',
    '# Old\n',
    { title: 'Old' },
    { linkTitle: 'Nav', document: { markdown: own } },
    { text: own, title: 'Old', linkTitle: 'Menu' },
  ],
  [
    'a new text without a title takes it',
    '# Old\n',
    { title: 'Short' },
    { title: 'Old', document: { markdown: 'Words.\n' } },
    { text: 'Words.\n', title: 'Old' },
  ],
])('%s', (_, text, entry, change, expected) => {
  const memory = memoryObjects()
  const before = describeAndPut(text, describePage, memory)
  const page = withTitles({ ...bare, text: before.hash, size: before.size }, entry, before.description)
  const descriptions = new Map([[before.hash, before.description]])
  const content = { config: defaultConfig, pages: [page], files: [], texts: [], descriptions }
  const written = change.document?.markdown ?? setMembers(text, change, page.title)
  const set = membersOutsideText(page, change, written)
  const edit: Edit = { kind: 'update-page', page: page.id, set, ...(written !== text && { text: written }) }
  const context = { sink: memory, describe: describePage, now: 1 }
  const { snapshot } = memory.run(editSnapshot(buildSnapshot(content, memory), [edit], context))
  const edited = memory.run(findPage(snapshot, page.id)) as DocumentPage
  expect({ text: memory.text(edited.text!), title: edited.title, linkTitle: edited.linkTitle }).toEqual({
    linkTitle: undefined,
    ...expected,
  })
})
