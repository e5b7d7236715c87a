import { expect, test } from 'vitest'
import type { Hash, PageId } from '../ids.js'
import { entryAfterEdit, entryOf, withTitles } from './titles.js'
import type { ContentsEntry, DocumentPage } from './types.js'

const page = (titles: Partial<DocumentPage>): DocumentPage => ({
  type: 'document',
  id: 'p' as PageId,
  parent: null,
  position: 'a',
  slug: 'p',
  path: 'p',
  file: 'p.md',
  text: 'hash' as Hash,
  title: '',
  ...titles,
})
/** A text with a heading and members of its front matter. */
const text = (heading?: string, metadata: { title?: string; linkTitle?: string } = {}) => ({
  ...(heading !== undefined && { title: heading }),
  metadata,
})
const titlesOf = ({ title, linkTitle, contentsEntry }: DocumentPage) => [title, linkTitle, contentsEntry]

test.each<[entry: ContentsEntry, ReturnType<typeof text> | undefined, title: string, linkTitle?: string]>([
  [{ title: 'CLI' }, text('Command line'), 'Command line', 'CLI'],
  [{ title: 'CLI' }, text('CLI'), 'CLI'],
  [{ title: 'CLI' }, text(), 'CLI'],
  [{ title: 'CLI' }, undefined, 'CLI'],
  [{ title: 'FAQ' }, text('Heading', { title: 'Questions' }), 'Questions', 'FAQ'],
  [{ title: 'CLI', linkTitle: 'Nav' }, text('Command line'), 'Command line', 'Nav'],
  [{ title: 'CLI', linkTitle: 'Nav' }, text('CLI'), 'CLI', 'Nav'],
  [{ title: 'CLI', linkTitle: 'CLI' }, text('Command line'), 'Command line', 'CLI'],
  [{ title: 'CLI' }, text('Command line', { linkTitle: 'Own' }), 'Command line', 'Own'],
  [{ title: 'CLI', linkTitle: 'Nav' }, text('CLI', { linkTitle: 'Own' }), 'CLI', 'Own'],
])(
  'the entry %j of the text %j gives the title %j and the link title %j',
  (entry, described, title, link) => {
    const titled = withTitles(page({}), entry, described)
    expect(titlesOf(titled).slice(0, 2)).toEqual([title, link])
    expect(entryOf(titled, described)).toEqual(entry)
    // Nothing remains of what the page had before.
    expect(withTitles(titled, { title: 'Bare' }, undefined)).toEqual(page({ title: 'Bare' }))
  },
)

test.each<
  [
    name: string,
    before: DocumentPage,
    old: ReturnType<typeof text>,
    now: ReturnType<typeof text>,
    expected: object,
  ]
>([
  ['follows a title that it equals', page({ title: 'A' }), text('A'), text('B'), { title: 'B' }],
  [
    'stays where it says something else',
    withTitles(page({}), { title: 'CLI' }, text('A')),
    text('A'),
    text('B'),
    { title: 'CLI' },
  ],
  [
    'keeps its link title',
    page({ title: 'A', linkTitle: 'Nav' }),
    text('A'),
    text('B'),
    { title: 'B', linkTitle: 'Nav' },
  ],
  [
    'has no link title of the text',
    page({ title: 'A', linkTitle: 'Own' }),
    text('A', { linkTitle: 'Own' }),
    text('B'),
    { title: 'B' },
  ],
  ['stays when the text loses its title', page({ title: 'A' }), text('A'), text(), { title: 'A' }],
  ['follows a text that gets a title', page({ title: 'A' }), text(), text('B'), { title: 'B' }],
  [
    'of an earlier record is its title',
    page({ title: 'CLI' }),
    text('Command line'),
    text('Shell'),
    { title: 'CLI' },
  ],
])('an entry %s', (_, before, old, now, expected) => {
  expect(entryAfterEdit(before, old, now)).toEqual(expected)
})
