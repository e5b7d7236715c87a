/** Gallery document: every block and inline in one document. */
import type { Block, ListItem } from '../../src/core/document/types.js'
import type { RenderContext } from '../../src/site/blocks/context.js'
import { contextOf, documentOf, paragraph, text } from '../../src/site/blocks/testing.js'
import type { OutlineEntry } from '../../src/site/layout/view.js'
import { gallerySpecification } from './specification.js'
import { cards, matrix, settingsTable, span, typedTable } from './tables.js'

const outline: OutlineEntry[] = []

function heading(level: 1 | 2 | 3, title: string): Block {
  const anchor = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')
  if (level < 3) outline.push({ level: level as 1 | 2, anchor, text: title })
  return { type: 'heading', span, level, anchor, children: [text(title)] }
}

function item(...blocks: readonly (string | Block)[]): ListItem {
  return { span, blocks: blocks.map((block) => (typeof block === 'string' ? paragraph(block) : block)) }
}

function code(syntax: string, source: string, more: Partial<Extract<Block, { type: 'code' }>> = {}): Block {
  return { type: 'code', span, syntax, code: source, ...more }
}

const typescript = `import { mergeRevisions } from './merge.js'

/** Both sides, and what could not be joined. */
export async function merge(base: Revision, ours: Revision, theirs: Revision) {
  const { tree, conflicts } = mergeRevisions(base, ours, theirs)
  if (conflicts.length > 0) return { result: 'conflicts', conflicts } // nothing is written
  return { result: 'merge', revision: await write(tree), count: 42 }
}`

const blocks: Block[] = [
  paragraph(
    'A paragraph with ',
    text('bold', 'bold'),
    ', ',
    text('italic', 'italic'),
    ', ',
    text('code', 'code'),
    ', ',
    { type: 'text', text: 'struck', marks: [{ type: 'strikethrough' }] },
    ', a ',
    { type: 'link', url: 'index.html', children: [text('link to a page')] },
    ', keys ',
    { type: 'text', text: 'Ctrl', marks: [{ type: 'keyboard' }] },
    ' ',
    { type: 'text', text: 'K', marks: [{ type: 'keyboard' }] },
    ', H',
    { type: 'text', text: '2', marks: [{ type: 'subscript' }] },
    'O and x',
    { type: 'text', text: '2', marks: [{ type: 'superscript' }] },
    ', ',
    { type: 'text', text: 'colour', marks: [{ type: 'color', text: 'orange' }] },
    ' and ',
    { type: 'text', text: 'background', marks: [{ type: 'color', background: 'purple' }] },
    ', an emoji ',
    { type: 'emoji', code: '1f680' },
    ', an icon ',
    { type: 'icon', icon: 'bolt', color: '$primary' },
    ', a mention of ',
    { type: 'link', url: 'guide.md', mention: true, children: [] },
    ', a value ',
    { type: 'expression', expression: 'space.vars.version' },
    ', a ',
    {
      type: 'annotation',
      identifier: '1',
      children: [text('word with a note')],
      body: [paragraph('The note opens here, and is printed at the end of the page.')],
    },
    ' and a formula ',
    { type: 'inline-math', formula: 'e^{i\\pi} + 1 = 0' },
    '. A ',
    { type: 'link', url: 'gone.md', children: [text('link that leads nowhere')] },
    ' is no link.',
  ),
  paragraph(
    '中文段落也应当易于阅读：标点、行距与字号都要合适。日本語の文章も同じように読みやすく表示されます。',
  ),
  paragraph(
    { type: 'button', label: 'Get started', kind: 'primary', icon: 'rocket', url: 'index.html' },
    ' ',
    { type: 'button', label: 'Search the guide', kind: 'secondary', action: 'search', query: 'merge' },
  ),
  heading(1, 'Hints'),
  {
    type: 'hint',
    span,
    style: 'info',
    blocks: [paragraph('A page is stored as the exact text its author wrote.')],
  },
  {
    type: 'hint',
    span,
    style: 'success',
    blocks: [
      { type: 'heading', span, level: 2, anchor: 'all-is-well', children: [text('All is well')] },
      paragraph('The backup was restored on another machine.'),
    ],
  },
  {
    type: 'hint',
    span,
    style: 'warning',
    blocks: [
      paragraph('Moving a page rewrites the links to it.'),
      code('bash', 'npx octavo backup --to /var/backups'),
    ],
  },
  {
    type: 'hint',
    span,
    style: 'danger',
    icon: 'trash-can',
    blocks: [
      paragraph(
        'Deleting a site cannot be undone, nor can a_name_that_is_much_longer_than_any_phone_is_wide_because_programs_made_it.',
      ),
    ],
  },
  heading(1, 'Lists'),
  {
    type: 'list',
    span,
    kind: 'unordered',
    tight: true,
    items: [
      item('First'),
      item('Second', {
        type: 'list',
        span,
        kind: 'unordered',
        tight: true,
        items: [item('Inner one'), item('Inner two')],
      }),
      item('Third'),
      item({ type: 'images', span, images: [{ src: 'card-1.png', alt: 'A picture alone', width: '160' }] }),
    ],
  },
  {
    type: 'list',
    span,
    kind: 'ordered',
    start: 3,
    tight: false,
    items: [
      item('A loose item has room around it.'),
      item('So has the next one.', 'Even with two paragraphs.'),
    ],
  },
  {
    type: 'list',
    span,
    kind: 'tasks',
    tight: true,
    items: [
      { ...item('Write the page'), checked: true },
      { ...item('Have it reviewed'), checked: false },
    ],
  },
  {
    type: 'blockquote',
    span,
    blocks: [paragraph('Perfection is reached when there is nothing left to take away.')],
  },
  { type: 'divider', span },
  heading(1, 'Code'),
  code('typescript', typescript, { title: 'src/merge.ts', lineNumbers: true, highlighted: [4, 5] }),
  code(
    'bash',
    'npm ci && npm start\ncurl -s http://127.0.0.1:4000/healthz | jq .   # a rather long line that runs out of the measure of this column',
  ),
  code('console', '$ npx octavo import ./docs --site\n$ npx octavo serve', { title: 'Two commands' }),
  code('', 'Words without a language, in a line that is rather too long for the width of any telephone'),
  code('diff', '- const old = true\n+ const young = true\n  const same = 1', { title: 'A change' }),
  code(
    'json',
    '{ "title": "Octavo", "pages": 12, "published": true, "a long member": "that wraps where the block asks for it instead of scrolling" }',
    { overflow: 'wrap' },
  ),
  code('yaml', Array.from({ length: 20 }, (_, index) => `key${index}: ${index}`).join('\n'), {
    title: 'octavo.yaml',
    expandable: true,
  }),
  code(
    'mermaid',
    'flowchart LR\n  writer[A writer] -->|asks for| review{Is it right?}\n  review -->|yes| merged([Merged])\n  review -->|no| writer\n  merged --> search[(Index)]\n  merged --> readers((Readers))\n  style merged fill:#d3f9d8,stroke:#2b8a3e',
    { title: 'From writer to reader' },
  ),
  code(
    'mermaid',
    'sequenceDiagram\n  participant W as Writer\n  participant S as Server\n  W->>S: merge\n  Note over S: one transaction\n  S-->>W: 200',
  ),
  code('mermaid', 'pie\n  "Pages" : 42\n  "Files" : 7'),
  {
    type: 'math',
    span,
    formula:
      '\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi} \\qquad \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
  },
  { type: 'math', span, formula: '\\frac{broken' },
  heading(1, 'Tabs'),
  {
    type: 'tabs',
    span,
    tabs: [
      {
        span,
        title: 'npm',
        icon: 'terminal',
        anchor: 'npm',
        blocks: [code('bash', 'npm install @gitbook/api')],
      },
      {
        span,
        title: 'pnpm',
        anchor: 'pnpm',
        blocks: [code('bash', 'pnpm add @gitbook/api'), paragraph('The same package.')],
      },
      { span, title: 'Yarn', anchor: 'yarn', blocks: [code('bash', 'yarn add @gitbook/api')] },
    ],
  },
  heading(1, 'Steps'),
  {
    type: 'stepper',
    span,
    steps: [
      {
        span,
        blocks: [
          heading(2, 'Clone'),
          paragraph('Fetch the source.'),
          code('bash', 'git clone https://example.com/octavo.git'),
        ],
      },
      { span, blocks: [heading(2, 'Start'), paragraph('One command builds and serves.')] },
      { span, icon: 'check', blocks: [heading(2, 'Read'), paragraph('Open the printed address.')] },
    ],
  },
  heading(1, 'Expandables'),
  {
    type: 'expandable',
    span,
    title: [text('Does it need a database server?')],
    anchor: 'database',
    open: true,
    blocks: [paragraph('No. SQLite is inside; PostgreSQL is for more than one machine.')],
  },
  {
    type: 'expandable',
    span,
    title: [text('Can I leave again?')],
    anchor: 'leave',
    open: false,
    blocks: [paragraph('An export is a plain copy of your files.')],
  },
  heading(1, 'Tables'),
  typedTable,
  settingsTable,
  matrix,
  heading(2, 'Cards'),
  cards,
  heading(1, 'Columns'),
  {
    type: 'columns',
    span,
    columns: [
      { span, width: '33%', blocks: [paragraph('A narrow column beside a wide one.')] },
      {
        span,
        blocks: [
          paragraph('The wide one holds a list:'),
          { type: 'list', span, kind: 'unordered', tight: true, items: [item('one'), item('two')] },
        ],
      },
    ],
  },
  heading(1, 'Pictures and files'),
  {
    type: 'images',
    span,
    images: [
      {
        src: 'light.png',
        srcDark: 'dark.png',
        alt: 'Dunes by day or night',
        caption: [text('A picture with a dark variant and a caption')],
      },
    ],
  },
  { type: 'images', span, images: [{ src: 'cover.png', alt: 'Hills, wider than the text' }] },
  { type: 'images', span, withFrame: true, images: [{ src: 'card-1.png', alt: '', width: '300' }] },
  {
    type: 'images',
    span,
    images: [
      { src: 'card-2.png', alt: '' },
      { src: 'card-3.png', alt: '' },
    ],
  },
  { type: 'drawing', span, src: 'light.png', alt: 'A drawing' },
  { type: 'file', span, src: 'report.pdf', caption: [text('The yearly report')] },
  { type: 'embed', span, url: 'https://www.youtube.com/watch?v=abc', caption: [] },
  {
    type: 'embed',
    span,
    url: 'https://example.com/demo/a-longer-address-that-must-be-cut-at-the-end-of-its-line',
    caption: [text('A demonstration')],
  },
  { type: 'content-ref', span, url: 'guide.md', label: 'guide.md' },
  { type: 'reusable-content', span, src: 'includes/note.md' },
  {
    type: 'if',
    span,
    expression: 'visitor.claims.admin',
    blocks: [paragraph('Only some readers see this.')],
  },
  heading(1, 'Updates'),
  {
    type: 'updates',
    span,
    format: 'full',
    updates: [
      {
        span,
        date: '2026-11-20',
        anchor: 'update-2026-11-20',
        tags: ['search', 'fixed'],
        blocks: [
          { type: 'heading', span, level: 2, anchor: 'faster-search', children: [text('Faster search')] },
          paragraph('Two words over ten thousand pages in 20 ms.'),
        ],
      },
      {
        span,
        date: '2026-10-02',
        anchor: 'update-2026-10-02',
        tags: [],
        blocks: [paragraph('The first release.')],
      },
    ],
  },
  heading(1, 'Machines'),
  {
    type: 'prompt',
    span,
    description: 'Write a migration guide',
    openInAIProviders: true,
    text: 'You are a technical writer.\nRead the changelog and write a guide\nfor people who upgrade from 0.9.\nKeep it short.',
    defaultExpanded: 'partial',
  },
  {
    type: 'openapi-operation',
    span,
    spec: 'octavo',
    path: '/v1/spaces/{spaceId}/content',
    method: 'get',
    blocks: [paragraph('Answers the content of a space.')],
  },
  { type: 'openapi-webhook', span, spec: 'octavo', name: 'page.updated', blocks: [] },
  {
    type: 'integration',
    span,
    integration: 'figma',
    block: 'frame',
    props: { url: 'https://example.com/file/1', height: '400' },
  },
  {
    type: 'html',
    span,
    html: `<p>Raw <u>HTML</u> is <abbr title="made safe">sanitised</abbr>.<script>alert(1)</script></p><table><tr><td colspan="2">Joined</td>${'<td>unbreakable_word</td>'.repeat(5)}</tr></table><pre>a preformatted line of HTML that is as long as the line of a program that nobody ever broke</pre>`,
  },
]

export const galleryDocument = documentOf(...blocks)
export const galleryOutline: readonly OutlineEntry[] = outline

const sizes: Readonly<Record<string, readonly [number, number]>> = {
  'light.png': [900, 420],
  'dark.png': [900, 420],
  'card-1.png': [640, 360],
  'card-2.png': [640, 360],
  'card-3.png': [640, 360],
  'cover.png': [1600, 480],
}

export const galleryContext: RenderContext = contextOf({
  link: (url) => {
    if (url === 'gone.md') return { href: url, broken: true }
    if (url === 'guide.md')
      return {
        href: 'index.html',
        page: { title: 'The guide', emoji: '1f4d8', description: 'Where to begin, and what comes after.' },
      }
    return { href: url, external: /^https?:/.test(url) }
  },
  file: (src) => {
    const size = sizes[src]
    if (src === 'report.pdf')
      return { href: 'report.pdf', name: 'report.pdf', size: 1_482_113, contentType: 'application/pdf' }
    return size === undefined ? undefined : { href: src, name: src, width: size[0], height: size[1] }
  },
  include: () => documentOf(paragraph('This sentence is kept once and shown in many pages.')),
  evaluate: (expression) => (expression === 'space.vars.version' ? '1.0.3' : true),
  specification: (block) => (block.type === 'openapi-operation' ? gallerySpecification : undefined),
  searchHref: 'search.html',
  language: 'en',
})
