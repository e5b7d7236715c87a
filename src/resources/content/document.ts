/**
 * Documents: the texts of pages and reusable contents as trees of blocks, addressed by page, reusable content or id.
 *
 * A document id encodes its holder and the hash of its text and is signed for its space: so a text of any revision is
 * found without a list of all texts, and only in that space.
 */
import type { Hash, PageId } from '../../core/ids.js'
import { documentJson } from '../../core/document/json.js'
import type { DocumentJson } from '../../core/document/json-node.js'
import { parsePage } from '../../core/markdown/parse.js'
import { withoutOperationTitles } from '../../core/openapi/operation-titles.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findPage, listReusableContents } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { withPagesOfGroups } from '../../core/pages/group-targets.js'
import { resolveTargets } from '../../core/pages/targets.js'
import { type CachedJson, type RouteResponse, cachedJson } from '../../access/route/responses.js'
import type { Services } from '../../access/route/scope.js'
import type { Addresses } from '../../contract/addresses.js'
import type { DocumentOptions } from '../../contract/content.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import type { ContentContext } from './content.js'
import { visibilityFilterOf, viewerCacheKey } from './visibility.js'
import { contentRef } from './present.js'
import { formKey, documentInForm } from './document-form.js'

const documentKind = cacheKind<Uint8Array>('document', (json) => json.length)

/** A text and the file that its links are relative to; without one they stay unresolved. */
export interface DocumentSource {
  readonly text: Hash | undefined
  /** The page whose text it is; null for a text of no page. */
  readonly page: PageRecord | null
  readonly file: string | undefined
}

/** Returns the document of a text as JSON bytes, cached. */
export function writeDocument(
  content: ContentContext,
  source: DocumentSource,
  { spans: hasSpans = false, ...form }: DocumentOptions,
  services: Services,
): Promise<RouteResponse<CachedJson>> {
  const key =
    JSON.stringify([content.revision.id, source.page?.id, source.file, source.text, hasSpans]) +
    formKey(form) +
    viewerCacheKey(content)
  return cachedJson(services, documentKind, key, async () => {
    const [written = ''] = await content.run(loadTexts(source.text === undefined ? [] : [source.text]))
    const text = (await visibilityFilterOf(content))?.text(written, source.page) ?? written
    const make = (file: string | undefined, markdown: string) =>
      documentOf(content, { file, text: markdown }, services.addresses)
    const isGenerated = source.page !== null && isGeneratedPage(source.page)
    const placed = { file: source.file, text, isGenerated, hasSpans }
    const document = await documentOf(content, placed, services.addresses)
    return JSON.stringify(await documentInForm(content, { document, page: source.page }, form, make))
  })
}

/** A text, and the file that its links are relative to. */
interface PlacedText {
  readonly file: string | undefined
  readonly text: string
  /** True for the text of a page that is generated from a specification. */
  readonly isGenerated?: boolean
  /** Whether its blocks have their spans. */
  readonly hasSpans?: boolean
}

export function isGeneratedPage(page: PageRecord): boolean {
  return page.type === 'document' && page.generated !== undefined
}

/** Parses a text of a file of the content and resolves its links. */
export async function documentOf(
  content: ContentContext,
  { file, text, isGenerated = false, hasSpans = false }: PlacedText,
  { base }: Addresses,
): Promise<DocumentJson> {
  const { run } = content
  const { snapshot } = content.revision
  const parsed = parsePage(text)
  const { references } = parsed
  const document = isGenerated ? withoutOperationTitles(parsed.document) : parsed.document
  const urls = file === undefined ? [] : references.map(({ url }) => url)
  const filter = await visibilityFilterOf(content)
  const found = await run(resolveTargets(snapshot, file ?? '', urls, [base]))
  const destinations = await run(withPagesOfGroups(snapshot, found, filter?.isVisible))
  return documentJson(document, {
    resolve: (url) => contentRef(destinations.get(url), url),
    spans: hasSpans,
  })
}

/** Returns the text that a document id names; undefined for ids of other spaces and forged ones. */
export async function findDocument(
  content: ContentContext,
  id: string,
  { addresses }: Services,
): Promise<DocumentSource | undefined> {
  const named = addresses.readDocumentId(content.spaceId, id)
  if (named === undefined) return undefined
  const { snapshot } = content.revision
  const page = await content.run(findPage(snapshot, named.holder as PageId))
  const reusable = page ? [] : await content.run(listReusableContents(snapshot))
  const holder = page?.type === 'document' ? page : reusable.find((one) => one.id === named.holder)
  if (content.isForReaders) {
    // Readers of a site may read current texts only.
    if (holder?.text !== named.text) return undefined
    const filter = await visibilityFilterOf(content)
    if (page !== undefined && filter !== undefined && !(await filter.isVisibleInTree(content, page)))
      return undefined
  }
  // Pages computed from a specification are not stored: those of another version no longer exist.
  const mayBeExpanded = holder === undefined || (page !== undefined && isGeneratedPage(page))
  if (mayBeExpanded && !(await textExists(content, named.text as Hash))) return undefined
  const file = holder === undefined ? undefined : 'file' in holder ? holder.file : holder.path
  return { text: named.text as Hash, page: page ?? null, file }
}

async function textExists(content: ContentContext, text: Hash): Promise<boolean> {
  try {
    await content.run(loadTexts([text]))
    return true
  } catch (error) {
    if (error instanceof ContentDamaged) return false
    throw error
  }
}
