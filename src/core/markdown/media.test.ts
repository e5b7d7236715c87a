/** Video and audio elements: blocks, and the files that they count as links to. */
import { expect, it } from 'vitest'
import { formatPage } from './format.js'
import { parseFragment } from './parse.js'
import { rewriteLinks } from './rewrite-links.js'

it.each([
  ['<video src="a.mp4" controls></video>', { type: 'file', src: 'a.mp4' }, ['file a.mp4']],
  [
    '<video controls poster="a.png" width="320"><source src="./a.mp4" type="video/mp4">Get <a href="a.mp4">it</a></video>',
    { type: 'file', src: './a.mp4', poster: 'a.png', width: '320' },
    ['image a.png', 'file ./a.mp4', 'link a.mp4'],
  ],
  ['<audio controls src="a.mp3"></audio>', { type: 'file', src: 'a.mp3' }, ['file a.mp3']],
  [
    '<video><source src="a.webm"><source src="a.mp4"></video>',
    { type: 'html' },
    ['file a.webm', 'file a.mp4'],
  ],
  [
    '<video src="a.mp4"><track src="a.vtt" kind="captions"></video>',
    { type: 'html' },
    ['file a.mp4', 'file a.vtt'],
  ],
  ['<video controls></video>', { type: 'html' }, []],
])('%s', (text, block, references) => {
  const read = parseFragment(text)
  expect(read.document.blocks).toMatchObject([block])
  expect(read.references.map(({ kind, url }) => `${kind} ${url}`)).toEqual(references)
})

it('is renamed with its files', () => {
  const text = '<video controls poster="a.png"><source src="./a.mp4"></video>\n'
  expect(rewriteLinks(text, (url) => `b/${url}`)).toBe(
    '<video controls poster="b/a.png"><source src="b/./a.mp4"></video>\n',
  )
})

it('is written as the element where it has a poster', () => {
  const blocks = parseFragment('<video src="a &amp; b.mp4" poster="p.png"></video>').document.blocks
  const written = formatPage({ blocks })
  expect(written).toBe('<video src="a &amp; b.mp4" poster="p.png" controls></video>\n')
  expect(parseFragment(written).document.blocks).toMatchObject([{ src: 'a & b.mp4', poster: 'p.png' }])
})
