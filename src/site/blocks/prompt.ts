/** Prompts for AI assistants: to read, copy, or open elsewhere. */
import type { Prompt } from '../../core/document/types.js'
import { attributes, html, type Html, nothing } from '../html.js'
import { copyButton } from './code.js'
import type { PageRenderer } from './context.js'
import { fill } from '../words/words.js'
import { icon } from './icons.js'
import { encodeText } from './safe-url.js'

/** Longest prompt that fits into a URL everywhere. */
const maxPromptInUrl = 4000

/** A box with the description, the text, a copy button and, if enabled, links that open the prompt elsewhere. */
export function renderPrompt(block: Prompt, page: PageRenderer): Html {
  const { words } = page
  const sign = icon(block.icon)
  const expansion = block.defaultExpanded ?? 'partial'
  const text = html`<pre class="prompt-text" tabindex="0"><code>${block.text}</code></pre>`
  const query = encodeText(block.text.slice(0, maxPromptInUrl))
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
      expansion === 'full'
        ? text
        : html`<details class="${expansion === 'partial' ? 'prompt-fold partial' : 'prompt-fold'}">
              <summary>
                <span class="when-closed">${words.showPrompt}</span><span class="when-open">${words.hidePrompt}</span>
              </summary>
              ${text}
            </details>
            ${expansion === 'partial' && html`<pre class="prompt-text prompt-start" aria-hidden="true">${firstLines(block.text)}</pre>`}`
    }${block.openInAIProviders === true && html`<p class="prompt-actions">${open('ChatGPT', `https://chatgpt.com/?q=${query}`)}${open('Claude', `https://claude.ai/new?q=${query}`)}</p>`}
  </div>\n`
}

function firstLines(text: string): string {
  return text.split('\n').slice(0, 3).join('\n').slice(0, 400)
}
