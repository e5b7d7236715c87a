/** A prompt for an assistant: to be read, copied, or taken along. */
import type { Prompt } from '../../core/document/types.js'
import { attributes, html, type Html, nothing } from '../html.js'
import { copyButton } from './code.js'
import type { Rendering } from './context.js'
import { fill } from '../words/words.js'
import { icon } from './icons.js'
import { encodeText } from './safe-url.js'

/** Longest prompt that fits into an address everywhere. */
const longestInAddress = 4000

/** A box with what the prompt does, its text, a button to copy it and, if wanted, links that open it elsewhere. */
export function renderPrompt(block: Prompt, page: Rendering): Html {
  const { words } = page
  const sign = icon(block.icon)
  const shown = block.defaultExpanded ?? 'partial'
  const text = html`<pre class="prompt-text" tabindex="0"><code>${block.text}</code></pre>`
  const query = encodeText(block.text.slice(0, longestInAddress))
  const target = page.context.externalInNewTab === true ? '_blank' : undefined
  const open = (name: string, href: string): Html =>
    html`<a${attributes({ class: 'button secondary', href, target, rel: 'noopener noreferrer' })}>${fill(words.openIn, name)}</a>`
  return html`<div class="prompt">
    <div class="prompt-head">
      ${sign === nothing ? icon('sparkles') : sign}
      <p>${block.description === '' ? words.prompt : block.description}</p>
      ${copyButton(page)}
    </div>
    ${
      shown === 'full'
        ? text
        : html`<details class="${shown === 'partial' ? 'prompt-fold partial' : 'prompt-fold'}">
              <summary>
                <span class="when-closed">${words.showPrompt}</span><span class="when-open">${words.hidePrompt}</span>
              </summary>
              ${text}
            </details>
            ${shown === 'partial' && html`<pre class="prompt-text prompt-start" aria-hidden="true">${firstLines(block.text)}</pre>`}`
    }${block.openInAIProviders === true && html`<p class="prompt-actions">${open('ChatGPT', `https://chatgpt.com/?q=${query}`)}${open('Claude', `https://claude.ai/new?q=${query}`)}</p>`}
  </div>\n`
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 3).join('\n').slice(0, 400)
}
