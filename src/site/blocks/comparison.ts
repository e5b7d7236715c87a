/**
 * Marks of a comparison in the HTML of blocks. Blocks are rendered as on any page; what one version alone has is put into
 * `ins` or `del` with a class of ours, which raw HTML cannot have. Links and files of the earlier version are resolved
 * in its content.
 */
import type { ComparedCode, ComparedDocument, ComparisonMark, Side } from '../../core/comparison/types.js'
import type { Block, Code, TableCell } from '../../core/document/types.js'
import { attributes, html, type Html, join, nothing, trusted } from '../html.js'
import type { PageRenderer, RenderContext, RenderedComparison } from './context.js'

/** Returns the context in which a compared document is rendered, from those of its two versions. */
export function comparisonContext(
  compared: ComparedDocument,
  contexts: Readonly<Record<Side, RenderContext>>,
): RenderContext & { readonly comparison: RenderedComparison } {
  let region: RenderedComparison['region']
  const current = () => contexts[region === 'removed' ? 'before' : 'after']
  const { before, after } = contexts
  return {
    ...after,
    direction: after.direction ?? before.direction,
    link: (url) => current().link(url),
    file: (src) => current().file(src),
    include: (src) => current().include(src),
    evaluate: (expression) => current().evaluate(expression),
    evaluateCondition: (condition) => current().evaluateCondition?.(condition) ?? true,
    specification: (block) => current().specification?.(block),
    comparison: {
      marks: compared.marks,
      keys: compared.keys,
      codes: compared.codes,
      get region() {
        return region
      },
      only(inner, render) {
        const outer = region
        region = inner
        try {
          return render()
        } finally {
          region = outer
        }
      },
      isPlain: false,
    },
  }
}

/** Where a marked node stands: blocks may have elements of their own, text may not. */
type Place = 'block' | 'text'

/** Returns a block, an inline, or a part of either as it is marked; on any other page as it is. */
export function compared(
  node: object,
  page: PageRenderer,
  render: () => Html,
  place: Place = 'block',
  renderBefore?: (before: Block | TableCell) => Html,
): Html {
  const { comparison } = page.context
  if (comparison === undefined) return render()
  const mark = comparison.marks.get(node)
  const key = comparison.keys.get(node)
  if (mark === undefined) return key === undefined ? render() : withKey(render(), key, place)
  const own = { 'data-change': mark.id, 'data-key': key }
  switch (mark.change) {
    case 'added':
      return html`<ins${attributes({ class: 'diff-added', ...own })}>${comparison.only('added', render)}</ins>`
    case 'removed':
      return html`<del${attributes({ class: 'diff-removed', ...own })}>${comparison.only('removed', render)}</del>`
    case 'moved':
      return html`<ins${attributes({ class: 'diff-moved', ...own, 'data-place': mark.place })}>${comparison.only('added', render)}</ins>`
    case 'moved-away':
      return html`<del${attributes({ class: 'diff-moved-away', ...own, 'data-place': mark.place })}>${comparison.only('removed', render)}</del>`
    case 'edited':
      return place === 'block'
        ? html`<div${attributes({ class: 'diff-edited', ...own })}>${render()}</div>`
        : html`<span${attributes({ class: 'diff-edited', ...own })}>${render()}</span>`
    case 'replaced': {
      const { before } = mark
      const was = comparison.only('removed', () => renderBefore?.(before) ?? nothing)
      const is = comparison.only('added', render)
      const sides = html`<del class="diff-removed">${was}</del><ins class="diff-added">${is}</ins>`
      return place === 'block'
        ? html`<div${attributes({ class: 'diff-sides', ...own })}>${sides}</div>`
        : html`<span${attributes({ class: 'diff-edited', ...own })}>${sides}</span>`
    }
    default:
      return mark satisfies never
  }
}

/** The key goes to the block's own element, or around text. */
function withKey(rendered: Html, key: string, place: Place): Html {
  const own = attributes({ 'data-key': key })
  if (place === 'text') return html`<span${own}>${rendered}</span>`
  const markup = rendered.toString()
  const [start] = /^\s*<[a-z][a-z0-9]*/.exec(markup) ?? []
  return start === undefined ? rendered : trusted(start + own.toString() + markup.slice(start.length))
}

/** Returns the lines of a code block as they are marked; undefined on any other page, or where no line differs. */
export function comparedLines(
  block: Code,
  page: PageRenderer,
  linesOf: (block: Code) => readonly Html[],
): Html | undefined {
  const code = page.context.comparison?.codes.get(block)
  if (code === undefined) return undefined
  const [before, after] = [linesOf(code.before), linesOf(block)]
  let [atBefore, atAfter] = [0, 0]
  return join(
    code.lines.map(({ change, tokens }: ComparedCode['lines'][number]) => {
      const from = change === 'removed' ? before : after
      const start = change === 'removed' ? atBefore : atAfter
      const lines = from.slice(start, start + tokens.length)
      if (change !== 'added') atBefore += tokens.length
      if (change !== 'removed') atAfter += tokens.length
      const markup = lines.map((line) => html`<span class="line">${line}\n</span>`)
      if (change === 'same') return join(markup)
      return change === 'added'
        ? html`<ins class="diff-added">${markup}</ins>`
        : html`<del class="diff-removed">${markup}</del>`
    }),
  )
}

/** Returns the mark of a node, undefined on any other page. */
export function markOf(node: object, { context }: PageRenderer): ComparisonMark | undefined {
  return context.comparison?.marks.get(node)
}

/** Returns something that is displayed apart from the place to which it belongs, marked as that place. */
export function inRegion(region: RenderedComparison['region'], render: () => Html): Html {
  if (region === undefined) return render()
  return region === 'added'
    ? html`<ins class="diff-added">${render()}</ins>`
    : html`<del class="diff-removed">${render()}</del>`
}
