/**
 * A page of HTML as a tree of values, read as browsers read it.
 *
 * The parser is the one of the standard, which mends whatever is broken. What it may build is bounded by a budget and
 * by a depth: past either it stops, and the caller makes do with the words (`words.ts`). Nothing here knows what an
 * element means.
 */
import { Parser, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'
import { type Budget, OverBudget } from '../budget.js'
import { measure } from './measure.js'
import type { HtmlElement, HtmlNode, HtmlText } from './nodes.js'

/** Elements that are open at the same time: pages of people have forty, a parser of the standard looks through all. */
const mostOpen = 400

interface Types extends TreeAdapterTypeMap<
  HtmlNode,
  HtmlElement,
  HtmlNode,
  HtmlElement,
  HtmlElement,
  HtmlElement,
  HtmlText,
  HtmlText,
  HtmlElement,
  HtmlText
> {}

/** Returns the document as one element that holds `html`. Throws `OverBudget` for a page that is beyond all measure. */
export function parseTree(html: string, budget: Budget): HtmlElement {
  // Each node costs a hundred times what a step is.
  const node = (): void => budget.spend('steps', 4)
  let open = 0
  const kinds = new WeakMap<HtmlElement, string>()
  const create = (name: string, attributes: readonly Token.Attribute[]): HtmlElement => {
    node()
    budget.spend('steps', attributes.length)
    return {
      kind: 'element',
      name,
      attributes: new Map(attributes.map((one) => [one.name, one.value])),
      children: [],
      parent: undefined,
      holdsBlock: false,
      letters: 0,
      linkedLetters: 0,
    }
  }
  const place = (parent: HtmlElement, child: HtmlNode, at: number): void => {
    node()
    child.parent = parent
    if (at === parent.children.length) parent.children.push(child)
    else parent.children.splice(at, 0, child)
  }
  const text = (value: string): HtmlText => ({ kind: 'text', value, parent: undefined })
  const addText = (parent: HtmlElement, value: string, at: number): void => {
    const before = parent.children[at - 1]
    if (before?.kind === 'text') before.value += value
    else place(parent, text(value), at)
  }
  // What is looked for was put there last, or stands near the end.
  const indexOf = (parent: HtmlElement, child: HtmlNode): number => {
    const at = parent.children.lastIndexOf(child)
    budget.spend('steps', 1 + Math.ceil((parent.children.length - at) / 100))
    return at
  }
  const adapter: TreeAdapter<Types> = {
    createDocument: () => create('#document', []),
    createDocumentFragment: () => create('#fragment', []),
    createElement(name, namespace, attributes) {
      const element = create(name, attributes)
      kinds.set(element, namespace)
      return element
    },
    createCommentNode: () => text(''),
    createTextNode: text,
    appendChild: (parent, child) => place(parent, child, parent.children.length),
    insertBefore: (parent, child, reference) => place(parent, child, indexOf(parent, reference)),
    insertText: (parent, value) => addText(parent, value, parent.children.length),
    insertTextBefore: (parent, value, reference) => addText(parent, value, indexOf(parent, reference)),
    detachNode(child) {
      const { parent } = child
      if (parent === undefined) return
      parent.children.splice(indexOf(parent, child), 1)
      child.parent = undefined
    },
    adoptAttributes(element, attributes) {
      const known = element.attributes as Map<string, string>
      for (const { name, value } of attributes) if (!known.has(name)) known.set(name, value)
    },
    setTemplateContent: () => {},
    getTemplateContent: (template) => template,
    setDocumentType: () => {},
    setDocumentMode: () => {},
    getDocumentMode: () => 'no-quirks' as ReturnType<TreeAdapter<Types>['getDocumentMode']>,
    getFirstChild: (parent) => parent.children[0] ?? null,
    getChildNodes: (parent) => parent.children,
    getParentNode: (child) => child.parent ?? null,
    getAttrList: (element) => Array.from(element.attributes, ([name, value]) => ({ name, value })),
    getTagName: (element) => element.name,
    getNamespaceURI: (element) => kinds.get(element) as ReturnType<TreeAdapter<Types>['getNamespaceURI']>,
    getTextNodeContent: ({ value }) => value,
    getCommentNodeContent: ({ value }) => value,
    getDocumentTypeNodeName: () => '',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    isTextNode: (one): one is HtmlText => one.kind === 'text',
    isCommentNode: (_one): _one is HtmlText => false,
    isDocumentTypeNode: (_one): _one is HtmlText => false,
    isElementNode: (one): one is HtmlElement => one.kind === 'element',
    setNodeSourceCodeLocation: () => {},
    getNodeSourceCodeLocation: () => null,
    updateNodeSourceCodeLocation: () => {},
    onItemPush() {
      if (++open > mostOpen) throw new OverBudget('depth', mostOpen)
    },
    onItemPop() {
      open--
    },
  }
  const document = Parser.parse<Types>(html, { treeAdapter: adapter, scriptingEnabled: false })
  measure(document)
  return document
}
