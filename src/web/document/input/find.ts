/** Find and replace in the page: matches are marked, and the current one is selected. */
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { Node as ProseNode } from 'prosemirror-model'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'

export interface FindOptions {
  readonly query: string
  readonly isCaseSensitive?: boolean
}

interface Match {
  readonly from: number
  readonly to: number
}

interface FindState extends FindOptions {
  readonly matches: readonly Match[]
}

const findKey = new PluginKey<FindState>('find')
/** More are not marked. */
const maxMatches = 5000

export function findPlugin(): Plugin {
  return new Plugin<FindState>({
    key: findKey,
    state: {
      init: () => ({ query: '', matches: [] }),
      apply(tr, before) {
        const options = (tr.getMeta(findKey) as FindOptions | undefined) ?? before
        if (options === before && (!tr.docChanged || before.query === '')) return before
        return { ...options, matches: findMatches(tr.doc, options) }
      },
    },
    props: {
      decorations(state) {
        const { matches } = findKey.getState(state)!
        if (matches.length === 0) return null
        const { from, to } = state.selection
        return DecorationSet.create(
          state.doc,
          matches.map((match) =>
            Decoration.inline(match.from, match.to, {
              class: match.from === from && match.to === to ? 'find-match find-current' : 'find-match',
            }),
          ),
        )
      },
    },
  })
}

/** Returns where a query is in the texts of a document. */
export function findMatches(doc: ProseNode, { query, isCaseSensitive = false }: FindOptions): Match[] {
  const matches: Match[] = []
  if (query === '') return matches
  const fold = isCaseSensitive ? (text: string) => text : foldCase
  const words = fold(query)
  doc.descendants((node, position) => {
    if (matches.length >= maxMatches) return false
    if (!node.isTextblock) return true
    const text = fold(node.textBetween(0, node.content.size, undefined, '\ufffc'))
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + words.length)) {
      if (matches.length >= maxMatches) break
      const from = position + 1 + at
      matches.push({ from, to: from + words.length })
    }
    return false
  })
  return matches
}

/** Returns a text of the same length in small letters. */
function foldCase(text: string): string {
  let folded = ''
  for (const character of text) {
    const small = character.toLowerCase()
    folded += small.length === character.length ? small : character
  }
  return folded
}

/** Marks the matches of a query; returns their number. */
export function find(view: EditorView, options: FindOptions): number {
  view.dispatch(view.state.tr.setMeta(findKey, options))
  return findKey.getState(view.state)!.matches.length
}

/** Selects the next match, or the one before, around the end; returns its position among them. */
export function findNext(view: EditorView, direction: 1 | -1 = 1): number | undefined {
  const { matches } = findKey.getState(view.state)!
  if (matches.length === 0) return undefined
  const { from, to } = view.state.selection
  const after = matches.findIndex((match) => match.from >= to)
  const before = matches.findLastIndex((match) => match.to <= from)
  const index = direction > 0 ? (after < 0 ? 0 : after) : before < 0 ? matches.length - 1 : before
  const match = matches[index]!
  view.dispatch(
    view.state.tr.setSelection(TextSelection.create(view.state.doc, match.from, match.to)).scrollIntoView(),
  )
  return index
}

/** Replaces the selected match and selects the next one; without one, only selects. */
export function replaceMatch(view: EditorView, text: string): void {
  const { from, to } = view.state.selection
  const { matches } = findKey.getState(view.state)!
  if (matches.some((match) => match.from === from && match.to === to))
    view.dispatch(view.state.tr.insertText(text, from, to))
  findNext(view)
}

/** Replaces all matches in one step; returns their number. */
export function replaceAll(view: EditorView, text: string): number {
  const { matches } = findKey.getState(view.state)!
  const { tr } = view.state
  for (const { from, to } of matches.toReversed()) tr.insertText(text, from, to)
  if (tr.docChanged) view.dispatch(tr)
  return matches.length
}
