/**
 * A block of code: what is written is what is copied; titles, numbers and colours stand around it.
 *
 * A diagram that cannot be drawn is shown as its source.
 */
import type { Code } from '../../core/document/types.js'
import { attributes, html, type Html, trusted } from '../html.js'
import type { Rendering } from './context.js'
import { renderDiagram } from './diagram.js'
import { languageName, markupLines } from './highlight.js'
import { icon } from './icons.js'

/** Above this many lines an `expandable` block is folded. */
const foldedLines = 12

/** Characters of a line from which a phone may have no room for it, in a hint or a list. */
const wideLine = 24

/** A figure with the code, above it its title and language, and buttons that wrap its lines and copy it. */
export function renderCode(block: Code, page: Rendering): Html {
  if (!isDiagram(block)) return renderSource(block, block.title, page)
  return (
    renderDiagram(block, renderSource(block, undefined, page), page) ??
    renderSource(block, block.title ?? page.words.diagramAsSource, page)
  )
}

function isDiagram({ syntax }: Code): boolean {
  return syntax?.toLowerCase() === 'mermaid'
}

function renderSource(block: Code, title: string | undefined, page: Rendering): Html {
  const language = languageName(block.syntax)
  const body = preformatted(block, page)
  const headed = title !== undefined || language !== ''
  const lines = block.code.split('\n')
  const wraps = block.overflow === 'wrap'
  const classes = ['code', wraps && 'wrap', block.fullWidth === true && 'full-width', headed && 'titled']
  return html`<figure class="${classes.filter(Boolean).join(' ')}">
    ${headed && renderCaption(title, language)}
    <div class="code-tools">
      ${!wraps && lines.some(({ length }) => length > wideLine) && wrapButton(page)}${copyButton(page)}
    </div>
    ${block.expandable === true ? folded(body, lines.length, page) : body}
  </figure>`
}

/** A button that wraps lines that are too long for their place, shown only where there are some. */
function wrapButton({ words }: Rendering): Html {
  return html`<button type="button" class="wrap-lines" data-wrap aria-pressed="false" aria-label="${words.wrapLines}" title="${words.wrapLines}">
    ${icon('wrap-text')}
  </button>`
}

/** A button that copies the text of the nearest code; it shows itself only where scripts run. */
export function copyButton({ words }: Rendering): Html {
  return html`<button type="button" class="copy" data-copy aria-label="${words.copy}" title="${words.copy}">
    ${icon('copy')}${icon('check')}
  </button>`
}

function renderCaption(title: string | undefined, language: string): Html {
  return html`<figcaption>
    ${title !== undefined && html`<span class="code-title">${title}</span>`}${language !== '' && html`<span class="code-language">${language}</span>`}
  </figcaption>`
}

function folded(body: Html, lines: number, { words }: Rendering): Html {
  if (lines <= foldedLines) return body
  return html`<details class="code-fold">
    <summary>
      <span class="when-closed">${words.showAllLines(lines)}</span><span class="when-open">${words.showLess}</span>
    </summary>
    ${body}
  </details>`
}

/** The code as markup; as it was written when its language is unknown or colouring it takes too much. */
export function coloured(owner: object, code: string, syntax: string | undefined, page: Rendering): Html {
  const markup = syntax === undefined ? undefined : page.piece(owner, { kind: 'code', text: code, syntax })
  return markup === undefined ? html`${code}` : trusted(markup)
}

function preformatted(block: Code, page: Rendering): Html {
  const marked = new Set(block.highlighted)
  // What the library makes of a diagram is its drawing.
  const markup = isDiagram(block) ? html`${block.code}` : coloured(block, block.code, block.syntax, page)
  const inLines = block.lineNumbers === true || marked.size > 0
  const lines = inLines ? markupLines(markup, page) : []
  // A focusable scroll area lets the keyboard reach the end of a long line.
  return html`<pre${attributes({ tabindex: 0, class: block.lineNumbers === true ? 'numbered' : undefined })}><code${attributes({ 'data-language': block.syntax })}>${
    inLines
      ? lines.map(
          (line, index) =>
            html`<span class="${marked.has(index) ? 'line marked' : 'line'}">${line}${index < lines.length - 1 && '\n'}</span>`,
        )
      : markup
  }</code></pre>`
}
