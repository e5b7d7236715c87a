/** A page of a site as a complete HTML document: what the record, the text and the tree say, put together. */
import { children } from '../../core/pages/read.js'
import type { DocumentPage, PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { attributes, html, type Html } from '../html.js'
import { safeUrl } from '../blocks/safe-url.js'
import { wordsIn } from '../words/words.js'
import { renderSign } from '../layout/navigation.js'
import { renderPage } from '../layout/page.js'
import type { CoverView, PageView, SiteView } from '../layout/view.js'
import type { ReadablePage } from '../routing/destination.js'
import type { Linker } from '../routing/linker.js'
import { type Body, renderBody } from './body.js'
import { pageAppUrl } from '../../resources/content/present.js'
import { type ShownContent, contentLanguage, isListed, readAncestors, readOpenTexts } from './content.js'
import { readNavigation, titleInLists } from './navigation.js'
import { readNeighbours } from './neighbours.js'
import { pageActions } from './page-actions.js'
import { type Assets, siteView } from './site-view.js'
import { structuredData } from './structured.js'
import { readBeside, readTranslations } from './translations.js'

export interface RenderedPage {
  readonly html: string
  /** False when another time more of it may be shown. */
  readonly isFinal: boolean
  /** Origins that the page may ask besides its own. */
  readonly connects: readonly string[]
}

/** Returns the HTML of a page, and whether it would be the same another time. */
export async function renderPageDocument(
  services: Services,
  shown: ShownContent,
  page: ReadablePage,
  assets: Assets,
): Promise<RenderedPage> {
  const { linker, site } = shown
  const above = await readAncestors(shown, page)
  const [navigation, neighbours, body, translations, beside] = await Promise.all([
    readNavigation(shown, [...above, page]),
    readNeighbours(shown, page, above),
    page.type === 'document' ? readBody(shown, page) : undefined,
    readTranslations(services, shown, page),
    readBeside(services, shown, page),
  ])
  const view: PageView = {
    site: withReference(siteView(shown, assets, beside), body, assets),
    title: body?.title ?? page.title,
    breadcrumbs: above.map((one) => breadcrumb(linker, one)),
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    navigation,
    outline: body?.outline ?? [],
    body: body === undefined || body.isEmpty ? await readSubpages(shown, page) : body.html,
    ...(neighbours.previous && { previous: entry(linker, neighbours.previous) }),
    ...(neighbours.next && { next: entry(linker, neighbours.next) }),
    ...(page.updatedAt !== undefined && { updatedAt: page.updatedAt }),
    canonical: linker.canonical(page),
    indexed: site.visibility === 'public' && [page, ...above].every(isForRobots),
    previewImage: previewOf(shown, page),
    alternates: translations,
    ...(page.type === 'document' && documentView(shown, page, { body, translations })),
  }
  const html = renderPage({
    ...view,
    ...(view.indexed === true && { structured: structuredData(shown, view, above) }),
  })
  return { html, isFinal: body?.isFinal ?? true, connects: body?.connects ?? [] }
}

/** What API blocks need comes with the pages that have some. */
function withReference(site: SiteView, body: Body | undefined, assets: Assets): SiteView {
  if (body?.hasReference !== true) return site
  const [own, ...others] = site.stylesheets
  const stylesheets = [own!, assets.referenceStylesheet, ...others]
  const scripts = body.connects.length > 0 ? [assets.referenceScript] : []
  return { ...site, stylesheets, moreScripts: [...(site.moreScripts ?? []), ...scripts] }
}

async function readBody(shown: ShownContent, page: DocumentPage): Promise<Body | undefined> {
  if (page.text === undefined) return undefined
  const [text] = await readOpenTexts(shown, page, [page.text])
  return renderBody(shown, page, text!)
}

/** The picture for previews: the site's own where it has one, else one that shows what the page is called. */
function previewOf({ site, linker }: ShownContent, page: ReadablePage): string {
  const { url } = site.customization.socialPreview
  return url ?? linker.absolute(linker.picture(page))
}

interface Around {
  readonly body: Body | undefined
  readonly translations: NonNullable<PageView['alternates']>
}

function documentView(
  shown: ShownContent,
  page: DocumentPage,
  { body, translations }: Around,
): Partial<PageView> {
  const { linker, site } = shown
  const { layout = {} } = page
  const words = wordsIn(contentLanguage(shown))
  const { pagination } = site.customization
  const cover = layout.cover === false ? undefined : coverView(page, body)
  const markdown = linker.markdown(page)
  const source = pageAppUrl({ addresses: shown.addresses, spaceId: shown.variant.spaceId }, page.path)
  return {
    ...(page.description !== undefined && { description: page.description }),
    ...(body?.summary !== undefined && { summary: body.summary }),
    ...(cover && { cover }),
    alternates: [
      { href: markdown, type: 'text/markdown' },
      ...(body?.hasUpdates === true ? [{ href: linker.rss(page), type: 'application/rss+xml' }] : []),
      ...translations,
    ],
    actions: pageActions(site, { linker, page, words, source }),
    ...tellingView(shown, page),
    wide: layout.width === 'wide',
    hide: {
      title: layout.title === false,
      description: layout.description === false,
      navigation: layout.tableOfContents === false,
      outline: layout.outline === false,
      pagination: layout.pagination === false || !pagination.enabled,
      metadata: layout.metadata === false,
    },
  }
}

/** A space that is looked at by itself is no site, and asks nothing. */
function tellingView(
  { linker, site }: ShownContent,
  page: DocumentPage,
): Pick<PageView, 'feedback' | 'counted'> {
  const { feedback, insights } = site.customization
  if (site.siteId === undefined) return {}
  return {
    ...(feedback.enabled && { feedback: linker.told('feedback', page) }),
    ...(insights.trackingCookie && { counted: linker.told('view', page) }),
  }
}

function coverView({ cover, layout }: DocumentPage, body: Body | undefined): CoverView | undefined {
  if (cover?.src === undefined || body === undefined) return undefined
  const light = body.source(cover.src)
  const dark = cover.srcDark === undefined ? undefined : body.source(cover.srcDark)
  if (light === undefined) return undefined
  return { light, ...(dark !== undefined && { dark }), size: layout?.coverSize ?? 'hero' }
}

/** True unless the page's author keeps it from crawlers; what is above a page decides for it too. */
export function isForRobots(page: PageRecord): boolean {
  return page.type !== 'document' || (page.noIndex !== true && page.noRobotsIndex !== true)
}

function breadcrumb(linker: Linker, page: PageRecord) {
  return page.type === 'group' ? { title: page.title } : entry(linker, page)
}

function entry(linker: Linker, page: PageRecord) {
  return { title: titleInLists(page), href: linker.page(page) }
}

/** The pages below a page that says nothing itself, as cards. */
async function readSubpages(shown: ShownContent, page: ReadablePage): Promise<Html> {
  const { content } = shown
  const below = await content.run(children(content.revision.snapshot, page.id))
  const pages = below.filter((child) => isListed(shown, child))
  if (pages.length === 0) return html`<p class="empty">${wordsIn(contentLanguage(shown)).emptyPage}</p>`
  return html`<ul class="cards" role="list">
    ${pages.map((page) => {
      const description = page.type === 'document' ? page.description : undefined
      const href = safeUrl(shown.linker.page(page))
      return html`<li class="card linked"><div class="card-body"><div class="card-title"><a${attributes({ class: 'card-link', href })}>${renderSign(page)} ${page.title}</a></div>${description !== undefined && html`<div class="card-cell"><p>${description}</p></div>`}</div></li>\n`
    })}
  </ul>\n`
}
