/**
 * Markdown shortcuts: what is typed becomes what it means. Each is one step of its own, so that Backspace directly after it,
 * or undo, gives back what was typed.
 */
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import type { Attrs, MarkType, Node as ProseNode, Schema } from 'prosemirror-model'
import { type Plugin, TextSelection } from 'prosemirror-state'
import { attributesOf } from '../construct.js'

export function markdownShortcuts(schema: Schema): Plugin {
  const { nodes, marks } = schema
  const list = (attributes: Readonly<Record<string, unknown>>): Attrs => ({
    attributes: { ...attributes, tight: true },
  })
  const isOfKind = (kind: string) => (_: RegExpMatchArray, node: ProseNode) =>
    attributesOf(node)['kind'] === kind
  return inputRules({
    rules: [
      headingRule(schema),
      taskRule(schema),
      wrappingInputRule(/^[-*+]\s$/, nodes['list']!, list({ kind: 'unordered' }), isOfKind('unordered')),
      wrappingInputRule(
        /^(\d{1,3})[.)]\s$/,
        nodes['list']!,
        ([, start]) => list({ kind: 'ordered', start: Number(start) }),
        (match, node) =>
          attributesOf(node)['kind'] === 'ordered' &&
          Number(attributesOf(node)['start'] ?? 1) + node.childCount === Number(match[1]),
      ),
      wrappingInputRule(/^>\s$/, nodes['blockquote']!),
      codeRule(schema),
      textblockTypeInputRule(/^\$\$\s$/, nodes['math']!),
      dividerRule(schema),
      markRule('**', /\*\*([^*]+)\*\*$/, marks['bold']!),
      markRule('__', /__([^_]+)__$/, marks['bold']!),
      markRule('*', /\*([^*]+)\*$/, marks['italic']!),
      markRule('_', /_([^_]+)_$/, marks['italic']!),
      markRule('~~', /~~([^~]+)~~$/, marks['strikethrough']!),
      markRule('`', /`([^`]+)`$/, marks['inline_code']!),
      linkRule(schema),
      formulaRule(schema),
    ],
  })
}

/** Headings in cells have no syntax. */
function headingRule(schema: Schema): InputRule {
  const { heading } = schema.nodes
  return new InputRule(/^(#{1,3})\s$/, (state, [, signs], start, end) => {
    const $start = state.doc.resolve(start)
    for (let { depth } = $start; depth > 0; depth--)
      if ($start.node(depth).type.spec['tableRole']) return null
    if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), heading!)) return null
    const attributes = { level: signs!.length }
    return state.tr.delete(start, end).setBlockType(start, start, heading!, { attributes })
  })
}

/** `[ ] ` and `[x] ` begin a task, in a bullet too. */
function taskRule(schema: Schema): InputRule {
  return new InputRule(/^\[([ xX]?)\]\s$/, (state, [, tick], start, end) => {
    const $start = state.doc.resolve(start)
    const attributes = { checked: /x/i.test(tick!) }
    const item = $start.node(-1)
    const tr = state.tr.delete(start, end)
    if (item.type.name === 'list_item') {
      if ($start.index(-1) !== 0 || attributesOf($start.node(-2))['kind'] === 'ordered') return null
      return tr.setNodeAttribute($start.before(-1), 'attributes', attributes)
    }
    const $block = tr.doc.resolve(start)
    const range = $block.blockRange()
    const { list, list_item: listItem } = schema.nodes
    if (!range || !range.parent.canReplaceWith(range.startIndex, range.endIndex, list!)) return null
    return tr.wrap(range, [
      { type: list!, attrs: { attributes: { kind: 'tasks', tight: true } } },
      { type: listItem!, attrs: { attributes } },
    ])
  })
}

/** Three backticks and a language begin code. */
function codeRule(schema: Schema): InputRule {
  return new InputRule(/^```([\w+#.-]*)\s$/, (state, [, syntax], start, end) => {
    const $start = state.doc.resolve(start)
    const { code } = schema.nodes
    if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), code!)) return null
    const attributes = syntax === '' ? {} : { syntax: syntax!.toLowerCase() }
    return state.tr.delete(start, end).setBlockType(start, start, code!, { attributes })
  })
}

function dividerRule(schema: Schema): InputRule {
  return new InputRule(/^(?:---|\*\*\*|___)$/, (state, _, start) => {
    const $start = state.doc.resolve(start)
    const { divider, paragraph } = schema.nodes
    if ($start.parent.type !== paragraph || $start.parent.content.size !== 2) return null
    if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), divider!)) return null
    const position = $start.before()
    const tr = state.tr.replaceWith(position, $start.after(), [divider!.create(), paragraph.create()])
    return tr.setSelection(TextSelection.create(tr.doc, position + 2))
  })
}

/** Delimiters around words become a mark; what is typed next has it no more. */
function markRule(delimiter: string, pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(
    pattern,
    (state, [, words], start, end) => {
      // Beside a letter or blanks it is no delimiter.
      const before = state.doc.textBetween(Math.max(0, start - 1), start, '\n', '\ufffc')
      if (/[\p{L}\p{N}]$/u.test(before) || before.endsWith(delimiter[0]!)) return null
      if (delimiter !== '`' && words!.trim() !== words) return null
      const { length } = delimiter
      if (!state.doc.resolve(start).parent.type.allowsMarkType(type)) return null
      if (state.doc.rangeHasMark(start, end, state.schema.marks['inline_code']!)) return null
      const last = start + length + words!.length
      // The last character of the closing delimiter is not in the document.
      const { tr } = state
      if (end > last) tr.delete(last, end)
      tr.delete(start, start + length)
      return tr.addMark(start, start + words!.length, type.create()).removeStoredMark(type)
    },
    { inCodeMark: false },
  )
}

function linkRule(schema: Schema): InputRule {
  return new InputRule(
    /\[([^[\]]+)\]\(([^\s()]+)\)$/,
    (state, [, words, url], start) => {
      if (!state.doc.resolve(start).parent.type.allowsMarkType(schema.marks['link']!)) return null
      const { from } = state.selection
      const mark = schema.marks['link']!.create({ url })
      const around = state.doc.resolve(start + 1).marks()
      return state.tr
        .replaceWith(start, from, schema.text(words!, mark.addToSet(around)))
        .removeStoredMark(schema.marks['link']!)
    },
    { inCodeMark: false },
  )
}

function formulaRule(schema: Schema): InputRule {
  return new InputRule(
    /\$\$([^$\s](?:[^$]*[^$\s])?)\$\$$/,
    (state, [, formula], start) =>
      state.tr.replaceWith(
        start,
        state.selection.from,
        schema.nodes['atom']!.create({ inline: { type: 'inline-math', formula } }),
      ),
    { inCodeMark: false },
  )
}
