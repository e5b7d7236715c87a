/** Fragments that a link may lead to: what the link check knows of is in the page, and nothing else. */
import { describe, expect, it } from 'vitest'
import { anchorsOf } from '../../core/document/anchors.js'
import { parsePage } from '../../core/markdown/parse.js'
import { linksOfParsed } from '../../core/markdown/text-links.js'
import { renderDocument } from './render.js'
import { contextOf } from './testing.js'

const render = (text: string): string => renderDocument(parsePage(text).document, contextOf()).toString()

const idsOf = (markup: string): string[] => [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)

const samples: readonly (readonly [name: string, text: string, ...ids: string[]])[] = [
  ['an empty anchor in a line', 'Flour <a name="rye"></a>and <a id="wheat"></a>water.', 'rye', 'wheat'],
  ['an anchor around words', 'Flour <a name="rye">of rye</a>.', 'rye'],
  ['an anchor that is a link', 'See <a id="rye" href="b.md">rye</a>.', 'rye'],
  ['an anchor without an end tag', 'Flour <a name="rye">of rye.', 'rye'],
  ['both names of one anchor', '<a id="rye" name="wheat"></a>Flour.', 'rye', 'wheat'],
  ['an anchor on a line of its own', 'Flour.\n\n<a id="rye"></a>\n\nWater.', 'rye'],
  ['an anchor above a heading', '<a name="rye"></a>\n## Bread', 'rye', 'bread'],
  ['an anchor above code', '<a name="rye"></a>\n\n```js\nbake()\n```', 'rye'],
  ['an anchor above a picture', '<a name="rye"></a>\n![Rye](rye.png)', 'rye'],
  ['an anchor at the end', 'Flour.\n\n<a name="rye"></a>', 'rye'],
  ['an anchor alone', '<a name="rye"></a>', 'rye'],
  ['two anchors', '<a id="rye"></a>\n<a id="wheat"></a>\n\nFlour.', 'rye', 'wheat'],
  ['a marked line', 'Flour of <b id="rye">rye</b>, <code id="wheat">wheat</code>.', 'rye', 'wheat'],
  ['a span', 'Flour of <span id="rye">rye</span>.', 'rye'],
  ['an inline element outside of the dialect', 'Flour of <abbr id="rye" title="x">r</abbr>.', 'rye'],
  ['a line break', 'Flour<br id="rye">Water.', 'rye'],
  ['an inline picture', 'Flour <img id="rye" src="a.png"> and more.', 'rye'],
  ['a picture', '<img id="rye" src="a.png">', 'rye'],
  [
    'a figure',
    '<figure id="rye"><img id="oat" src="a.png"><figcaption id="wheat">x</figcaption></figure>',
    'rye',
    'oat',
    'wheat',
  ],
  ['an item', '* <a name="rye"></a>Rye\n* Wheat', 'rye'],
  ['an HTML item', '<ul id="all"><li id="rye">Rye</li><li id="oat"></li></ul>', 'all', 'rye', 'oat'],
  ['a cell of a pipe table', '| k | v |\n| - | - |\n| <a id="rye"></a>x | y |', 'rye'],
  ['a cell with nothing else', '| k | v |\n| - | - |\n| <a id="rye"></a> | y |', 'rye'],
  ['the head of a pipe table', '| <a id="rye"></a>k | v |\n| - | - |\n| x | y |', 'rye'],
  [
    'an HTML table',
    '<table id="all"><thead id="head"><tr><th id="rye">k</th></tr></thead><tbody><tr id="row"><td id="oat">x</td></tr><tr><td id="bare"></td></tr></tbody></table>',
    'all',
    'head',
    'rye',
    'row',
    'oat',
    'bare',
  ],
  ['a table without a head', '<table><tr><td id="rye">x</td></tr></table>', 'rye'],
  ['a paragraph', '<p id="rye">Rye</p>', 'rye'],
  ['a section', '<section id="rye">\n\nRye\n\n</section>', 'rye'],
  ['an empty section', '<div id="rye"></div>\n\nRye', 'rye'],
  ['a section in a section', '<div id="a"><div id="b">\n\n## Rye\n\n</div></div>', 'a', 'b', 'rye'],
  ['a quote', '<blockquote id="rye">Rye</blockquote>', 'rye'],
  ['code', '<pre id="rye"><code id="oat">x</code></pre>', 'rye', 'oat'],
  ['a divider', '<hr id="rye">', 'rye'],
  ['a term', '<dl><dt id="rye">Rye</dt><dd id="oat">A cereal</dd></dl>', 'rye', 'oat'],
  ['an HTML heading', '<h2 id="rye">Bread</h2>', 'rye'],
  ['a heading with more than one anchor', '## <a id="rye"></a>Bread <a name="oat"></a>', 'rye', 'oat'],
  ['a heading in a heading', '## Bread <span id="rye">of rye</span>', 'bread-of-rye', 'rye'],
  ['an expandable', '<details id="rye"><summary id="oat">Bread</summary>\n\nx\n\n</details>', 'rye', 'oat'],
  ['a video', '<video id="rye" src="a.mp4"></video>', 'rye'],
  ['HTML outside of the dialect', '<dialog id="rye"><p id="oat">x</p></dialog>', 'rye', 'oat'],
  ['a footnote', 'Flour.[^1]\n\n[^1]: <a id="rye"></a>Of rye.', 'rye'],
  ['a hint', '{% hint style="info" %}\n<a id="rye"></a>Rye\n{% endhint %}', 'rye'],
  [
    'a tab',
    '{% tabs %}\n{% tab title="Bread" %}\n<a id="rye"></a>\n{% endtab %}\n{% endtabs %}',
    'bread',
    'rye',
  ],
  ['an id in braces', '## Bread {#rye}', 'rye', 'bread'],
]

describe('the page has the ids', () => {
  it.each(samples)('of %s', (_, text, ...ids) => {
    const page = parsePage(text)
    const known = new Set(linksOfParsed(text, page).anchors)
    const rendered = idsOf(render(text))
    expect(new Set(rendered).size, 'no id is in the page twice').toBe(rendered.length)
    for (const id of ids) {
      expect(rendered).toContain(id)
      expect([...known]).toContain(id)
    }
    for (const id of known) expect(rendered).toContain(id)
  })
})

describe('the link check does not know ids that are not in the page', () => {
  it.each([
    ['in code', '```html\n<a id="rye"></a>\n```'],
    ['in a line of code', 'Write `<a id="rye"></a>`.'],
    ['in an attribute of a tag', '{% code title="a" id="rye" %}\n```\nx\n```\n{% endcode %}'],
    ['in a comment', '<!-- <a id="rye"></a> -->'],
    [
      'in a hidden column',
      '<table data-view="cards"><thead><tr><th>a</th><th data-hidden>b</th></tr></thead><tbody><tr><td>x</td><td id="rye">y</td></tr></tbody></table>',
    ],
    ['in a drawing', '<svg><g id="rye"></g></svg>'],
    ['in a footnote that nothing refers to', 'Flour.\n\n[^1]: <a id="rye"></a>Of rye.'],
    ['as the name of a field', 'Flour <input name="rye">'],
  ])('%s', (_, text) => {
    expect(linksOfParsed(text, parsePage(text)).anchors).not.toContain('rye')
    expect(idsOf(render(text))).not.toContain('rye')
  })
})

describe('of two targets with one name', () => {
  it('the first one has it', () => {
    const markup = render('Rye <a id="a"></a>\n\nOat <a id="a"></a>')
    expect(markup).toBe('<p>Rye<span id="a"></span></p>\n<p>Oat</p>\n')
  })

  it('a heading has it, so that the outline leads to it', () => {
    const markup = render('<a id="bread"></a>Rye\n\n## Bread')
    expect(idsOf(markup)).toEqual(['bread'])
    expect(markup).toContain('<h2 id="bread">')
  })
})

it('a target between blocks is one element, before which nothing is inserted', () => {
  expect(render('<a id="rye"></a><a id="oat"></a>\n\n- x')).toMatch(
    /^<span class="targets"><span id="rye"><\/span><span id="oat"><\/span><\/span><ul>/,
  )
  expect(render('<a id="rye"></a>\n\nRye')).toBe('<p><span id="rye"></span>Rye</p>\n')
})

it('a page of nothing but targets takes linear work', () => {
  const page = (count: number) =>
    Array.from({ length: count }, (_, index) => `<div id="a${index}"><a name="b${index}"></a>`).join('\n\n')
  const count = (text: string) => anchorsOf(parsePage(text).document).length
  expect(count(page(40))).toBe(80)
  expect(count(Array.from({ length: 20_000 }, (_, index) => `<a name="b${index}"></a>`).join(' '))).toBe(
    20_000,
  )
})
