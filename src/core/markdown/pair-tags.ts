/**
 * Tag pairing: builds a tree from the opening and closing tags, of the dialect and of HTML, among sibling tokens.
 *
 * Dialect tags are paired first, so that stray HTML never splits a block; unclosed ones end where
 * `unclosed-tags.ts` decides. HTML is paired inside them, with HTML's optional end tags. A tag without partner
 * stays in its position as a `stray`. Every step is linear and without recursion, whatever is nested or unclosed.
 */
import type { ElementNode, Node, Partner, TagNode, Token } from './nodes.js'
import { closeUnclosedTags } from './unclosed-tags.js'

export const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

const cells = ['td', 'th']
const rows = [...cells, 'tr']
/** Elements that an opening tag closes implicitly. */
const impliedEnds: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    li: ['li'],
    option: ['option'],
    dt: ['dt', 'dd'],
    dd: ['dt', 'dd'],
    td: cells,
    th: cells,
    tr: rows,
    tbody: [...rows, 'thead', 'tbody'],
    tfoot: [...rows, 'tbody'],
    ...Object.fromEntries(
      'p h1 h2 h3 h4 h5 h6 ul ol table blockquote figure div pre hr details'
        .split(' ')
        .map((name) => [name, ['p']]),
    ),
  }),
)
const optionalEnds = new Set('p li option dt dd td th tr thead tbody tfoot'.split(' '))

/** Returns the tree of sibling tokens. */
export function pairTagsAndElements(tokens: readonly Token[]): Node[] {
  const partners = new Map<number, Partner>()
  const ends = new Set<number>()
  pairTags(tokens, partners, ends)
  const unclosed = closeUnclosedTags(tokens, partners, ends)
  pairElements(tokens, partners, ends, unclosed)
  return build(tokens, partners)
}

function pairTags(tokens: readonly Token[], partners: Map<number, Partner>, ends: Set<number>): void {
  const open: { name: string; index: number }[] = []
  const counts = new Map<string, number>()
  tokens.forEach((token, index) => {
    if (token.kind !== 'tag token') return
    const { name, closes } = token.tag
    if (!closes) {
      open.push({ name, index })
      counts.set(name, (counts.get(name) ?? 0) + 1)
    } else if (counts.get(name)) {
      for (let last = open.pop(); last; last = open.pop()) {
        counts.set(last.name, counts.get(last.name)! - 1)
        if (last.name !== name) continue
        partners.set(last.index, { index, isEndMark: true })
        ends.add(index)
        break
      }
    }
  })
}

function pairElements(
  tokens: readonly Token[],
  partners: Map<number, Partner>,
  ends: Set<number>,
  unclosed: ReadonlyMap<number, number>,
): void {
  type Frame = { open: { name: string; index: number }[]; counts: Map<string, number> }
  const frames: Frame[] = [{ open: [], counts: new Map() }]
  const closeLast = (frame: Frame, index: number, isEndMark: boolean): void => {
    const last = frame.open.pop()!
    frame.counts.set(last.name, frame.counts.get(last.name)! - 1)
    if (isEndMark || optionalEnds.has(last.name)) partners.set(last.index, { index, isEndMark })
  }
  const endFrames = (index: number): void => {
    for (let count = unclosed.get(index) ?? 0; count > 0; count--) {
      const frame = frames.pop()!
      while (frame.open.length > 0) closeLast(frame, index, false)
    }
  }
  tokens.forEach((token, index) => {
    endFrames(index)
    const frame = frames.at(-1)!
    if (token.kind === 'tag token') {
      if (partners.has(index)) frames.push({ open: [], counts: new Map() })
      else if (ends.has(index)) {
        while (frame.open.length > 0) closeLast(frame, index, false)
        frames.pop()
      }
    } else if (token.kind === 'element token' && token.closes) {
      if (!frame.counts.get(token.name)) return
      while (frame.open.at(-1)!.name !== token.name) closeLast(frame, index, false)
      closeLast(frame, index, true)
      ends.add(index)
    } else if (token.kind === 'element token' && !voidElements.has(token.name)) {
      const implied = impliedEnds.get(token.name) ?? []
      for (let last = frame.open.at(-1); last && implied.includes(last.name); last = frame.open.at(-1)) {
        closeLast(frame, index, false)
      }
      frame.open.push({ name: token.name, index })
      frame.counts.set(token.name, (frame.counts.get(token.name) ?? 0) + 1)
    }
  })
  endFrames(tokens.length)
  const frame = frames[0]!
  while (frame.open.length > 0) closeLast(frame, tokens.length, false)
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

function build(tokens: readonly Token[], partners: ReadonlyMap<number, Partner>): Node[] {
  const top: Node[] = []
  let row = top
  const open: { node: Writable<TagNode> | Writable<ElementNode>; partner: Partner; row: Node[] }[] = []
  for (let index = 0; index <= tokens.length; index++) {
    const token = tokens[index]
    let isUsed = false
    while (open.at(-1)?.partner.index === index) {
      const { node, partner, row: outer } = open.pop()!
      // An element with an omitted end tag ends with its content.
      const last = row.at(-1)
      node.contentEnd = partner.isEndMark ? token!.start : Math.max(node.contentStart, last?.end ?? 0)
      node.end = partner.isEndMark ? token!.end : node.contentEnd
      isUsed ||= partner.isEndMark
      row = outer
    }
    if (!token || isUsed) continue
    if (token.kind === 'markdown' || token.kind === 'text') {
      row.push(token)
      continue
    }
    const partner = partners.get(index)
    const { start, end } = token
    const content = { start, end, contentStart: end, contentEnd: end, children: [] }
    if (token.kind === 'tag token') {
      const { tag } = token
      if (!partner && (tag.closes || token.ending !== 'alone')) {
        row.push({ kind: 'stray', family: 'tag', name: tag.name, closes: tag.closes, start, end })
        continue
      }
      const node: TagNode = {
        kind: 'tag',
        tag,
        isClosed: partner !== undefined,
        isEnded: partner?.isEndMark === true,
        ...content,
      }
      row.push(node)
      if (partner) {
        open.push({ node, partner, row })
        row = node.children
      }
    } else {
      const { name, attributes, closes } = token
      if (!partner && !(voidElements.has(name) && !closes)) {
        const own = closes ? {} : { attributes }
        row.push({ kind: 'stray', family: 'html', name, closes, start, end, ...own })
        continue
      }
      const node: ElementNode = { kind: 'element', name, attributes, ...content }
      row.push(node)
      if (partner) {
        open.push({ node, partner, row })
        row = node.children
      }
    }
  }
  return top
}
