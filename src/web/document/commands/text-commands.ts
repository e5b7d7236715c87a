/** Commands on text: marks, links, breaks, and footnotes. */
import { toggleMark } from 'prosemirror-commands'
import type { MarkType } from 'prosemirror-model'
import { type Command, TextSelection } from 'prosemirror-state'
import { attributesOf } from '../construct.js'
import { startOfLastWord } from '../inlines/inline-nodes.js'
import { documentSchema } from '../schema.js'

const { marks, nodes } = documentSchema

export const toggleTextMark = (name: TextMarkName): Command => toggleMark(marks[name]!)

export const textMarks = [
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'inline_code',
  'keyboard',
  'superscript',
  'subscript',
] as const
export type TextMarkName = (typeof textMarks)[number]

/** Sets the colour of the selected text, or removes it. */
export function setColor(
  color: { readonly text?: string; readonly background?: string } | undefined,
): Command {
  return (state, dispatch) => {
    const { from, to, empty } = state.selection
    if (empty) return false
    const { tr } = state
    if (color === undefined) tr.removeMark(from, to, marks['color']!)
    else
      tr.addMark(
        from,
        to,
        marks['color']!.create({ text: color.text ?? null, background: color.background ?? null }),
      )
    dispatch?.(tr)
    return true
  }
}

/** Links the selected text, or inserts the destination as text where nothing is selected; undefined removes the link. */
export function setLink(url: string | undefined, words?: string): Command {
  return (state, dispatch) => {
    const { from, to, empty, $from } = state.selection
    const { tr } = state
    const range = empty ? linkAround(state.selection as TextSelection, marks['link']!) : { from, to }
    if (url === undefined) {
      if (range === undefined || !state.doc.rangeHasMark(range.from, range.to, marks['link']!)) return false
      dispatch?.(tr.removeMark(range.from, range.to, marks['link']!))
      return true
    }
    if (!$from.parent.inlineContent || !$from.parent.type.allowsMarkType(marks['link']!)) return false
    const mark = marks['link']!.create({ url })
    if (range && range.from < range.to) tr.addMark(range.from, range.to, mark)
    else tr.replaceSelectionWith(state.schema.text(words ?? url, [mark]), false)
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

/** The range of the link that the cursor is in. */
function linkAround({ $from }: TextSelection, type: MarkType): { from: number; to: number } | undefined {
  const mark = type.isInSet($from.marks())
  if (!mark) return undefined
  let [from, to] = [0, 0]
  const start = $from.start()
  $from.parent.forEach((child, offset) => {
    if (!mark.isInSet(child.marks)) return
    const [first, last] = [start + offset, start + offset + child.nodeSize]
    if (last < $from.pos || first > $from.pos) return
    if (to === first) to = last
    else [from, to] = [first, last]
  })
  return to > from ? { from, to } : undefined
}

export const insertBreak: Command = (state, dispatch) => {
  const { $from } = state.selection
  if (!$from.parent.inlineContent) return false
  if ($from.parent.type.spec.code) {
    dispatch?.(state.tr.insertText('\n').scrollIntoView())
    return true
  }
  dispatch?.(state.tr.replaceSelectionWith(nodes['hard_break']!.create()).scrollIntoView())
  return true
}

/** Adds a footnote to the selected text, or to the word before the cursor, and goes to its text. */
export const insertFootnote: Command = (state, dispatch) => {
  const { $from, $to, empty } = state.selection
  if (!$from.sameParent($to) || !$from.parent.type.allowsMarkType(marks['annotation']!)) return false
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc')
  const from = empty ? $from.pos - (before.length - startOfLastWord(before)) : $from.pos
  if (from === $to.pos || state.doc.rangeHasMark(from, $to.pos, marks['annotation']!)) return false
  if (!dispatch) return true
  const names = new Set<string>()
  state.doc.forEach((node) => {
    if (node.type.name === 'footnote') names.add(String(attributesOf(node)['identifier']))
  })
  let number = 1
  while (names.has(String(number))) number++
  const identifier = String(number)
  const { tr } = state
  tr.addMark(from, $to.pos, marks['annotation']!.create({ identifier, place: number }))
  const footnote = nodes['footnote']!.create({ attributes: { identifier } }, nodes['paragraph']!.create())
  const end = tr.doc.content.size
  tr.insert(end, footnote).setSelection(TextSelection.create(tr.doc, end + 2))
  dispatch(tr.scrollIntoView())
  return true
}
