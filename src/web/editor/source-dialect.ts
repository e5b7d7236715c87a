/** The dialect in the source view: its tags, HTML and front matter beside the nodes of Markdown. */
import { syntaxTree } from '@codemirror/language'
import { Decoration, type EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { BlockContext, Element, InlineContext, MarkdownConfig } from '@lezer/markdown'

const brace = 123
const openingTag = /^\{%-?[ \t]*(@?[A-Za-z][\w@/.-]*)/
const attribute = /([\w-]+)(?:[ \t]*=[ \t]*("[^"]*"|'[^']*'|[^\s"'%]+))?|"[^"]*"/g

function parseTag(context: InlineContext, next: number, start: number): number {
  if (next !== brace) return -1
  // A tag ends on its line.
  const [text] = context.slice(start, context.end).split('\n', 1) as [string]
  const name = openingTag.exec(text)
  const end = text.indexOf('%}') + 2
  if (name === null || end < 2) return -1
  const nameStart = start + name[0].length - name[1]!.length
  const children: Element[] = [
    context.elt('TagMark', start, nameStart),
    context.elt('TagName', nameStart, start + name[0].length),
  ]
  const closing = text[end - 3] === '-' ? end - 3 : end - 2
  for (const { index, 0: whole, 1: key, 2: value } of text
    .slice(name[0].length, closing)
    .matchAll(attribute)) {
    const from = start + name[0].length + index
    if (key !== undefined) children.push(context.elt('TagAttribute', from, from + key.length))
    if (value !== undefined)
      children.push(context.elt('TagValue', from + whole.length - value.length, from + whole.length))
    else if (key === undefined) children.push(context.elt('TagValue', from, from + whole.length))
  }
  children.push(context.elt('TagMark', start + closing, start + end))
  return context.addElement(context.elt('DialectTag', start, start + end, children))
}

/** Lines of YAML; where front matter has no end yet, it ends before the first other line. */
const yamlLine = /^(?:[ \t#-]|[\w.-]+:|$)/

/** Front matter is at the very start, between lines of three hyphens. */
function parseFrontMatter(context: BlockContext, line: { readonly text: string }): boolean {
  if (context.lineStart !== 0 || line.text.trimEnd() !== '---') return false
  const keys: Element[] = []
  let end = line.text.length
  let isClosed = false
  while (!isClosed && context.nextLine() && yamlLine.test(line.text)) {
    const { lineStart } = context
    const key = /^([\w.-]+):/.exec(line.text)
    if (key !== null) keys.push(context.elt('FrontMatterKey', lineStart, lineStart + key[1]!.length))
    end = lineStart + line.text.length
    isClosed = line.text.trimEnd() === '---'
  }
  context.addElement(context.elt('FrontMatter', 0, end, keys))
  if (isClosed) context.nextLine()
  return true
}

export const dialect: MarkdownConfig = {
  defineNodes: [
    { name: 'DialectTag' },
    { name: 'TagMark', style: tags.processingInstruction },
    { name: 'TagName', style: tags.tagName },
    { name: 'TagAttribute', style: tags.attributeName },
    { name: 'TagValue', style: tags.attributeValue },
    { name: 'FrontMatter', block: true, style: tags.meta },
    { name: 'FrontMatterKey', style: tags.propertyName },
  ],
  parseBlock: [{ name: 'FrontMatter', parse: parseFrontMatter, before: 'HorizontalRule' }],
  parseInline: [{ name: 'DialectTag', parse: parseTag, before: 'Escape' }],
}

const tagStyle = Decoration.mark({ class: 'source-tag' })
const attributeStyle = Decoration.mark({ class: 'source-attribute' })
const htmlTag = /<\/?[A-Za-z][^<>]*>/g

/** HTML, which the parser of Markdown does not take apart. */
const htmlMatcher = new MatchDecorator({
  regexp: htmlTag,
  decorate(add, from, to, [whole], view) {
    const { name: around } = syntaxTree(view.state).resolveInner(from, 1)
    if (!/^HTML(?:Block|Tag)$/.test(around)) return
    add(from, to, tagStyle)
    for (const { index, 0: value } of whole.matchAll(/"[^"]*"|'[^']*'/g))
      add(from + index, from + index + value.length, attributeStyle)
  },
})

export const htmlHighlighting = ViewPlugin.fromClass(
  class {
    decorations
    constructor(view: EditorView) {
      this.decorations = htmlMatcher.createDeco(view)
    }

    update(update: ViewUpdate) {
      const isParsed = syntaxTree(update.startState) !== syntaxTree(update.state)
      this.decorations = isParsed
        ? htmlMatcher.createDeco(update.view)
        : htmlMatcher.updateDeco(update, this.decorations)
    }
  },
  { decorations: ({ decorations }) => decorations },
)
