/** The ProseMirror schema of a page: every construct of the dialect, made from the files of `blocks/` and `inlines/`. */
import { type NodeSpec, Schema } from 'prosemirror-model'
import { blockquote, blockquoteInsertions } from './blocks/blockquote.js'
import { code, codeInsertions } from './blocks/code.js'
import { columns, columnsInsertions } from './blocks/columns.js'
import { divider, dividerInsertions } from './blocks/divider.js'
import { expandable, expandableInsertions } from './blocks/expandable.js'
import { footnote } from './blocks/footnote.js'
import { heading, headingInsertions } from './blocks/heading.js'
import { hint, hintInsertions } from './blocks/hint.js'
import { conditional, conditionalInsertions } from './blocks/if.js'
import { list, listInsertions } from './blocks/list.js'
import { media, mediaInsertions } from './blocks/media.js'
import { opaque } from './blocks/opaque.js'
import { paragraph } from './blocks/paragraph.js'
import { referenceInsertions, references } from './blocks/references.js'
import { stepper, stepperInsertions } from './blocks/stepper.js'
import { table, tableInsertions } from './blocks/table.js'
import { tabs, tabsInsertions } from './blocks/tabs.js'
import { updates, updatesInsertions } from './blocks/updates.js'
import type { BlockNode, BlockNodes, InsertableBlock } from './construct.js'
import { type InsertableInline, insertableInlines } from './inlines/inline-forms.js'
import { inlineSpecs, markSpecs } from './inlines/inline-nodes.js'

const constructs: readonly BlockNodes[] = [
  // The first is what ProseMirror makes where a block is needed.
  paragraph, heading, list, blockquote, code, hint, tabs, stepper, columns, expandable, table, media, references, updates,
  conditional, divider, opaque, footnote,
] // prettier-ignore

/** What is known of each node type of a block. */
export const blockNodes: ReadonlyMap<string, BlockNode> = new Map(
  constructs.flatMap((nodes) => Object.entries(nodes)),
)

const specs: Record<string, NodeSpec> = { doc: { content: 'block+ footnote*' } }
for (const [name, { spec }] of blockNodes) specs[name] = spec

export const documentSchema = new Schema({ nodes: { ...specs, ...inlineSpecs }, marks: markSpecs })

/** Returns the blocks that can be inserted, in the order of the menu; `today` is YYYY-MM-DD. */
export function insertableBlocks(today: string): readonly InsertableBlock[] {
  return [
    ...headingInsertions,
    ...listInsertions,
    ...blockquoteInsertions,
    ...codeInsertions,
    ...hintInsertions,
    ...dividerInsertions,
    ...mediaInsertions,
    ...tableInsertions,
    ...tabsInsertions,
    ...stepperInsertions,
    ...columnsInsertions,
    ...expandableInsertions,
    ...conditionalInsertions,
    ...updatesInsertions(today),
    ...referenceInsertions,
  ]
}

export type Insertable = InsertableBlock | InsertableInline

/** Returns everything that the menu inserts. */
export function insertables(today: string): readonly Insertable[] {
  return [...insertableBlocks(today), ...insertableInlines]
}
