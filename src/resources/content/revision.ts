/** A whole revision as JSON: metadata, page tree, files, reusable contents, tags and variables in one response. */
import { createHash } from 'node:crypto'
import { listReusableContents, pageTree } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import { type CachedJson, type RouteResponse, cachedJson } from '../../access/route/responses.js'
import type { UrlViewer } from '../../contract/addresses.js'
import type { Page } from '../../contract/pages.js'
import type { Revision } from '../../contract/content.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { ContentContext } from './content.js'
import { type RevisionListContext, describeRevisions } from './revision-list.js'
import {
  presentFile,
  presentReusableContent,
  presentRevisionToReaders,
  presentTags,
  presentTree,
} from './present.js'
import { listVisibleFiles } from './file-visibility.js'
import { visibilityFilterOf, viewerCacheKey } from './visibility.js'
import { writePages } from './page-list.js'
import { readSetting, readVariables } from './settings.js'
import { collectPageTargets } from './page-targets.js'

const revisionKind = cacheKind<Uint8Array>('revision and pages', (json) => json.length)

async function readPages(content: ContentContext, { addresses }: Services): Promise<Page[]> {
  const all = await content.run(pageTree(content.revision.snapshot))
  const nodes = (await visibilityFilterOf(content))?.nodes(all) ?? all
  const targets = await collectPageTargets(content, nodes)
  return presentTree(nodes, { addresses, spaceId: content.spaceId, targets })
}

type RevisionReadContext = RevisionListContext & { readonly urlViewer: UrlViewer }

export async function readRevision(content: ContentContext, context: RevisionReadContext): Promise<Revision> {
  const metadata = await readMetadata(content, context)
  return { ...metadata, pages: await readPages(content, context.services) }
}

/**
 * Returns the same as JSON bytes, cached. Pages are most of it and shared with the list of pages; the metadata is read
 * on each request, because it names the author and contains download URLs signed for the reader.
 */
export async function writeRevision(
  content: ContentContext,
  context: RevisionReadContext,
): Promise<RouteResponse<CachedJson>> {
  const { services } = context
  const metadata = JSON.stringify(await readMetadata(content, context))
  const digest = createHash('sha256').update(metadata).digest('base64url')
  const key = `${content.revision.id}${viewerCacheKey(content)} ${digest}`
  return cachedJson(services, revisionKind, key, async () => {
    const pages = await writePages(content, services)
    return `${Buffer.from(pages.content.json).toString().slice(0, -1)},${metadata.slice(1)}`
  })
}

/** Returns a revision without its pages. */
async function readMetadata(
  content: ContentContext,
  source: RevisionReadContext,
): Promise<Omit<Revision, 'pages'>> {
  const { revision, spaceId } = content
  const { services, urlViewer } = source
  const { addresses } = services
  const files = await listVisibleFiles(content)
  const variables = await readVariables(content)
  const reusable = await content.run(listReusableContents(revision.snapshot))
  const context = { addresses, spaceId }
  const [description] = content.isForReaders
    ? [presentRevisionToReaders(content)]
    : await describeRevisions(content, [revision], source)
  return {
    ...description!,
    files: files.map((file) => presentFile(addresses, file, content, urlViewer)),
    reusableContents: reusable.map((one) => presentReusableContent(one, context)),
    tags: await readTags(content),
    ...(Object.keys(variables).length > 0 && { variables: { ...variables } }),
    urls: { app: addresses.app(`/s/${spaceId}/~/revisions/${revision.id}/`) },
  }
}

/** Returns the tags that the content declares, in order. */
async function readTags(content: ContentContext): Promise<Revision['tags']> {
  return presentTags((await readSetting(content, 'tags.yaml')) ?? '')
}
