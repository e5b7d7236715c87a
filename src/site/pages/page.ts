/** HTML document of a page: combines its record, body, navigation and the site's settings. */
import { readReferenceSource } from '../../core/openapi/reference-source.js'
import { children } from '../../core/pages/read.js'
import type { DocumentPage, PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { attributes, html, type Html } from '../html.js'
import { safeUrl } from '../blocks/safe-url.js'
import { fill, wordsIn } from '../words/words.js'
import { renderEntryIcon } from '../layout/navigation.js'
import { renderPage } from '../layout/page.js'
import type { CoverView, PageView, SiteView } from '../layout/view.js'
import type { ReadablePage } from '../routing/destination.js'
import type { Linker } from '../routing/linker.js'
import { type PageBody, renderBody } from './page-body.js'
import { pageAppUrl } from '../../resources/content/present.js'
import {
  type VisibleContent,
  contentLanguage,
  isListed,
  readAncestors,
  readVisibleTexts,
  visibleText,
} from './content.js'
import { readNavigation, titleInLists } from './navigation.js'
import { hrefOf, readLinkDestinations } from './link-pages.js'
import { readNeighbours } from './neighbours.js'
import { pageActions } from './page-actions.js'
import { type Assets, siteView } from './site-view.js'
import { structuredData } from './structured-data.js'
import { readVariantLinks, readTranslations } from './translations.js'

export interface RenderedPage {
  readonly html: string
  /** False when a later result may be more complete. */
  readonly isFinal: boolean
  /** Origins that the page may connect to besides its own. */
  readonly connects: readonly string[]
}

/** Returns the HTML of a page, and whether it is complete; `unsavedText` replaces the stored text of a document. */
export async function renderPageDocument(
  services: Services,
  visible: VisibleContent,
  page: ReadablePage,
  assets: Assets,
  unsavedText?: string,
): Promise<RenderedPage> {
  const { linker, site } = visible
  const above = await readAncestors(visible, page)
  const [navigation, neighbours, body, translations, variantLinks] = await Promise.all([
    readNavigation(visible, [...above, page]),
    readNeighbours(visible, page, above),
    page.type === 'document' ? readBody(visible, page, unsavedText) : undefined,
    readTranslations(services, visible, page),
    readVariantLinks(services, visible, page),
  ])
  const view: PageView = {
    site: withApiReference(siteView(visible, assets, variantLinks), body, assets),
    title: body?.title ?? page.title,
    ...(body?.titleAnchors && { titleAnchors: body.titleAnchors }),
    breadcrumbs: above.map((one) => breadcrumb(linker, one)),
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    navigation,
    outline: body?.outline ?? [],
    body:
      body === undefined || body.isEmpty
        ? (missingSource(visible, page) ?? (await readSubpages(visible, page)))
        : body.html,
    ...(neighbours.previous && { previous: entry(linker, neighbours.previous) }),
    ...(neighbours.next && { next: entry(linker, neighbours.next) }),
    ...(page.updatedAt !== undefined && { updatedAt: page.updatedAt }),
    canonical: linker.canonical(page),
    indexed: site.visibility === 'public' && [page, ...above].every(isIndexable),
    previewImage: socialImageUrl(visible, page),
    alternates: translations,
    ...(page.type === 'document' && documentView(visible, page, { body, translations })),
  }
  const html = renderPage({
    ...view,
    ...(view.indexed === true && { structured: structuredData(visible, view, above) }),
  })
  return { html, isFinal: body?.isFinal ?? true, connects: body?.connects ?? [] }
}

/** Adds the style sheet and script of API blocks to pages that have some. */
function withApiReference(site: SiteView, body: PageBody | undefined, assets: Assets): SiteView {
  if (body?.hasReference !== true) return site
  const [own, ...others] = site.stylesheets
  const stylesheets = [own!, assets.referenceStylesheet, ...others]
  const scripts = body.connects.length > 0 ? [assets.referenceScript] : []
  return { ...site, stylesheets, moreScripts: [...(site.moreScripts ?? []), ...scripts] }
}

/** Returns a notice for a page of a specification that does not exist. */
function missingSource(visible: VisibleContent, page: ReadablePage): Html | undefined {
  const source = page.type === 'computed' ? readReferenceSource(page.source) : undefined
  if (source === undefined || !('spec' in source)) return undefined
  const { specificationMissing } = wordsIn(contentLanguage(visible))
  return html`<p>${fill(specificationMissing, source.spec)}</p>`
}

async function readBody(
  visible: VisibleContent,
  page: DocumentPage,
  unsavedText: string | undefined,
): Promise<PageBody | undefined> {
  if (unsavedText !== undefined) return renderBody(visible, page, visibleText(visible, page, unsavedText))
  if (page.text === undefined) return undefined
  const [text] = await readVisibleTexts(visible, page, [page.text])
  return renderBody(visible, page, text!)
}

/** The social preview image: the site's own where it has one, else one generated from the page's title. */
function socialImageUrl({ site, linker }: VisibleContent, page: ReadablePage): string {
  const { url } = site.customization.socialPreview
  return url ?? linker.absolute(linker.picture(page))
}

interface DocumentParts {
  readonly body: PageBody | undefined
  readonly translations: NonNullable<PageView['alternates']>
}

function documentView(
  visible: VisibleContent,
  page: DocumentPage,
  { body, translations }: DocumentParts,
): Partial<PageView> {
  const { linker, site } = visible
  const { layout = {} } = page
  const words = wordsIn(contentLanguage(visible))
  const { pagination } = site.customization
  const cover = layout.cover === false ? undefined : coverView(page, body)
  const markdown = linker.markdown(page)
  const source = pageAppUrl({ addresses: visible.addresses, spaceId: visible.variant.spaceId }, page.path)
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
    ...beaconLinks(visible, page),
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

/** Previews of a space have no feedback and no analytics. */
function beaconLinks(
  { linker, site }: VisibleContent,
  page: DocumentPage,
): Pick<PageView, 'feedback' | 'counted'> {
  const { feedback, insights } = site.customization
  if (site.siteId === undefined) return {}
  return {
    ...(feedback.enabled && { feedback: linker.beacon('feedback', page) }),
    ...(insights.trackingCookie && { counted: linker.beacon('view', page) }),
  }
}

function coverView({ cover, layout }: DocumentPage, body: PageBody | undefined): CoverView | undefined {
  if (cover?.src === undefined || body === undefined) return undefined
  const light = body.source(cover.src)
  const dark = cover.srcDark === undefined ? undefined : body.source(cover.srcDark)
  if (light === undefined) return undefined
  return {
    light,
    ...(dark !== undefined && { dark }),
    size: layout?.coverSize ?? 'hero',
    position: (cover.yPos / coverHeight + 0.5) * 100,
  }
}

/** The height to which the vertical position of covers in front matter refers. */
const coverHeight = 480

/** True unless the page is marked noindex; callers also check the pages above. */
export function isIndexable(page: PageRecord): boolean {
  return page.type !== 'document' || (page.noIndex !== true && page.noRobotsIndex !== true)
}

function breadcrumb(linker: Linker, page: PageRecord) {
  return page.type === 'group' ? { title: page.title } : entry(linker, page)
}

function entry(linker: Linker, page: PageRecord) {
  return { title: titleInLists(page), href: linker.page(page) }
}

/** The subpages of a page without a body, as cards. */
async function readSubpages(visible: VisibleContent, page: ReadablePage): Promise<Html> {
  const { content, linker } = visible
  const { snapshot } = content.revision
  const below = await content.run(children(snapshot, page.id))
  const destinations = await content.run(readLinkDestinations(snapshot, below))
  const pages = below.filter((child) => isListed(visible, child, destinations.get(child.id)?.pages))
  if (pages.length === 0) return html`<p class="empty">${wordsIn(contentLanguage(visible)).emptyPage}</p>`
  return html`<ul class="cards" role="list">
    ${pages.map((page) => {
      const description = page.type === 'document' ? page.description : undefined
      const href = safeUrl(hrefOf(linker, page, destinations))
      return html`<li class="card linked"><div class="card-body"><div class="card-title"><a${attributes({ class: 'card-link', href })}>${renderEntryIcon(page)} ${page.title}</a></div>${description !== undefined && html`<div class="card-cell"><p>${description}</p></div>`}</div></li>\n`
    })}
  </ul>\n`
}
