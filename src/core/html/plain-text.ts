/** Plain text fallback for a page that is too large or too deep: the text between its tags, in paragraphs. */
import type { Block } from '../document/types.js'
import { decodeEntities } from '../markdown/entities.js'
import { tokenizeHtml } from '../markdown/html.js'
import { blockNames, ignoredNames } from './element-names.js'
import { noSpan } from './reader.js'

/** Returns the title and the paragraphs of a page, in linear time. */
export function wordsOfHtml(html: string): { readonly title?: string; readonly blocks: readonly Block[] } {
  const blocks: Block[] = []
  let words: string[] = []
  let title: string | undefined
  let within: string | undefined
  const end = (): void => {
    const text = words.join('').replace(/\s+/g, ' ').trim()
    words = []
    if (text !== '') blocks.push({ type: 'paragraph', span: noSpan, children: [{ type: 'text', text }] })
  }
  for (const token of tokenizeHtml(html, undefined)) {
    if (token.kind === 'text') {
      const text = decodeEntities(html.slice(token.start, token.end))
      if (within === 'title') title ??= text.replace(/\s+/g, ' ').trim() || undefined
      else if (within === undefined) words.push(text)
    } else if (token.kind === 'open') {
      if (blockNames.has(token.name) || token.name === 'br') end()
      if (
        token.name === 'script' ||
        token.name === 'style' ||
        token.name === 'title' ||
        token.name === 'textarea'
      )
        within = token.name
    } else if (token.kind === 'close') {
      if (blockNames.has(token.name) || ignoredNames.has(token.name)) end()
      if (token.name === within) within = undefined
    }
  }
  end()
  return { ...(title !== undefined && { title }), blocks }
}
