/**
 * Code blocks: the text of the markup is exactly the code; titles, line numbers and colours are added around it.
 *
 * A diagram that cannot be drawn is rendered as its source.
 */
import type { Code } from '../../core/document/types.js'
import { attributes, html, type Html, trusted } from '../html.js'
import { comparedLines } from './comparison.js'
import type { PageRenderer } from './context.js'
import { renderDiagram } from './diagram.js'
import { languageName, markupLines } from './highlight.js'
import { icon } from './icons.js'

/** Above this many lines an `expandable` block is folded. */
const foldedLines = 12

/** Characters from which a line may not fit on a phone, inside a hint or a list. */
const wideLine = 24

/** A figure with the code, above it its title and language, and buttons that wrap its lines and copy it. */
export function renderCode(block: Code, page: PageRenderer): Html {
  if (!isDiagram(block)) return renderSource(block, block.title, page)
  return (
    renderDiagram(block, renderSource(block, undefined, page), page) ??
    renderSource(block, block.title ?? page.words.diagramAsSource, page)
  )
}

function isDiagram({ syntax }: Code): boolean {
  return syntax?.toLowerCase() === 'mermaid'
}

function renderSource(block: Code, title: string | undefined, page: PageRenderer): Html {
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

/** Button that wraps long lines; visible only if there are some. */
function wrapButton({ words }: PageRenderer): Html {
  return html`<button type="button" class="wrap-lines" data-wrap aria-pressed="false" aria-label="${words.wrapLines}" title="${words.wrapLines}">
    ${icon('wrap-text')}
  </button>`
}

/** Button that copies the text of the nearest code; visible only where scripts run. */
export function copyButton({ words }: PageRenderer): Html {
  return html`<button type="button" class="copy" data-copy aria-label="${words.copy}" title="${words.copy}">
    ${icon('copy')}${icon('check')}
  </button>`
}

function renderCaption(title: string | undefined, language: string): Html {
  return html`<figcaption>
    ${title !== undefined && html`<span class="code-title">${title}</span>`}${language !== '' && html`<span class="code-language">${language}</span>`}
  </figcaption>`
}

function folded(body: Html, lines: number, { words }: PageRenderer): Html {
  if (lines <= foldedLines) return body
  return html`<details class="code-fold">
    <summary>
      <span class="when-closed">${words.showAllLines(lines)}</span><span class="when-open">${words.showLess}</span>
    </summary>
    ${body}
  </details>`
}

/** Returns the highlighted code; the plain code if its language is unknown or it is too large. */
export function highlighted(
  owner: object,
  code: string,
  syntax: string | undefined,
  page: PageRenderer,
): Html {
  const markup =
    syntax === undefined ? undefined : page.renderFragment(owner, { kind: 'code', text: code, syntax })
  return markup === undefined ? html`${code}` : trusted(markup)
}

function preformatted(block: Code, page: PageRenderer): Html {
  const changed = comparedLines(block, page, (one) =>
    markupLines(highlighted(one, one.code, one.syntax, page), page),
  )
  if (changed !== undefined)
    return html`<pre tabindex="0"><code${attributes({ 'data-language': block.syntax })}>${changed}</code></pre>`
  const marked = new Set(block.highlighted)
  // The fragment of a diagram is its drawing, not highlighted code.
  const markup = isDiagram(block) ? html`${block.code}` : highlighted(block, block.code, block.syntax, page)
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
