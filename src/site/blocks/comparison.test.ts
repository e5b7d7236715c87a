/** Rendered comparisons: each construct by an example, and the laws that hold for any two texts. */
import type { Nodes } from 'hast'
import fc from 'fast-check'
import { htmlToHast } from 'satteri'
import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../../core/comparison/compare-documents.js'
import { parsePage } from '../../core/markdown/parse.js'
import { propertyRuns } from '../../core/merge/testing.js'
import { comparisonContext } from './comparison.js'
import { renderDocument } from './render.js'
import { contextOf } from './testing.js'

function compare(before: string, after: string) {
  const compared = compareDocuments(parsePage(before).document, parsePage(after).document)
  const contexts = {
    before: contextOf({ link: (url) => ({ href: `before-${url}` }) }),
    after: contextOf({ link: (url) => ({ href: `after-${url}` }) }),
  }
  const html = renderDocument(compared.document, comparisonContext(compared, contexts)).toString()
  return { ...compared, html: html.replace(/\s*\n\s*/g, '') }
}

/** The characters that are displayed, without white space, of an HTML without one of the two marks. */
function words(html: string, without?: 'ins' | 'del'): string {
  const found: string[] = []
  const visit = (node: Nodes): void => {
    if (node.type === 'text') found.push(node.value)
    if (!('children' in node)) return
    const { tagName = '', properties = {} } = node as {
      tagName?: string
      properties?: { className?: unknown }
    }
    const isOurs = String(properties.className ?? '').includes('diff-')
    // Notes are numbered through both versions, and one of both is there twice.
    const isNote = /notes|annotation/.test(String(properties.className ?? ''))
    if (isNote || (tagName === without && isOurs)) return
    for (const child of node.children) visit(child)
  }
  visit(htmlToHast(html) as Nodes)
  return found.join('').replace(/\s+/g, '')
}

const rendered = (text: string) =>
  renderDocument(parsePage(text).document, contextOf({ link: (url) => ({ href: url }) })).toString()

const word = fc.constantFrom(
  'alpha',
  'beta',
  'gamma',
  '**bold**',
  '~~gone~~',
  '`a b`',
  '[x](y.md)',
  '[alpha beta](z.md)',
  '日本語',
  '<u>odd',
  'note[^1]',
  '$$x^2$$',
  ':smile:',
)
const line = fc.array(word, { minLength: 1, maxLength: 6 }).map((all) => all.join(' '))
const lines = fc.array(line, { minLength: 1, maxLength: 4 })
const rows = (start: string) => (all: readonly string[]) => all.map((one) => start + one).join('\n')
const leaf = fc.oneof(
  line,
  line.map((one) => `## ${one}`),
  lines.map(rows('- ')),
  lines.map(rows('* [x] ')),
  lines.map((all) => all.map((one, at) => `${at + 1}. ${one}\n\n   more ${one}`).join('\n\n')),
  lines.map((all) => `| a | b |\n| --- | --- |\n${all.map((one) => `| ${one} | x |`).join('\n')}`),
  lines.map((all) => `| a |\n| --- |\n${all.map((one) => `| ${one} |`).join('\n')}`),
  lines.map((all) => `\`\`\`js\n${all.join('\n')}\n\`\`\``),
  lines.map(rows('> ')),
  line.map((one) => `![${one.replace(/[^a-z ]/g, '')}](a.png)`),
  fc.constant('---'),
  line.map((one) => `<div><b>${one}</b></div>`),
  fc.constantFrom('![](one.png)', '![](two.png)', '$$\na\n$$', '$$\nb\n$$', '[^1]: A *note*.'),
)
const block = fc.oneof(
  { weight: 4, arbitrary: leaf },
  fc
    .array(leaf, { minLength: 1, maxLength: 3 })
    .map((all) => `{% hint style="info" %}\n${all.join('\n\n')}\n{% endhint %}`),
  fc
    .tuple(line, fc.array(leaf, { minLength: 1, maxLength: 3 }))
    .map(([title, all]) => `<details>\n\n<summary>${title}</summary>\n\n${all.join('\n\n')}\n\n</details>`),
  fc
    .array(fc.tuple(fc.constantFrom('One', 'Two', 'Three'), leaf), { minLength: 1, maxLength: 3 })
    .map(
      (tabs) =>
        `{% tabs %}\n${tabs.map(([title, one]) => `{% tab title="${title}" %}\n${one}\n{% endtab %}`).join('\n')}\n{% endtabs %}`,
    ),
  fc
    .array(leaf, { minLength: 1, maxLength: 3 })
    .map(
      (steps) =>
        `{% stepper %}\n${steps.map((one) => `{% step %}\n${one}\n{% endstep %}`).join('\n')}\n{% endstepper %}`,
    ),
)
const blocks = fc.array(block, { minLength: 0, maxLength: 6 })
const edits = fc.array(
  fc.record({ kind: fc.constantFrom('replace', 'insert', 'delete', 'swap'), at: fc.nat({ max: 9 }), block }),
  { maxLength: 4 },
)

function edited(
  all: readonly string[],
  changes: readonly { kind: string; at: number; block: string }[],
): string[] {
  const found = [...all]
  for (const { kind, at, block: one } of changes) {
    const place = found.length === 0 ? 0 : at % found.length
    if (kind === 'insert') found.splice(place, 0, one)
    else if (kind === 'delete') found.splice(place, 1)
    else if (kind === 'replace') found.splice(place, 1, one)
    else if (found.length > 1) found.push(...found.splice(place, 1))
  }
  return found
}

const versions = fc.oneof(
  fc
    .tuple(blocks, edits)
    .map(([all, changes]) => [all.join('\n\n'), edited(all, changes).join('\n\n')] as const),
  fc.tuple(blocks, blocks).map(([one, other]) => [one.join('\n\n'), other.join('\n\n')] as const),
)

describe('by construct', () => {
  test.each([
    [
      'words, with the format that they have',
      'A *b* and c.',
      'A **b** and d.',
      '<p>A <del class="diff-removed"><em>b</em></del><ins class="diff-added"><strong>b</strong></ins> and <del class="diff-removed">c</del><ins class="diff-added">d</ins>.</p>',
    ],
    [
      'a link to another place',
      '[x](a.md)',
      '[x](b.md)',
      '<del class="diff-removed"><a href="before-a.md">x</a></del><ins class="diff-added"><a href="after-b.md">x</a></ins>',
    ],
    [
      'an item',
      '- a\n- b',
      '- a\n- c\n- b',
      '<li><ins class="diff-added" data-change="c1" data-key="0.1.0">c</ins></li>',
    ],
    [
      'a cell',
      '| a |\n| - |\n| b |',
      '| a |\n| - |\n| c |',
      '<del class="diff-removed">b</del><ins class="diff-added">c</ins></span></td>',
    ],
    [
      'a line of code',
      '```\na\nb\n```',
      '```\na\nc\n```',
      '<span class="line">a</span><del class="diff-removed"><span class="line">b</span></del><ins class="diff-added"><span class="line">c</span></ins>',
    ],
    [
      'two pictures beside each other',
      '![](a.png)',
      '![](b.png)',
      '<div class="diff-sides" data-change="c1" data-key="0"><del class="diff-removed">',
    ],
    [
      'a block that was put elsewhere, with the heading above its other place',
      '## A\n\nMoved words.\n\n## B\n\nOne.\n\nTwo.',
      '## A\n\n## B\n\nOne.\n\nMoved words.\n\nTwo.',
      '<ins class="diff-moved" data-change="c1" data-key="3" data-place="A"><p>Moved words.</p></ins>',
    ],
  ])('%s', (_, before, after, markup) => {
    expect(compare(before, after).html).toContain(markup)
  })

  test('one block that passes many edited ones has moved, and not they', () => {
    const block = (at: number, end: string) =>
      `Here is paragraph number ${at} of this page, and it ends with ${end}.`
    const edited = [1, 2, 3].map((at) => block(at, 'these words'))
    const { changes } = compare(
      [...[1, 2, 3].map((at) => block(at, 'those words')), 'It moves.'].join('\n\n'),
      ['It moves.', ...edited].join('\n\n'),
    )
    expect(changes.map(({ type }) => type)).toEqual(['moved', 'edited', 'edited', 'edited'])
  })
})

describe('for any two texts', () => {
  test('the comparison has the words of the later one without what is removed, and of the earlier one without what is added', () => {
    fc.assert(
      fc.property(versions, ([before, after]) => {
        const { html } = compare(before, after)
        expect(words(html, 'del')).toBe(words(rendered(after)))
        expect(words(html, 'ins')).toBe(words(rendered(before)))
      }),
      propertyRuns(80),
    )
  })

  test('there are changes exactly when they differ in what is displayed, each with an element', () => {
    fc.assert(
      fc.property(versions, ([before, after]) => {
        const { html, changes } = compare(before, after)
        const isSame = rendered(before) === rendered(after)
        if (isSame) expect(changes).toEqual([])
        else expect(changes.length).toBeGreaterThan(0)
        expect(html.includes('class="diff-')).toBe(changes.length > 0)
        const ids = new Set([...html.matchAll(/data-change="(c\d+)"/g)].map(([, id]) => id))
        expect(changes.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([])
      }),
      propertyRuns(80),
    )
  })
})
