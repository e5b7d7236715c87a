/** Page shell: head, header and footer of every page of a site. The main content comes from the single pages. */
import { isRightToLeft } from '../../core/language/direction.js'
import { drawingsFor, icon } from '../blocks/icons.js'
import { safeSource, safeUrl } from '../blocks/safe-url.js'
import { attributes, escapeHtml, html, type Html, nothing, trusted } from '../html.js'
import type { Words } from '../words/en.js'
import { renderClientWords } from '../words/render-client-words.js'
import { fill, wordsIn } from '../words/words.js'
import { renderEntryIcon } from './navigation.js'
import { themeScript } from './theme.js'
import type { MenuEntry, SiteView } from './view.js'

export interface PageHead {
  readonly title: string
  readonly description?: string
  /** Used without a description. */
  readonly summary?: string
  readonly canonical?: string
  readonly indexed?: boolean
  readonly previewImage?: string
  readonly structured?: object
  /** Milliseconds since 1970. */
  readonly updatedAt?: number
  readonly alternates?: readonly {
    readonly href: string
    readonly type?: string
    readonly language?: string
  }[]
}

export interface PageShell {
  readonly head: PageHead
  /** The tree of pages: a side column, and a drawer on small screens. Absent: no column. */
  readonly navigation?: Html
  readonly main: Html
  /** Initial value of the search field. */
  readonly query?: string
  readonly className?: string
  /** True for pages without site content: a form, a list or a message. */
  readonly isPlain?: boolean
}

/** A complete HTML document. */
export function renderPageShell(site: SiteView, frame: PageShell): string {
  const language = site.language === '' ? 'en' : site.language
  const { theme } = site
  const words = wordsIn(language)
  const header = renderHeader(site, frame)
  const sideHead = site.isHeaderless === true ? renderSideHead(site, frame) : nothing
  const footer = renderFooter(site)
  const body = html`<a class="skip" href="#octavo-content">${words.skip}</a>
${renderAnnouncement(site)}${renderChangeNotice(site, words)}${header}
<div class="${frame.navigation === undefined ? 'page' : 'page with-navigation'}">
${frame.navigation !== undefined && html`<nav class="navigation" id="octavo-navigation" aria-label="${words.pages}" data-navigation>${sideHead}${renderSmallMenus(site)}${frame.navigation}</nav>\n`}${frame.main}
</div>
${footer}`
  const markup = html`<!doctype html>
<html${attributes({
    lang: language,
    dir: isRightToLeft(language) ? 'rtl' : undefined,
    'data-theme': theme.default === 'system' ? undefined : theme.default,
    'data-toggleable': theme.toggleable ? '' : undefined,
    'data-corners': theme.corners,
  })}>
${renderHead(site, frame)}
<body${attributes({ class: frame.className })}>
${body}${drawingsFor(body)}${renderClientWords(words, [header, sideHead, frame.main, footer].map(String))}
</body>
</html>
`
  return markup.toString()
}

/** Classes of the elements styled by `blocks.css`. */
const inBlocks =
  / class="(?:[a-z-]{1,40} )?(?:(?:stepper|columns|cards|updates|prompt|integration|diagram|drawing|attachment|card-line|math|math-source|plain-piece|annotated|notes)[ "]|cover-|text-|background-)|<math/

function renderHead(site: SiteView, { head, main, isPlain = false }: PageShell): Html {
  const [own, ...others] = site.stylesheets
  if (isPlain) others.push(site.plainStylesheet)
  const blocks = inBlocks.test(main.toString())
    ? html`<link rel="stylesheet"${attributes({ href: safeUrl(site.blocksStylesheet) })} data-part>\n`
    : nothing
  const title = head.title === site.title ? site.title : `${head.title} | ${site.title}`
  const preview = head.previewImage === undefined ? undefined : safeSource(head.previewImage)
  const description = head.description || head.summary
  const canonical = head.canonical === undefined ? undefined : safeUrl(head.canonical)
  return html`<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    ${description !== undefined && html`<meta name="description" content="${description}">\n`}
    ${head.indexed === false && html`<meta name="robots" content="noindex, nofollow">\n`}
    ${canonical !== undefined && html`<link rel="canonical" href="${canonical}">\n`}
    ${head.alternates?.map(
      ({ href, type, language }) =>
        html`<link rel="alternate"${attributes({ href: safeUrl(href), type, hreflang: language })}>\n`,
    )}
    <meta
      name="color-scheme"
      content="${site.theme.default === 'system' ? 'light dark' : site.theme.default === 'dark' ? 'dark light' : 'light dark'}">
    <meta property="og:type" content="article">
    <meta property="og:title" content="${head.title}">
    <meta property="og:site_name" content="${site.title}">
    ${description !== undefined && html`<meta property="og:description" content="${description}">\n`}${canonical !== undefined && html`<meta property="og:url" content="${canonical}">\n`}${
      preview !== undefined &&
      html`<meta property="og:image" content="${preview}">
        <meta name="twitter:card" content="summary_large_image">\n`
    }${head.updatedAt !== undefined && html`<meta property="article:modified_time" content="${new Date(head.updatedAt).toISOString()}">\n`}${head.structured !== undefined && renderStructured(head.structured)}${site.sign !== undefined && html`<link rel="apple-touch-icon"${attributes({ href: safeUrl(site.sign) })}>\n`}${renderFavicon(site)}
    <script>${trusted(themeScript)}</script>
    ${renderSheet(own!)}${blocks}${others.map(renderSheet)}
    ${[site.script, ...(site.moreScripts ?? [])].map((src) => html`<script type="module"${attributes({ src: safeUrl(src) })}></script>`)}${site.allowedScripts?.map(renderAllowedScript)}
  </head>`
}

function renderSheet(href: string): Html {
  return html`<link rel="stylesheet"${attributes({ href: safeUrl(href) })}>\n`
}

/** A third-party script: loaded asynchronously, without cookies. */
function renderAllowedScript({
  script,
  integrity,
}: {
  readonly script: string
  readonly integrity?: string
}): Html {
  return html`<script async crossorigin="anonymous"${attributes({ src: safeUrl(script), integrity })}></script>`
}

/** JSON-LD: the escaped data cannot close its script element. */
function renderStructured(data: object): Html {
  const text = JSON.stringify(data).replace(/</g, '\\u003c')
  return html`<script type="application/ld+json">${trusted(text)}</script>\n`
}

/** Favicon: by default an emoji or the first letter of the title, as a data URL. */
function renderFavicon({ favicon, title }: SiteView): Html {
  const href = favicon?.href === undefined ? undefined : safeSource(favicon.href)
  if (href !== undefined) {
    const dark = favicon?.hrefDark === undefined ? undefined : safeSource(favicon.hrefDark)
    if (dark === undefined) return html`<link rel="icon" href="${href}">\n`
    return html`<link rel="icon" href="${href}" media="(prefers-color-scheme: light)">
      <link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)">\n`
  }
  const letter = favicon?.emoji ?? ([...title.trim()][0] ?? 'O').toUpperCase()
  const svg =
    favicon?.emoji === undefined
      ? `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><rect width='64' height='64' rx='14' fill='#346ddb'/><text x='32' y='45' font-family='system-ui,sans-serif' font-size='38' font-weight='700' text-anchor='middle' fill='#fff'>${escapeHtml(letter)}</text></svg>`
      : `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><text y='52' font-size='52'>${escapeHtml(letter)}</text></svg>`
  // Minimal encoding: every page contains it.
  const address = svg.replace(/[%#<>"&]/g, encodeURIComponent)
  return html`<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${address}">\n`
}

function renderAnnouncement({ announcement, language }: SiteView): Html {
  if (announcement === undefined) return nothing
  const { link } = announcement
  return html`<aside class="announcement announcement-${announcement.style}" aria-label="${wordsIn(language).announcement}">
    <p>
      ${announcement.message}${link !== undefined && html` ${renderMenuLink(link)}`}
    </p>
    <button type="button" class="icon-button" data-put-away="${announcement.key}" aria-label="${wordsIn(language).closeAnnouncement}">${icon('x')}</button>
  </aside>\n`
}

/** The notice that browser/follow-changes.ts displays. */
function renderChangeNotice({ follows }: SiteView, words: Words): Html {
  if (follows === undefined) return nothing
  return html`<aside class="announcement" role="status"${attributes({ 'data-follow': follows })} hidden>
    <p>${words.spaceChanged} <a href="">${words.loadAgain}</a></p>
  </aside>\n`
}

function renderHeader(site: SiteView, frame: PageShell): Html {
  const words = wordsIn(site.language)
  return html`<header class="header">
    <div class="header-row">
      ${frame.navigation !== undefined && renderDrawerLinks(words)}
      ${renderBrand(site)}
      ${site.variants !== undefined && site.variants.length > 1 && renderVariants(site.variants, words)}
      ${renderSearchField(site, frame.query)}
      ${site.links !== undefined && site.links.length > 0 && html`<nav class="header-links" aria-label="${words.site}">${site.links.map(renderMenuEntry)}</nav>`}
      ${site.accounts?.map((account) => html`<a class="icon-button account"${attributes({ ...linkAttributes(account), 'aria-label': account.title })}>${icon(account.icon)}</a>`)}
      ${site.search !== undefined && html`<a class="icon-button small-search"${attributes({ href: safeUrl(site.search.href) })} aria-label="${words.search}" data-search-for="">${icon('search')}</a>`}
      ${site.theme.toggleable && html`<button type="button" class="icon-button theme-toggle" data-theme-toggle aria-label="${words.colors}">${icon('sun')}${icon('moon')}${icon('monitor')}</button>`}
    </div>
    ${site.sections !== undefined && site.sections.length > 0 && html`<nav class="sections" aria-label="${words.sections}">${site.sections.map(renderMenuEntry)}</nav>\n`}
  </header>`
}

/** Links to open and close the drawer; the second covers the page while it is open. */
function renderDrawerLinks(words: Words): Html {
  return html`<a class="icon-button open-navigation" href="#octavo-navigation" aria-label="${words.openPages}" data-open-navigation>${icon('menu')}</a>
    <a class="close-navigation" href="#octavo-content" aria-label="${words.closePages}" data-close-navigation>${icon('x')}</a>`
}

function renderBrand(site: SiteView): Html {
  const { logo, title, brandHref = site.href } = site
  const emoji = site.favicon?.emoji
  const name = html`${emoji !== undefined && html`<span class="emoji" aria-hidden="true">${emoji}</span>`}<span
        class="brand-title">${title}</span>`
  return html`<a class="brand"${attributes({ href: safeUrl(brandHref) })}>${renderLogo(logo, title) ?? name}</a>`
}

/** The logo in both modes; undefined without a usable picture. */
function renderLogo(logo: SiteView['logo'], title: string): Html | undefined {
  const light = logo === undefined ? undefined : safeSource(logo.light)
  if (light === undefined) return undefined
  const dark = logo?.dark === undefined ? undefined : safeSource(logo.dark)
  if (dark === undefined || dark === light) return html`<img src="${light}" alt="${title}">`
  return html`<img class="when-light" src="${light}" alt="${title}"><img
      class="when-dark"
      src="${dark}"
      alt="${title}">`
}

/** Head of the side column, on sites without a header. */
function renderSideHead(site: SiteView, { query }: PageShell): Html {
  const { sections = [] } = site
  return html`<div class="side-head">${renderBrand(site)}${renderSearchField(site, query)}${
    sections.length > 0 &&
    html`<nav class="drawer-links" aria-label="${wordsIn(site.language).sections}">${sections.map(renderInMenu)}</nav>`
  }</div>`
}

function renderSearchField(site: SiteView, query: string | undefined): Html | false {
  if (site.search === undefined) return false
  const { search } = wordsIn(site.language)
  return html`<form
    class="search"
    role="search"
    method="get"
   ${attributes({ action: safeUrl(site.search.href), 'data-search': safeUrl(site.search.api) })}
  >
    ${icon('search')}<input
      type="search"
      name="q"
      placeholder="${search}"
      aria-label="${search}"
      autocomplete="off"
      maxlength="512"
     ${attributes({ value: query === '' ? undefined : query })}
   ><kbd class="search-key" aria-hidden="true">/</kbd>
  </form>`
}

function renderMenuEntry(entry: MenuEntry): Html {
  if (entry.entries !== undefined && entry.entries.length > 0) {
    const current = isCurrent(entry)
    return html`<details class="menu" name="menu" data-menu>
      <summary${attributes({ class: buttons.get(entry.style) ?? (current ? 'current' : undefined) })}>
        ${renderEntryIcon(entry)}${entry.title}${icon('chevron-down')}
      </summary>
      <div class="menu-list">${entry.href !== undefined && renderMenuLink({ ...entry, style: 'link' })}${entry.entries.map(renderInMenu)}</div>
    </details>`
  }
  return renderMenuLink(entry)
}

function isCurrent({ current, entries = [] }: MenuEntry): boolean {
  return current === true || entries.some(isCurrent)
}

/** A submenu is a heading with its entries. */
function renderInMenu(entry: MenuEntry): Html {
  if (entry.entries === undefined) return renderMenuLink(entry)
  return html`<div class="menu-group"><p>${renderEntryIcon(entry)}${entry.title}</p>${entry.entries.map(renderInMenu)}</div>`
}

const buttons = new Map<MenuEntry['style'], string>([
  ['button-primary', 'button primary'],
  ['button-secondary', 'button secondary'],
])

/** Attributes of a link: its URL, and whether it opens in a new tab. */
function linkAttributes({ href, isNewTab }: Pick<MenuEntry, 'href' | 'isNewTab'>) {
  return {
    href: href === undefined ? undefined : safeUrl(href),
    ...(isNewTab === true && { target: '_blank', rel: 'noopener' }),
  }
}

function renderMenuLink(entry: MenuEntry): Html {
  return html`<a${attributes({
    ...linkAttributes(entry),
    class: buttons.get(entry.style),
    'aria-current': entry.current === true ? 'true' : undefined,
    hreflang: entry.language,
    lang: entry.language,
  })}>${renderEntryIcon(entry)}${entry.title}${entry.description !== undefined && html`<small>${entry.description}</small>`}</a>`
}

function renderVariants(variants: readonly MenuEntry[], words: Words): Html {
  const current = variants.find((variant) => variant.current === true) ?? (variants[0] as MenuEntry)
  const translated = variants.some((variant) => variant.language !== undefined)
  return html`<details class="menu variants" name="menu" data-menu>
    <summary aria-label="${fill(translated ? words.language : words.version, current.title)}">
      ${translated ? icon('languages') : nothing}<span>${current.title}</span>${icon('chevrons-up-down')}
    </summary>
    <div class="menu-list">${variants.map(renderMenuLink)}</div>
  </details>`
}

/** The header's links repeated in the drawer, for screens where the header has no room for them. */
function renderSmallMenus(site: SiteView): Html {
  const links = site.links ?? []
  return links.length === 0
    ? nothing
    : html`<div class="drawer-links">
        ${links.flatMap((entry) => [...(entry.href === undefined ? [] : [entry]), ...(entry.entries ?? [])]).map(renderMenuLink)}
      </div>`
}

function renderFooter({ footer, title, language }: SiteView): Html {
  if (footer === undefined) return nothing
  const { groups, copyright, privacyPolicy, accounts = [], hasTrademark = false } = footer
  const words = wordsIn(language)
  const logo = renderLogo(footer.logo, title)
  const legal = html`${copyright !== undefined && html`<p class="copyright">${copyright}</p>`}${privacyPolicy !== undefined && html`<a${attributes({ href: safeUrl(privacyPolicy) })}>${words.privacyPolicy}</a>`}${accounts.map((account) => html`<a class="account"${attributes(linkAttributes(account))}>${icon(account.icon)}${account.title}</a>`)}${hasTrademark && html`<p class="trademark">${words.publishedWith}</p>`}`
  if (logo === undefined && groups.length === 0 && legal.toString() === '') return nothing
  return html`<footer class="footer">
    <div class="footer-row">
      ${logo !== undefined && html`<p class="footer-logo">${logo}</p>`}${
        groups.length > 0 &&
        html`<nav class="footer-groups" aria-label="${words.footer}">
          ${groups.map(
            (group) =>
              html`<div>
                <p>${group.title}</p>
                <ul role="list">
                  ${group.links.map((link) => html`<li>${renderMenuLink(link)}</li>`)}
                </ul>
              </div>`,
          )}
        </nav>`
      }<div class="footer-end">${legal}</div>
    </div>
  </footer>`
}
