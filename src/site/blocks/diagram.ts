/** A diagram: its drawing, and the text that it is made of for who wants to read or copy that. */
import type { Code } from '../../core/document/types.js'
import { html, type Html, trusted } from '../html.js'
import { fill } from '../words/words.js'
import type { Rendering } from './context.js'

/** A figure with the drawing above its source; undefined where the source has to do. */
export function renderDiagram(block: Code, source: Html, page: Rendering): Html | undefined {
  const drawing = page.piece(block, { kind: 'diagram', text: block.code })
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
