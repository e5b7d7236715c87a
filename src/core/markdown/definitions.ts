/** Link and footnote definitions: collected before parsing content, because they may follow their use. */
import type { Reader } from './reader.js'
import { findDefinition } from './references.js'
import type { SyntaxNode } from './syntax-node.js'
import { type Scope, spanIn } from './source.js'

/** Limit of definitions that are parsed again with each fragment of a page, so that many fragments stay cheap. */
const maxDefinitionLines = 4096

/** Adds all definitions in a tree to the reader; the first of a name wins, as in CommonMark. */
export function collectDefinitions(reader: Reader, children: readonly SyntaxNode[], scope: Scope): void {
  if (!scope.masked.includes(']:')) return
  const pending = children.toReversed()
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === 'definition') define(reader, node, scope)
    else if (node.type === 'footnoteDefinition') defineFootnote(reader, node, scope)
    if (node.children)
      for (let index = node.children.length - 1; index >= 0; index--) pending.push(node.children[index]!)
  }
}

function define(reader: Reader, node: SyntaxNode, scope: Scope): void {
  const { start, end } = node.position
  const identifier = node.identifier!
  const url = reader.unmask(node.url!, spanIn(scope, start.offset, end.offset))
  const destination = findDefinition(scope.masked, start.offset, end.offset, node.url!)
  if (destination)
    reader.refer('link', url, spanIn(scope, destination.span.start, destination.span.end), destination.syntax)
  if (reader.definitions.has(identifier)) return
  reader.definitions.set(identifier, { url, ...(node.title ? { title: node.title } : {}) })
  remember(reader, `[${identifier}]: x`)
}

function defineFootnote(reader: Reader, node: SyntaxNode, scope: Scope): void {
  const identifier = node.identifier!
  // A duplicate definition is never used, but its destination must be updated on moves as well.
  const key = reader.footnotes.has(identifier) ? `${identifier}\n${node.position.start.offset}` : identifier
  reader.footnotes.set(key, { node, scope })
  remember(reader, `[^${identifier}]: x`)
}

function remember(reader: Reader, line: string): void {
  if (reader.definitionLines.length + line.length < maxDefinitionLines)
    reader.definitionLines += `${line}\n\n`
}
