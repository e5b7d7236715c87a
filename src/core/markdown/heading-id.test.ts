/** Ids in braces at the end of headings, and braces that are text. */
import { describe, expect, it } from 'vitest'
import { plainText } from '../document/plain-text.js'
import { setTitle } from './front-matter-edit.js'
import { formatPage } from './format.js'
import { parseFragment, parsePage } from './parse.js'

function headingOf(text: string): { anchor: string; text: string; aliases: readonly string[] } | undefined {
  const [block] = parseFragment(text).document.blocks
  if (block?.type !== 'heading') return undefined
  return { anchor: block.anchor, text: plainText(block.children), aliases: block.aliases ?? [] }
}

describe('an id in braces', () => {
  it.each([
    ['## Baking bread {#bread}', 'Baking bread', 'bread'],
    ['## Baking bread { #bread }', 'Baking bread', 'bread'],
    ['## Baking bread{#bread}', 'Baking bread', 'bread'],
    ['## Baking bread {: #bread }', 'Baking bread', 'bread'],
    ['## Baking bread {#bread .wide data-a="b c" lang=en}', 'Baking bread', 'bread'],
    ['## Baking bread {/* #bread */}', 'Baking bread', 'bread'],
    ['## Baking bread {/*bread*/}', 'Baking bread', 'bread'],
    ['## Baking bread {/*my-bread_1.2*/}', 'Baking bread', 'my-bread_1.2'],
    ['## Baking bread ## {#bread}', 'Baking bread', 'bread'],
    ['## Baking bread {#bread} ##', 'Baking bread', 'bread'],
    ['Baking bread {#bread}\n---', 'Baking bread', 'bread'],
    ['## Baking `bread` {#bread}  ', 'Baking bread', 'bread'],
    ['## Baking **bread** {#_bread_}', 'Baking bread', '_bread_'],
    ['## Baking bread {#rye\\_bread}', 'Baking bread', 'rye_bread'],
    ['> ## Baking bread {#bread}', undefined, undefined],
    ['## 製パン {#パン}', '製パン', 'パン'],
  ])('%s', (text, words, anchor) => {
    const [block] = parseFragment(text).document.blocks
    const heading = block?.type === 'blockquote' ? headingOf(text.slice(2)) : headingOf(text)
    expect(heading).toMatchObject({ text: words ?? 'Baking bread', anchor: anchor ?? 'bread' })
  })

  it('leaves the slug of the text as an alias, unless another heading has it', () => {
    expect(headingOf('## Baking bread {#bread}')?.aliases).toEqual(['baking-bread'])
    expect(headingOf('## Bread {#bread}')?.aliases).toEqual([])
    expect(headingOf('## Bread {#rye}\n\n## Bread')?.aliases).toEqual([])
  })

  it('may be that of the title', () => {
    const { title, document } = parsePage('# Baking {#bake}\n\nText.\n')
    expect(title).toMatchObject({ text: 'Baking', anchors: ['bake', 'baking'] })
    expect(document.blocks).toHaveLength(1)
  })

  it('stays when the title is changed', () => {
    expect(setTitle('# Baking {#bake}\n\nText.\n', 'Cooking')).toBe('# Cooking {#bake}\n\nText.\n')
    const braced = setTitle('# Baking\n\nText.\n', 'The sign {#}{#x}')
    expect(parsePage(braced).title?.text).toBe('The sign {#}{#x}')
  })
})

describe('braces that are text', () => {
  it.each([
    '## The block \\{#each}',
    '## {#each}',
    '## The code `{#each}`',
    '## The set {a, b}',
    '## The block {#each items as item}',
    '## The variable ${#x}',
    '## The value {{#x}}',
    '## The class {.wide}',
    '## An {#id} in the middle',
    '## A comment {/* two words */}',
    'A paragraph {#id}',
  ])('%s', (text) => {
    const [block] = parseFragment(text).document.blocks
    const words = block?.type === 'heading' || block?.type === 'paragraph' ? plainText(block.children) : ''
    expect(words).toBe(text.replace(/^## |[\\`]/g, ''))
  })

  it.each(['Sign {#a}', 'Sign { #a .b }', 'Sign {/*a*/}', '{#a}'])(
    'are written so that they stay text: %s',
    (words) => {
      const children = [{ type: 'text' as const, text: words }]
      const span = { start: 0, end: 0 }
      const heading = { type: 'heading' as const, span, level: 1 as const, anchor: '', children }
      const written = formatPage({ title: words, blocks: [heading] })
      const { title, document } = parsePage(written)
      expect(title?.text).toBe(words)
      expect(document.blocks.map((block) => block.type === 'heading' && plainText(block.children))).toEqual([
        words,
      ])
    },
  )
})

it('is found in one pass over a long line', () => {
  const line = `## ${'{#a '.repeat(50_000)}`
  expect(headingOf(line)?.text.length).toBe(line.trimEnd().length - 3)
})
