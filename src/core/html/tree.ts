/**
 * HTML parsing into our tree, as browsers parse it.
 *
 * The parser follows the standard, with its error recovery. The tree is bounded by a budget and by a depth: past
 * either it throws, and the caller falls back to plain text (`plain-text.ts`). Elements are not interpreted.
 */
import { Parser, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'
import { type Budget, OverBudget } from '../budget.js'
import { measure } from './measure.js'
import type { HtmlElement, HtmlNode, HtmlText } from './nodes.js'

/** Elements open at the same time: real pages have forty, and the standard's algorithm scans all of them. */
const maxOpenElements = 400

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

/** Returns the document as one element containing `html`. Throws `OverBudget` for an oversized page. */
export function parseTree(html: string, budget: Budget): HtmlElement {
  // Each node costs several steps.
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
  const insertAt = (parent: HtmlElement, child: HtmlNode, at: number): void => {
    node()
    child.parent = parent
    if (at === parent.children.length) parent.children.push(child)
    else parent.children.splice(at, 0, child)
  }
  const text = (value: string): HtmlText => ({ kind: 'text', value, parent: undefined })
  const addText = (parent: HtmlElement, value: string, at: number): void => {
    const before = parent.children[at - 1]
    if (before?.kind === 'text') before.value += value
    else insertAt(parent, text(value), at)
  }
  // The child was usually added last, so search from the end.
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
    appendChild: (parent, child) => insertAt(parent, child, parent.children.length),
    insertBefore: (parent, child, reference) => insertAt(parent, child, indexOf(parent, reference)),
    insertText: (parent, value) => addText(parent, value, parent.children.length),
    insertTextBefore: (parent, value, reference) => addText(parent, value, indexOf(parent, reference)),
    detachNode(child) {
      const { parent } = child
      if (parent === undefined) return
      parent.children.splice(indexOf(parent, child), 1)
      child.parent = undefined
    },
    adoptAttributes(element, attributes) {
      const existing = element.attributes as Map<string, string>
      for (const { name, value } of attributes) if (!existing.has(name)) existing.set(name, value)
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
      if (++open > maxOpenElements) throw new OverBudget('depth', maxOpenElements)
    },
    onItemPop() {
      open--
    },
  }
  const document = Parser.parse<Types>(html, { treeAdapter: adapter, scriptingEnabled: false })
  measure(document)
  return document
}
