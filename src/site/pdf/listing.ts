/** Code: its lines as they were written, with the colours of its words. */
import type { Element } from 'hast'
import { codeColor } from './colors.js'
import { type Node, attribute, findBelow, hasClass, isElement, textIn } from './tree.js'
import { type Argument, type Code, call, none, sequence } from './typst.js'

/** Lines that are set together: a block of code breaks between pages inside of them too. */
const together = 40

/** Returns a `pre`, with its title and language. */
export function convertListing(pre: Element, title: string | undefined, language: string | undefined): Code {
  const body = findBelow(pre, ({ tagName }) => tagName === 'code') ?? pre
  const isNumbered = hasClass(pre, 'numbered')
  const lines = linesOf(body)
  // The last line's end is no line.
  if (lines.length > 1 && lines.at(-1)!.parts.length === 0) lines.pop()
  const isMarked = lines.some(({ marked }) => marked)
  const runs: Code[] = []
  for (let at = 0; at < lines.length; at += together) {
    const run = lines.slice(at, at + together)
    if (isNumbered) runs.push(call('numbered-lines', at + 1, ...run.map(pair)))
    else if (isMarked) runs.push(call('marked-lines', ...run.map(pair)))
    else runs.push(call('bare-lines', ...run.map(({ parts }) => sequence(parts))))
  }
  return call('listing', title ?? none, language ?? none, ...runs)
}

interface Line {
  readonly parts: Argument[]
  marked: boolean
}

const pair = ({ marked, parts }: Line): Argument => [marked, sequence(parts)]

function linesOf(body: Element): Line[] {
  const lines: Line[] = [{ parts: [], marked: false }]
  const add = (text: string, color: string | undefined, marked: boolean): void => {
    for (const [index, part] of text.replaceAll('\r', '').split('\n').entries()) {
      if (index > 0) lines.push({ parts: [], marked: false })
      const line = lines.at(-1)!
      if (part === '') continue
      line.marked ||= marked
      const shown = part.replaceAll('\t', '    ')
      line.parts.push(color === undefined ? fit(shown) : call('painted', color, fit(shown)))
    }
  }
  const walk = (node: Node, color: string | undefined, marked: boolean, depth: number): void => {
    if (node.type === 'text') return add(node.value, color, marked)
    if (!isElement(node)) return
    if (depth > 60) return add(textIn(node), color, marked)
    const own =
      classesOf(node)
        .map(codeColor)
        .find((one) => one !== undefined) ?? color
    for (const child of node.children) walk(child, own, marked || hasClass(node, 'marked'), depth + 1)
  }
  for (const child of body.children) walk(child, undefined, false, 0)
  return lines
}

/** Words of code longer than a line get places to break. */
const fit = (text: string): string => text.replace(/[!-~]{70}/g, '$&\u200b')

function classesOf(node: Element): string[] {
  return (attribute(node, 'className') ?? '')
    .split(' ')
    .filter((name) => name.startsWith('hljs-'))
    .map((name) => name.slice('hljs-'.length))
}
