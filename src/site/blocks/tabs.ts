/**
 * Tabs: titled sections in order, until a script makes one of them visible at a time.
 *
 * The row of buttons is in the markup but visible only where scripts run (class `js` on the root),
 * so that the layout does not shift when the script loads. The behaviour is in layout/browser/tabs.ts.
 */
import type { Tabs } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import { fill } from '../words/words.js'
import { compared } from './comparison.js'
import type { PageRenderer } from './context.js'
import { icon } from './icons.js'

/** The row of titles and a panel for each tab; the panel has the anchor. */
export function renderTabs(block: Tabs, page: PageRenderer): Html {
  const tabs = block.tabs.map((tab, index) => ({
    id: page.anchor(tab.anchor),
    label: compared(
      tab,
      page,
      () => html`${icon(tab.icon)}${tab.title === '' ? fill(page.words.tab, index + 1) : tab.title}`,
      'text',
    ),
    aliases: page.aliases(tab.aliases),
    blocks: tab.blocks,
  }))
  return html`<div class="${block.fullWidth === true ? 'tabs full-width' : 'tabs'}" data-tabs>
    <div class="tab-list" role="tablist">
      ${tabs.map(
        (tab, index) =>
          html`<button
            type="button"
            role="tab"
            id="${tab.id}-tab"
            aria-controls="${tab.id}"
           ${attributes({ 'aria-selected': index === 0 ? 'true' : 'false', tabindex: index === 0 ? 0 : -1 })}
          >
            ${tab.label}
          </button>`,
      )}
    </div>
    ${tabs.map(
      (tab) =>
        html`<section class="tab" id="${tab.id}" role="tabpanel" aria-labelledby="${tab.id}-tab">
          ${tab.aliases}<p class="tab-title">${tab.label}</p>
          ${page.blocks(tab.blocks)}
        </section>\n`,
    )}
  </div>\n`
}
