/**
 * One page with its text as JSON. The response depends on revision and viewer alone, so it is cached under
 * their ids.
 */
import { loadTexts } from '../../core/merkle/steps.js'
import { subtree } from '../../core/pages/subtree.js'
import type { PageRecord } from '../../core/pages/types.js'
import { type CachedJson, type RouteResponse, cachedJson } from '../../access/route/responses.js'
import type { Services } from '../../access/route/scope.js'
import type { Page } from '../../contract/pages.js'
import type { DocumentForm, Format } from '../../contract/content.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { ContentContext } from './content.js'
import { collectPageTargets } from './page-targets.js'
import { documentOf, isGeneratedPage } from './document.js'
import { visibilityFilterOf, viewerCacheKey } from './visibility.js'
import { presentPage } from './present.js'
import { formKey, documentInForm } from './document-form.js'

const pageKind = cacheKind<Uint8Array>('page', (json) => json.length)

/** Returns the page as JSON bytes, cached: encoded once, sent many times. */
export function writePage(
  content: ContentContext,
  page: PageRecord,
  wanted: PageFormat,
  services: Services,
): Promise<RouteResponse<CachedJson>> {
  const { format = '' } = wanted
  const key = `${content.revision.id}${page.id}${format}${formKey(wanted)}${viewerCacheKey(content)}`
  return cachedJson(services, pageKind, key, async () =>
    JSON.stringify(await readPage(content, page, wanted, services)),
  )
}

interface PageFormat extends DocumentForm {
  readonly format?: Format
}

/** Returns the page with its subpages and, depending on the format, its Markdown, its document, or both. */
async function readPage(
  content: ContentContext,
  page: PageRecord,
  { format, ...form }: PageFormat,
  { addresses }: Services,
): Promise<Page> {
  const { snapshot } = content.revision
  const hash = page.type === 'document' ? page.text : undefined
  // Concurrently: on a remote database both share the first round trip.
  const [below, [written = '']] = await Promise.all([
    page.type === 'link' ? [] : content.run(subtree(snapshot, page.id)),
    content.run(loadTexts(hash === undefined ? [] : [hash])),
  ])
  const filter = await visibilityFilterOf(content)
  const children = filter?.nodes(below) ?? below
  const text = filter?.text(written, page) ?? written
  const targets = await collectPageTargets(content, [{ page, children }])
  const presented = presentPage(page, children, { addresses, spaceId: content.spaceId, targets })
  if (page.type !== 'document') return presented

  if (format !== 'document') presented.markdown = text
  if (format !== 'markdown') {
    const make = (file: string, markdown: string) => documentOf(content, { file, text: markdown }, addresses)
    const isGenerated = isGeneratedPage(page)
    const document = await documentOf(content, { file: page.file, text, isGenerated }, addresses)
    presented.document = await documentInForm(content, { document, page }, form, make)
  }
  return presented
}
