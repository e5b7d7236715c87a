import { expect, it } from 'vitest'
import { innerBlocks, innerInlines } from '../document/visit.js'
import type { Block, Inline, Span } from '../document/types.js'
import { decodeDestination } from './references.js'
import { pageLimits } from '../budget.js'
import { parseFragment, parsePage } from './parse.js'

/** Fragments that are combined in every order: whole constructs, their halves, and what breaks them. */
const pieces = [
  'word',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '    ',
  '\t',
  '# ',
  '## ',
  '- ',
  '1. ',
  '> ',
  '- [ ] ',
  '---\n',
  '***',
  '```js\n',
  '`',
  '**',
  '*',
  '~~',
  '$$',
  '|',
  '\n| a | b |\n|---|---|\n',
  '{% hint style="info" %}',
  '{% endhint %}',
  '{% tabs %}',
  '{% tab title="a" %}',
  '{% endtab %}',
  '{% endtabs %}',
  '{% stepper %}',
  '{% step %}',
  '{% endstep %}',
  '{% endstepper %}',
  '{% columns %}',
  '{% column width="1%" %}',
  '{% endcolumn %}',
  '{% endcolumns %}',
  '{% code title="a" %}',
  '{% endcode %}',
  '{% embed url="https://a.b" %}',
  '{% endembed %}',
  '{% file src="f" %}',
  '{% include "a.md" %}',
  '{% if a %}',
  '{% endif %}',
  '{% content-ref url="a.md" %}',
  '{% endcontent-ref %}',
  '{% updates %}',
  '{% update date="2026-01-01" %}',
  '{% endupdate %}',
  '{% @a/b c="d" %}',
  '{% raw %}',
  '{%',
  '%}',
  '{% hint "',
  '<details>',
  '<summary>',
  '</summary>',
  '</details>',
  '<div align="center">',
  '</div>',
  '<figure><img src="a b.png">',
  '<figcaption>',
  '</figcaption></figure>',
  '<table><tr><td>',
  '</td></tr></table>',
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<br>',
  '<a href="x&amp;y" id="z">',
  '</a>',
  '<pre><code>',
  '</code></pre>',
  '<ul><li>',
  '</ul>',
  '<!--',
  '-->',
  '<script>',
  '<T>',
  '<picture><source srcset="s 2x" media="dark">',
  '</picture>',
  '[a](b.md)',
  '[a](<b c> "t")',
  '![a](b\\(.png)',
  '[r]',
  '\n[r]: /r "t"\n',
  '[^1]',
  '\n[^1]: note ',
  '[',
  '](',
  ')',
  '<https://a.b>',
  '&amp;',
  '\\',
  ':smile:',
  '\u0000',
  '\ud800',
  '\udc00',
  '\ufffd',
  '\ufeff',
  '\ue000',
  '<?\ue000?>',
  '😀',
  '中）한',
]

/** A small deterministic random number generator. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function randomText(seed: number): string {
  const random = numbers(seed)
  return Array.from({ length: 1 + random(30) }, () => pieces[random(pieces.length)]!).join(
    random(3) === 0 ? '\n' : '',
  )
}

/** Drawn from more than these: fragments that do not end in a separately parsed part. */
const found = [
  '{% if a %}$$[a](b.md)\n[^1]: ',
  '{% hint style="info" %}$$[^1]: {% endcode %}\n[^1]: note ',
  '{% endhint %}$$[a](<b c> "t")  \n# [^1]: \n[^1]: note ',
]
const texts = [...found, ...Array.from({ length: 4000 }, (_, seed) => randomText(seed + 1))]

function partsOf(block: Block): readonly { readonly span: Span; readonly blocks: readonly Block[] }[] {
  switch (block.type) {
    case 'list':
      return block.items
    case 'tabs':
      return block.tabs
    case 'stepper':
      return block.steps
    case 'columns':
      return block.columns
    case 'updates':
      return block.updates
    default:
      return innerBlocks(block).map((blocks) => ({ span: block.span, blocks }))
  }
}

function checkSpans(blocks: readonly Block[], outer: Span, depth = 0): void {
  expect(depth).toBeLessThanOrEqual(pageLimits.depth)
  let last = outer.start
  for (const block of blocks) {
    expect(block.span.start).toBeGreaterThanOrEqual(last)
    expect(block.span.end).toBeGreaterThanOrEqual(block.span.start)
    expect(block.span.end).toBeLessThanOrEqual(outer.end)
    last = block.span.end
    for (const part of partsOf(block)) {
      expect(part.span.start).toBeGreaterThanOrEqual(block.span.start)
      expect(part.span.end).toBeLessThanOrEqual(block.span.end)
      checkSpans(part.blocks, part.span, depth + 1)
    }
  }
}

function checkInlines(inlines: readonly Inline[]): void {
  inlines.forEach((inline, index) => {
    if (inline.type !== 'text') return
    expect(inline.text).not.toBe('')
    const next = inlines[index + 1]
    if (next?.type === 'text') expect(next.marks ?? []).not.toEqual(inline.marks ?? [])
  })
}

it('keeps blocks inside their parents and in document order', () => {
  for (const text of texts) {
    const whole = { start: 0, end: text.length }
    checkSpans(parseFragment(text).document.blocks, whole)
    const page = parsePage(text)
    checkSpans(page.document.blocks, {
      start: page.title?.line.end ?? page.frontMatter?.end ?? 0,
      end: text.length,
    })
  }
})

it('joins texts with equal marks and leaves none empty', () => {
  const check = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      for (const inlines of innerInlines(block)) checkInlines(inlines)
      for (const inner of innerBlocks(block)) check(inner)
    }
  }
  for (const text of texts) check(parseFragment(text).document.blocks)
})

it('finds references that decode to their URLs and do not overlap', () => {
  let count = 0
  for (const text of texts) {
    let last = 0
    for (const { span, syntax, url } of parsePage(text).references) {
      expect(span.start).toBeGreaterThanOrEqual(last)
      last = span.end
      expect(decodeDestination(text.slice(span.start, span.end), syntax)).toBe(url)
      count++
    }
  }
  expect(count).toBeGreaterThan(500)
})

it('assigns every anchor and alias once', () => {
  for (const text of texts) {
    const anchors: string[] = []
    const collect = (blocks: readonly Block[]): void => {
      for (const block of blocks) {
        const places = block.type === 'tabs' ? block.tabs : [block]
        for (const place of places) {
          if ('anchor' in place) anchors.push(place.anchor)
          if ('aliases' in place) anchors.push(...(place.aliases ?? []))
        }
        for (const inner of innerBlocks(block)) collect(inner)
      }
    }
    collect(parseFragment(text).document.blocks)
    expect(new Set(anchors).size).toBe(anchors.length)
  }
})

const referenceCases: [text: string, ...references: [kind: string, url: string, syntax: string][]][] = [
  ['[a](b.md) ![c](<d e.png> "t")', ['link', 'b.md', 'inline'], ['image', 'd e.png', 'angle']],
  ['[![a](b)](c\\)d)', ['image', 'b', 'inline'], ['link', 'c)d', 'inline']],
  ['[a][r]\n\n[r]: <x y>\n[s]: z&amp;', ['link', 'x y', 'angle'], ['link', 'z&', 'definition']],
  [
    '<a href="a&amp;b">c</a> <img src=\'d\'> <a class="button" href=e>f</a>',
    ['link', 'a&b', 'attribute'],
    ['image', 'd', 'attribute'],
    ['link', 'e', 'attribute'],
  ],
  [
    '> - <figure><picture><source srcset=" s.png 2x" media="dark"><img\n>   src="l.png"></picture></figure>',
    ['image', 's.png', 'attribute'],
    ['image', 'l.png', 'attribute'],
  ],
  [
    '{% file src="f" %}\n\n{% include "i.md" %}\n\n{% content-ref url="c.md" %}\n[c](c.md)\n{% endcontent-ref %}',
    ['file', 'f', 'attribute'],
    ['reusable-content', 'i.md', 'attribute'],
    ['content-ref', 'c.md', 'attribute'],
    ['link', 'c.md', 'inline'],
  ],
  [
    '{% openapi src="o.yaml" %}\n\n<video src="v.mp4"></video>',
    ['openapi', 'o.yaml', 'attribute'],
    ['file', 'v.mp4', 'attribute'],
  ],
  ['<https://a.b> https://c.d `[a](b)`'],
  ['x[^1]\n\n[^1]: [a](b)\n\n[^2]: [c](d)', ['link', 'b', 'inline'], ['link', 'd', 'inline']],
  ['{% tabs %}{% tab title="a" %}[a](b){% endtab %}{% endtabs %}', ['link', 'b', 'inline']],
  [
    '---\ncover: "a \\u00e4.png"\ncoverDark: d.png\n---\n# [t](u)',
    ['cover', 'a ä.png', 'yaml'],
    ['cover', 'd.png', 'yaml'],
    ['link', 'u', 'inline'],
  ],
]

it.each(referenceCases)('finds the references of %j', (text, ...references) => {
  expect(parsePage(text).references.map(({ kind, url, syntax }) => [kind, url, syntax])).toEqual(references)
})

const heavy: [name: string, text: string][] = [
  ['nested quotes', `${'>'.repeat(10_000)}a`],
  ['nested lists', `${'- '.repeat(10_000)}a`],
  ['open tags', '{% hint style="info" %}\n\n'.repeat(50_000)],
  ['nested tags', '{% hint style="info" %}\n\n'.repeat(10_000) + '{% endhint %}\n\n'.repeat(10_000)],
  ['tags without end', '{% hint "'.repeat(50_000)],
  ['open elements', '<b>'.repeat(50_000)],
  ['nested elements', '<b>'.repeat(20_000) + '</b>'.repeat(20_000)],
  ['nested details', '<details>\n\n'.repeat(5_000) + '</details>\n\n'.repeat(5_000)],
  ['open comments', '<!--'.repeat(50_000)],
  ['open attributes', '<a b="'.repeat(50_000)],
  ['brackets', '![a]('.repeat(50_000)],
  ['emphasis', `${'*'.repeat(20_000)}a${'*'.repeat(20_000)}`],
  [
    'a chain of footnotes',
    `${Array.from({ length: 3_000 }, (_, index) => `[^${index}]: x[^${index + 1}]\n\n`).join('')}a[^0]`,
  ],
  ['a wide, ragged table', `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n${'|a\n'.repeat(5_000)}`],
  [
    'much content between tabs',
    `{% tabs %}\n{% tab title="a" %}\n{% endtab %}\n${'x\n\n'.repeat(20_000)}{% endtabs %}`,
  ],
]

// Complexity is covered by tests/growth.test.ts; here parsing must only finish with a result.
it.each(heavy)('reads %s', (_, text) => {
  const page = parsePage(text)
  expect(page.document.blocks.length + page.problems.length).toBeGreaterThan(0)
})
