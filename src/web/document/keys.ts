/**
 * Keys of blocks: every block node has one, and no two have the same. New nodes get theirs in the transaction that makes
 * them, so that a save changes no node. Of a block that was split or copied, the part that is what it was keeps the key;
 * a copy is written as its original all the same, also when that is not saved yet.
 */
import type { Node as ProseNode } from 'prosemirror-model'
import { Plugin, type Transaction } from 'prosemirror-state'
import { AttrStep, ReplaceStep, type Step } from 'prosemirror-transform'
import type { Origins } from './origins.js'

/** Returns the plugin; `origins` is the table of the text at the moment. */
export function keysPlugin(origins: () => Origins): Plugin {
  return new Plugin({
    appendTransaction(transactions, _, state) {
      const isNeeded = transactions.some(({ steps }) => steps.some(makesBlocks))
      const tr = isNeeded ? assignKeys(state.tr, origins()) : null
      // Backspace gives back what an input rule replaced, also after its blocks have keys.
      for (const plugin of tr ? state.plugins : []) {
        const isRules = (plugin.spec as { readonly isInputRules?: boolean }).isInputRules === true
        if (isRules) tr!.setMeta(plugin, plugin.getState(state))
      }
      return tr
    },
  })
}

/** Typing makes no blocks: it costs nothing here. */
function makesBlocks(step: Step): boolean {
  if (step instanceof AttrStep) return false
  return !(step instanceof ReplaceStep) || step.slice.content.content.some((node) => node.isBlock)
}

function assignKeys(tr: Transaction, origins: Origins): Transaction | null {
  const places = new Map<number, { readonly node: ProseNode; readonly position: number }[]>()
  const missing: number[] = []
  tr.doc.descendants((node, position) => {
    if (!node.isBlock) return false
    const { key } = node.attrs as { readonly key: number | null }
    if (key === null) missing.push(position)
    else {
      const others = places.get(key)
      if (others) others.push({ node, position })
      else places.set(key, [{ node, position }])
    }
    return !node.inlineContent
  })
  for (const position of missing) tr.setNodeAttribute(position, 'key', origins.createKey())
  for (const [of, copies] of places) {
    if (copies.length === 1) continue
    const original =
      copies.find(({ node }) => origins.unchangedBlock(node)) ??
      copies.find(({ node }) => node.content.size > 0) ??
      copies[0]!
    for (const copy of copies) {
      if (copy === original) continue
      const block = origins.unchangedBlock(copy.node)
      const isCopy = block !== undefined || copy.node.eq(original.node)
      const key = isCopy ? origins.createCopyKey(of) : origins.createKey()
      if (block) origins.place(key, block)
      tr.setNodeAttribute(copy.position, 'key', key)
    }
  }
  return tr.docChanged ? tr : null
}
