/** Definitions of links and footnotes: gathered before anything is read, because they may follow their use. */
import type { Reader } from './reader.js'
import { findDefinition } from './references.js'
import type { SyntaxNode } from './syntax-node.js'
import { type Scope, spanIn } from './source.js'

/** Definitions that are read again with parts of a page are bounded, so that many parts stay cheap. */
const maxDefinitionLines = 4096

/** Adds the definitions anywhere in a tree to the reader; the first of a name counts, as in Markdown. */
export function collectDefinitions(reader: Reader, children: readonly SyntaxNode[], scope: Scope): void {
  if (!scope.masked.includes(']:')) return
  const waiting = children.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'definition') define(reader, node, scope)
    else if (node.type === 'footnoteDefinition') defineFootnote(reader, node, scope)
    if (node.children)
      for (let index = node.children.length - 1; index >= 0; index--) waiting.push(node.children[index]!)
  }
}

function define(reader: Reader, node: SyntaxNode, scope: Scope): void {
  const { start, end } = node.position
  const identifier = node.identifier!
  const url = reader.unmask(node.url!, spanIn(scope, start.offset, end.offset))
  const found = findDefinition(scope.masked, start.offset, end.offset, node.url!)
  if (found) reader.refer('link', url, spanIn(scope, found.span.start, found.span.end), found.syntax)
  if (reader.definitions.has(identifier)) return
  reader.definitions.set(identifier, { url, ...(node.title ? { title: node.title } : {}) })
  remember(reader, `[${identifier}]: x`)
}

function defineFootnote(reader: Reader, node: SyntaxNode, scope: Scope): void {
  const identifier = node.identifier!
  // A second definition of a name is never shown, but what it points to must follow moves as well.
  const key = reader.footnotes.has(identifier) ? `${identifier}\n${node.position.start.offset}` : identifier
  reader.footnotes.set(key, { node, scope })
  remember(reader, `[^${identifier}]: x`)
}

function remember(reader: Reader, line: string): void {
  if (reader.definitionLines.length + line.length < maxDefinitionLines)
    reader.definitionLines += `${line}\n\n`
}
