/** Code blocks as Typst: the lines as written, with syntax colours. */
import type { Element } from 'hast'
import { codeColor } from './colors.js'
import {
  type MarkupNode,
  attribute,
  findDescendant,
  hasClass,
  isElement,
  textContent,
} from './markup-tree.js'
import { type TypstArgument, type TypstCode, call, none, sequence } from './typst.js'

/** Lines per typeset run; page breaks can also be inside a run. */
const linesPerRun = 40

/** Returns the code of a `pre`, with its title and language. */
export function convertCodeBlock(
  pre: Element,
  title: string | undefined,
  language: string | undefined,
): TypstCode {
  const body = findDescendant(pre, ({ tagName }) => tagName === 'code') ?? pre
  const isNumbered = hasClass(pre, 'numbered')
  const lines = linesOf(body)
  // The final newline does not begin a line.
  if (lines.length > 1 && lines.at(-1)!.parts.length === 0) lines.pop()
  const isMarked = lines.some(({ marked }) => marked)
  const runs: TypstCode[] = []
  for (let at = 0; at < lines.length; at += linesPerRun) {
    const run = lines.slice(at, at + linesPerRun)
    if (isNumbered) runs.push(call('numbered-lines', at + 1, ...run.map(pair)))
    else if (isMarked) runs.push(call('marked-lines', ...run.map(pair)))
    else runs.push(call('bare-lines', ...run.map(({ parts }) => sequence(parts))))
  }
  return call('listing', title ?? none, language ?? none, ...runs)
}

interface CodeLine {
  readonly parts: TypstArgument[]
  marked: boolean
}

const pair = ({ marked, parts }: CodeLine): TypstArgument => [marked, sequence(parts)]

function linesOf(body: Element): CodeLine[] {
  const lines: CodeLine[] = [{ parts: [], marked: false }]
  const add = (text: string, color: string | undefined, marked: boolean): void => {
    for (const [index, part] of text.replaceAll('\r', '').split('\n').entries()) {
      if (index > 0) lines.push({ parts: [], marked: false })
      const line = lines.at(-1)!
      if (part === '') continue
      line.marked ||= marked
      const withSpaces = part.replaceAll('\t', '    ')
      line.parts.push(
        color === undefined ? withBreaks(withSpaces) : call('painted', color, withBreaks(withSpaces)),
      )
    }
  }
  const walk = (node: MarkupNode, color: string | undefined, marked: boolean, depth: number): void => {
    if (node.type === 'text') return add(node.value, color, marked)
    if (!isElement(node)) return
    if (depth > 60) return add(textContent(node), color, marked)
    const own =
      classesOf(node)
        .map(codeColor)
        .find((one) => one !== undefined) ?? color
    for (const child of node.children) walk(child, own, marked || hasClass(node, 'marked'), depth + 1)
  }
  for (const child of body.children) walk(child, undefined, false, 0)
  return lines
}

/** Adds break opportunities to words longer than a line. */
const withBreaks = (text: string): string => text.replace(/[!-~]{70}/g, '$&\u200b')

function classesOf(node: Element): string[] {
  return (attribute(node, 'className') ?? '')
    .split(' ')
    .filter((name) => name.startsWith('hljs-'))
    .map((name) => name.slice('hljs-'.length))
}
