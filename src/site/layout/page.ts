/** Content page of a site: title, body, outline and pagination. */
import { beginsWithOtherScript, blockDirection } from '../../core/language/direction.js'
import { anchorOf } from '../../core/markdown/anchors.js'
import { icon } from '../blocks/icons.js'
import { responsiveAttributes } from '../blocks/responsive-images.js'
import { encodeText, safeSource, safeUrl } from '../blocks/safe-url.js'
import { formatDate } from '../blocks/updates.js'
import { attributes, escapeHtml, html, type Html, nothing, trusted } from '../html.js'
import type { Words } from '../words/en.js'
import { wordsIn } from '../words/words.js'
import { speculationRules } from './speculation.js'
import { renderPageShell } from './page-shell.js'
import { renderFeedback } from './feedback.js'
import { renderNavigation, renderEntryIcon } from './navigation.js'
import type { CoverSource, CoverView, OutlineEntry, PageAction, PageView, SiteView } from './view.js'

/** Returns the complete HTML document of a page. */
export function renderPage(view: PageView): string {
  const { hide = {}, site } = view
  const words = wordsIn(site.language)
  const outline = hide.outline === true || view.outline.length < 2 ? nothing : renderOutline(view.outline)
  const sidebar =
    outline === nothing && (view.actions ?? []).length === 0 ? nothing : renderAside(view, outline, words)
  const full = view.cover?.size === 'full'
  return renderPageShell(site, {
    head: view,
    ...(hide.navigation === true ? {} : { navigation: renderNavigation(view.navigation, site.language) }),
    className: view.wide === true ? 'wide' : '',
    main: html`<main class="main" id="octavo-content" tabindex="-1">
      ${full && view.cover !== undefined && renderCover(view.cover)}
      <div class="main-row">
        <article class="content"${attributes({ 'data-view': view.counted })}>
          ${!full && view.cover !== undefined && renderCover(view.cover)}${renderTitle(view, words)}
          ${
            outline !== nothing &&
            html`<details class="small-outline">
              <summary>${words.onThisPage}${icon('chevron-down')}</summary>
              ${outline}
            </details>`
          }
          <div class="body">${view.body}</div>
          ${view.feedback !== undefined && renderFeedback(view.feedback, words)}${hide.pagination !== true && renderPagination(view, words)}${hide.metadata !== true && renderUpdated(view, words)}
        </article>
        ${sidebar}
      </div>
    </main>
    ${isOpenedByBrowser(site) && html`<script type="speculationrules">${trusted(speculationRules)}</script>`}`,
  })
}

/** True for pages with further scripts, which client-side navigation (browser/client-navigation.ts) does not replace. */
function isOpenedByBrowser({ moreScripts = [], allowedScripts = [] }: SiteView): boolean {
  return moreScripts.length + allowedScripts.length > 0
}

function renderTitle(view: PageView, words: Words): Html {
  const { hide = {} } = view
  const sign = renderEntryIcon(view)
  const crumbs = view.breadcrumbs ?? []
  const [id, ...aliases] = titleAnchors(view)
  const dirOf = (text: string) => blockDirection(view.site.language, text)
  return html`<header class="title">
${
  crumbs.length > 0 &&
  html`<nav class="breadcrumbs" aria-label="${words.breadcrumbs}">
    <ol role="list">
      ${crumbs.map(({ title, href }) => html`<li>${href === undefined ? title : html`<a${attributes({ href: safeUrl(href) })}${mixed(title)}>${title}</a>`}</li>`)}
    </ol>
  </nav>\n`
}<h1${attributes({ id, class: hide.title === true ? 'unseen' : undefined, dir: dirOf(view.title) })}>${aliases.map((alias) => html`<span id="${alias}"></span>`)}${sign !== nothing && html`<span class="title-sign">${sign}</span>`}${view.title}</h1>
${hide.description !== true && view.description !== undefined && view.description !== '' && html`<p class="lead"${attributes({ dir: dirOf(view.description) })}>${view.description}</p>\n`}</header>`
}

/** Marks a name that its first letter would lay out against the page. */
function mixed(text: string): Html {
  return attributes({ 'data-mixed': beginsWithOtherScript(text) })
}

/** Returns the anchors of the title that the page does not have already. */
function titleAnchors({ title, titleAnchors: anchors = [], body }: PageView): readonly string[] {
  const markup = body.toString()
  return [...new Set([...anchors, anchorOf(title)])].filter(
    (anchor) => anchor !== '' && !markup.includes(` id="${escapeHtml(anchor)}"`),
  )
}

/** Positions are rounded to steps of ten: inline styles are not allowed. */
function renderCover(cover: CoverView): Html {
  const position = Math.min(100, Math.max(0, Math.round((cover.position ?? 50) / 10) * 10))
  const one = ({ src: written, file }: CoverSource, theme?: string): Html => {
    const src = safeSource(written)
    return src === undefined
      ? nothing
      : html`<img
          src="${src}"
          alt=""
         ${attributes({ ...responsiveAttributes(file, 'cover'), class: theme })}
          data-position="${position}"
          fetchpriority="high">`
  }
  return html`<div class="cover cover-${cover.size}">
    ${cover.dark === undefined ? one(cover.light) : html`${one(cover.light, 'when-light')}${one(cover.dark, 'when-dark')}`}
  </div>\n`
}

function renderOutline(entries: readonly OutlineEntry[]): Html {
  return html`<ul role="list">
    ${entries.map(({ level, anchor, text }) => html`<li class="outline-${level}"><a href="#${encodeText(anchor)}"${mixed(text)}>${text}</a></li>\n`)}
  </ul>`
}

function renderAside(view: PageView, outline: Html, words: Words): Html {
  return html`<aside class="aside" aria-label="${words.aboutThisPage}">
    <div class="aside-inner">
      ${
        outline !== nothing &&
        html`<nav class="outline" aria-labelledby="octavo-outline" data-outline>
          <p id="octavo-outline">${words.onThisPage}</p>
          ${outline}
        </nav>\n`
      }${
        view.actions !== undefined &&
        view.actions.length > 0 &&
        html`<ul class="actions" role="list">
          ${view.actions.map((action) => html`<li>${renderAction(action)}</li>`)}
        </ul>`
      }
    </div>
  </aside>`
}

/** A page action: a link or a button. Copy buttons fetch their text, and are visible only where scripts run. */
function renderAction({ title, href, icon: name, isCopied, copies, isPrinted, isNewTab }: PageAction): Html {
  if (isPrinted === true)
    return html`<button type="button" class="print-page" data-print>${icon(name)}${title}</button>`
  if (copies !== undefined)
    return html`<button type="button" class="print-page"${attributes({ 'data-copy-text': copies })}>${icon(name)}<span>${title}</span></button>`
  if (isNewTab === true)
    return html`<a${attributes({ href: safeUrl(href), target: '_blank', rel: 'noopener' })}>${icon(name)}${title}</a>`
  if (isCopied !== true) return html`<a${attributes({ href: safeUrl(href) })}>${icon(name)}${title}</a>`
  return html`<button type="button" class="copy-page"${attributes({ 'data-copy-from': safeUrl(href) })}>${icon(name)}${icon('check')}<span>${title}</span></button><span class="unseen" role="status"></span>`
}

function renderPagination({ previous, next }: PageView, words: Words): Html {
  if (previous === undefined && next === undefined) return nothing
  return html`<nav class="pagination" aria-label="${words.previousAndNext}">
    ${
      previous !== undefined &&
      html`<a class="previous" rel="prev"${attributes({ href: safeUrl(previous.href) })}
        ><small>${words.previous}</small><span>${icon('arrow-left')}${previous.title}</span></a>`
    }${next !== undefined && html`<a class="next" rel="next"${attributes({ href: safeUrl(next.href) })}><small>${words.next}</small><span>${next.title}${icon('arrow-right')}</span></a>`}
  </nav>\n`
}

function renderUpdated({ updatedAt, site }: PageView, words: Words): Html {
  if (updatedAt === undefined || Number.isNaN(new Date(updatedAt).getTime())) return nothing
  const date = new Date(updatedAt).toISOString().slice(0, 10)
  const written = formatDate(date, 'full', site.language)
  return html`<p class="updated">
    ${words.lastUpdated} <time${attributes({ datetime: date, dir: blockDirection(site.language, written) })}>${written}</time>
  </p>\n`
}
