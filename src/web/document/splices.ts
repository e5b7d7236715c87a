/** The edited document as splices of the text, in up to three widths, with the hash of the document that is meant. */
import type { Node as ProseNode } from 'prosemirror-model'
import { type HashMemo, hashDocument } from '../../core/editing/canonical.js'
import type { SourceDocument } from '../../core/editing/source-blocks.js'
import type { Splice } from '../../core/editing/splice.js'
import { type EditWidth, editWidths, writeEdits } from '../../core/editing/write-edits.js'
import type { Origins } from './origins.js'
import { NodeWriter } from './to-blocks.js'

/** A version of the text that the server has, as the document compares with it. */
export interface BaseText {
  readonly text: string
  readonly source: SourceDocument
  readonly origins: Origins
}

export interface DocumentEdit {
  /** Splices of the text; the narrowest ones that parse to the document are to be taken. */
  readonly widths: readonly (readonly Splice[])[]
  /** The hash of the document that the splices mean. */
  readonly meant: string
}

/** Returns the edit that makes the document of the text; undefined when nothing changed. */
export function documentEdit(
  { text, source, origins }: BaseText,
  doc: ProseNode,
  memo: HashMemo = new WeakMap(),
  wanted: readonly EditWidth[] = editWidths,
): DocumentEdit | undefined {
  const after = new NodeWriter(origins).document(doc, source.footnotes)
  const narrow = writeEdits(text, source, after, 'change', memo)
  if (narrow.length === 0) return undefined
  const widths: (readonly Splice[])[] = [narrow]
  const known = new Set([JSON.stringify(narrow)])
  for (const width of wanted.slice(1)) {
    const splices = writeEdits(text, source, after, width, memo)
    const version = JSON.stringify(splices)
    if (!known.has(version)) widths.push(splices)
    known.add(version)
  }
  return { widths, meant: hashDocument({ ...source, ...after }, memo) }
}
