/** A diagram: its drawing, and its source to read or copy. */
import type { Code } from '../../core/document/types.js'
import { html, type Html, trusted } from '../html.js'
import { fill } from '../words/words.js'
import type { PageRenderer } from './context.js'

/** A figure with the drawing above its source; undefined if there is no drawing. */
export function renderDiagram(block: Code, source: Html, page: PageRenderer): Html | undefined {
  const drawing = page.renderFragment(block, { kind: 'diagram', text: block.code })
  if (drawing === undefined) return undefined
  const { title } = block
  const { words } = page
  return html`<figure class="diagram">
    <div class="drawing" tabindex="0" role="img" aria-label="${fill(words.sourceFollows, title ?? words.diagram)}">${trusted(drawing)}</div>
    ${title !== undefined && html`<figcaption>${title}</figcaption>`}
    <details class="diagram-source">
      <summary>${words.diagramSource}</summary>
      ${source}
    </details>
  </figure>`
}
