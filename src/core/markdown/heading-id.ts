/**
 * Heading ids in braces, which many Markdown dialects have at the end of a heading: `## Title {#id}`, attribute lists with
 * more than the id (`{ #id .class }`, `{: #id }`), and the comments of MDX (`{/* #id *\/}`). The text is stored as written;
 * here the braces are cut from what the heading says.
 */
import { trimEndOf } from '../trim.js'
import type { Scope } from './source.js'
import type { SyntaxNode } from './syntax-node.js'

const quotedValue = /[\w:-]{1,40}=(?:"[^"]*"|'[^']*')/g
const listItem = /^(?:#[^\s#"'<>]{1,200}|\.[\w-]+|[\w:-]+=[^\s"']+)$/
const idInComment = /^\/\*[ \t]*#?([^\s*]{1,200})[ \t]*\*\/$/
/** Closing hashes of a heading, which end the line for the Markdown parser only without braces. */
const closingHashes = /[ \t]#{1,20}[ \t]*$/
const escape = /\\(?=[!-/:-@[-`{-~])/g

/** Returns the id in braces at the end of a line, and where the braces begin with the blanks before them. */
export function findHeadingId(line: string): { readonly id: string; readonly start: number } | undefined {
  const text = trimEndOf(line, ' \t')
  if (!text.endsWith('}')) return undefined
  const brace = text.lastIndexOf('{')
  if (brace < 0 || text.length - brace > maxLength || /[\\{$%#]/.test(text[brace - 1] ?? '')) return undefined
  const content = text.slice(brace + 1, -1).trim()
  const id = content.includes('}') ? undefined : idOf(content.replace(/^:/, ''))
  return id === undefined ? undefined : { id, start: trimEndOf(text.slice(0, brace), ' \t').length }
}

/** The longest braces. */
const maxLength = 400

/** Returns the id in braces at the end of a Markdown heading, and its children without the braces. */
export function takeHeadingId(
  { position, children = [] }: SyntaxNode,
  { masked }: Scope,
): { readonly id?: string; readonly children: readonly SyntaxNode[] } {
  const last = children.at(-1)
  if (last === undefined) return { children }
  const { start } = position
  const end = last.position.end.offset
  const lineStart = Math.max(start.offset, masked.lastIndexOf('\n', end - 1) + 1)
  const found = findHeadingId(masked.slice(lineStart, end))
  if (found === undefined) return { children }
  const rest = childrenBefore(children, lineStart + found.start, masked, masked[start.offset] === '#')
  // A heading of nothing else is about the braces.
  return rest === undefined || rest.length === 0 ? { children } : { id: found.id, children: rest }
}

function idOf(content: string): string | undefined {
  const comment = idInComment.exec(content)
  // Formatters escape underscores and other marks.
  if (comment !== null) return comment[1]!.replace(escape, '')
  const items = content.replace(quotedValue, ' ').split(/[ \t]+/)
  const written = items.filter((item) => item !== '')
  return written.every((item) => listItem.test(item))
    ? written
        .find((item) => item.startsWith('#'))
        ?.slice(1)
        .replace(escape, '')
    : undefined
}

/** The children up to an offset; undefined where the offset is inside one that is not plain text, such as code. */
function childrenBefore(
  children: readonly SyntaxNode[],
  at: number,
  masked: string,
  mayClose: boolean,
): readonly SyntaxNode[] | undefined {
  const index = children.findIndex(({ position }) => position.end.offset > at)
  const cut = children[index]
  if (cut === undefined) return undefined
  const before = children.slice(0, index)
  const { start, end } = cut.position
  if (start.offset >= at) return before
  if (cut.type !== 'text') return undefined
  const tail = trimEndOf(masked.slice(at, end.offset).replace(escape, ''), ' \t')
  const value = cut.value ?? ''
  if (tail === '' || !value.endsWith(tail)) return undefined
  const written = value.slice(0, value.length - tail.length)
  const text = mayClose ? written.replace(closingHashes, '') : written
  const position = { start, end: { offset: at } }
  return text === '' ? before : [...before, { ...cut, value: text, position }]
}
