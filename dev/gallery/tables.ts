/** Gallery tables: typed columns, settings with sentences, a matrix wider and higher than a window, cards. */
import type { Inline, Table, TableCell } from '../../src/core/document/types.js'
import { paragraph, text } from '../../src/site/blocks/testing.js'

export const span = { start: 0, end: 0 }

function cell(content: string | Inline, more: Partial<TableCell> = {}): TableCell {
  return { blocks: content === '' ? [] : [paragraph(content)], ...more }
}

/** Every type of column. */
export const typedTable: Table = {
  type: 'table',
  span,
  view: 'grid',
  columns: [
    { title: [text('Name')], type: 'text' },
    { title: [text('Ready')], type: 'checkbox' },
    {
      title: [text('State')],
      type: 'select',
      options: [
        { value: 'a', label: 'Stable', color: 'green' },
        { value: 'b', label: 'Preview', color: 'purple' },
      ],
    },
    { title: [text('Liked')], type: 'rating', max: 5 },
    { title: [text('Pages')], type: 'number' },
    { title: [text('What it is for, in a few more words')], type: 'text' },
  ],
  rows: [
    [
      cell(text('merge', 'code')),
      cell('', { values: ['true'] }),
      cell('', { values: ['a'] }),
      cell('', { values: ['4'] }),
      cell('', { values: ['1204'] }),
      cell('Joins two revisions and keeps what either side wrote'),
    ],
    [
      cell('Search'),
      cell('', { values: ['false'] }),
      cell('', { values: ['a', 'b'] }),
      cell('', { values: ['2'] }),
      cell('', { values: ['87'] }),
      cell('Finds sections of pages by their words, in every language'),
    ],
  ],
}

export const cards: Table = {
  type: 'table',
  span,
  view: 'cards',
  columns: [
    { title: [], type: 'text' },
    { title: [], type: 'text' },
    { title: [], type: 'content-ref', hidden: true, cardTarget: true },
    { title: [], type: 'image', hidden: true, cardCover: true },
  ],
  rows: [
    ['Install', 'One process, one folder, ten minutes.', 'card-1.png'],
    ['Write', 'Markdown in, the same Markdown out.', 'card-2.png'],
    ['Publish', 'Pages that are there before you blink.', 'card-3.png'],
  ].map(([title = '', detail = '', cover = '']) => [
    cell(text(title, 'bold')),
    cell(detail),
    cell('', { href: 'index.html' }),
    cell('', { href: cover }),
  ]),
}

/** Few columns with sentences: rows are stacked on a phone. */
export const settingsTable: Table = {
  type: 'table',
  span,
  view: 'grid',
  columns: ['Setting', 'Default', 'What it is'].map((title) => ({ title: [text(title)], type: 'text' })),
  rows: [
    ['OCTAVO_DATA', './data', 'Folder of everything that is remembered; it is made when it is not there.'],
    ['OCTAVO_URL', '', 'Public address of the server, as it stands in every link that is sent by mail.'],
  ].map(([name = '', value = '', meaning = '']) => [
    cell(text(name, 'code')),
    cell(value === '' ? '' : text(value, 'code')),
    cell(meaning),
  ]),
}

const roles = [
  'Operation',
  'Nobody',
  'Guest',
  'Reader',
  'Commenter',
  'Editor',
  'Reviewer',
  'Admin',
  'Remarks',
]

/** Wider and higher than most windows. */
export const matrix: Table = {
  type: 'table',
  span,
  view: 'grid',
  columns: roles.map((title) => ({ title: [text(title)], type: 'text' })),
  rows: Array.from({ length: 30 }, (_, row) =>
    roles.map((role, column) =>
      column === 0
        ? cell(text(`GET /v1/spaces/{spaceId}/part-${row}`, 'code'))
        : cell(role === 'Remarks' ? 'Whoever may not even read is told that there is none.' : 'yes'),
    ),
  ),
}
