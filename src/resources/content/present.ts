/** Presents pages, files and revisions as the API returns them. Pure: related data is loaded beforehand. */
import type { Addresses, UrlViewer, DownloadSource } from '../../contract/addresses.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { ReusableContent as ReusableContentJson } from '../../contract/content.js'
import { type File, type Page, type Tag, tagColors } from '../../contract/pages.js'
import type { ListedRevision } from '../../contract/revisions.js'
import type { PageNode, ReusableContentEntry } from '../../core/pages/read.js'
import type { Target } from '../../core/pages/targets.js'
import type { PageCover, PageLayout } from '../../core/document/metadata.js'
import { parseSpaceTags } from '../../core/markdown/space-tags.js'
import { readMapping } from '../../core/markdown/yaml-text.js'
import type { FileRecord, GeneratedFrom, LinkPage, PageRecord } from '../../core/pages/types.js'
import type { ChangeRequestId, Hash, UserId } from '../../core/ids.js'
import type { Revision } from '../../store/content/revisions.js'
import { presentUser } from '../users/present.js'
import type { UserRow } from '../users/store.js'
import type { ContentContext } from './content.js'

export interface PagePresentContext {
  readonly addresses: Addresses
  readonly spaceId: string
  /** Resolved destinations of covers, and of link pages. */
  readonly targets: ReadonlyMap<string, Target>
}

/** Key of a destination of a page in `PagePresentContext.targets`. */
export function targetKey(page: string, url: string): string {
  return `${page} ${url}`
}

export function presentTree(nodes: readonly PageNode[], context: PagePresentContext): Page[] {
  return nodes.map(({ page, children }) => presentPage(page, children, context))
}

/** Returns a page with its subpages; the caller adds the text. */
export function presentPage(
  page: PageRecord,
  children: readonly PageNode[],
  context: PagePresentContext,
): Page {
  const common = {
    id: page.id,
    title: page.title,
    ...(page.emoji !== undefined && { emoji: page.emoji }),
    ...(page.icon !== undefined && { icon: page.icon }),
    ...(page.createdAt !== undefined && { createdAt: new Date(page.createdAt).toISOString() }),
    ...(page.updatedAt !== undefined && { updatedAt: new Date(page.updatedAt).toISOString() }),
    hidden: page.hidden ?? false,
  }
  switch (page.type) {
    case 'link':
      return { ...common, type: 'link', kind: 'link', ...presentLink(page, context) }
    case 'group':
      return {
        ...common,
        type: 'group',
        kind: 'group',
        slug: page.slug,
        path: page.path,
        pages: presentTree(children, context),
      }
    case 'computed':
      return {
        ...common,
        type: 'computed',
        slug: page.slug,
        path: page.path,
        computed: presentSource(page.source),
        computedSeed: page.id,
        pages: presentTree(children, context),
      }
    case 'document':
      return {
        ...common,
        type: 'document',
        kind: 'sheet',
        slug: page.slug,
        path: page.path,
        file: page.file,
        ...(page.description !== undefined && { description: page.description }),
        ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }),
        tags: (page.tags ?? []).map((tag) => ({ tag: { kind: 'tag', tag } })),
        ...(page.condition !== undefined && { condition: page.condition }),
        ...(page.variables !== undefined && { variables: page.variables }),
        ...(page.text !== undefined && { documentId: documentId(context, page.id, page.text) }),
        ...(page.generated !== undefined && presentGenerated(page.generated)),
        noIndex: page.noIndex ?? false,
        noRobotsIndex: page.noRobotsIndex ?? false,
        layout: presentLayout(page.layout),
        ...(page.cover !== undefined && { cover: presentCover(page.cover, page.id, context) }),
        urls: { app: pageAppUrl(context, page.path) },
        pages: presentTree(children, context),
      }
  }
}

function presentLink(
  { id, url }: LinkPage,
  context: PagePresentContext,
): Required<Pick<Page, 'target' | 'href'>> {
  const target = context.targets.get(targetKey(id, url))
  const isPage = target?.kind === 'page' && target.page.type !== 'link'
  const fragment = isPage && target.fragment !== undefined ? `#${encodeURIComponent(target.fragment)}` : ''
  return {
    target: contentRef(target, url),
    href: isPage ? pageAppUrl(context, target.page.path) + fragment : url,
  }
}

/** Returns the parsed source of a computed page, and the source as written. */
function presentSource(source: string): object {
  const { value } = readMapping(source)
  const { type, props = {}, dependencies = {} } = value
  return { ...(typeof type === 'string' && { type, props, dependencies }), source }
}

function presentGenerated(generated: GeneratedFrom): Pick<Page, 'computed' | 'computedSeed'> {
  const { seed, version, doc, page } = generated
  const ref =
    'spec' in generated ? { kind: 'openapi', spec: generated.spec } : { kind: 'file', file: generated.file }
  return {
    computed: {
      type: 'builtin:openapi',
      props: { doc, ...(page !== undefined && { page }) },
      dependencies: { spec: { ref, value: { lastVersion: version } } },
    },
    computedSeed: seed,
  }
}

/** The parts of a document's location that its id depends on. */
export type DocumentLocation = Pick<PagePresentContext, 'addresses' | 'spaceId'>

export function documentId({ addresses, spaceId }: DocumentLocation, holder: string, text: Hash): string {
  return addresses.documentId(spaceId, holder, text)
}

export function presentReusableContent(
  { id, title, path, text }: Omit<ReusableContentEntry, 'path'> & { readonly path?: string },
  location: DocumentLocation,
): ReusableContentJson {
  return { id, title, ...(path !== undefined && { path }), document: documentId(location, id, text) }
}

/** Returns the tags that a text of the settings declares, in order. */
export function presentTags(text: string): Tag[] {
  return parseSpaceTags(text).tags.map(({ tag, label, icon, color }) => ({
    slug: tag,
    label,
    color: tagColors.find((known) => known === color) ?? 'default',
    ...(icon !== undefined && { icon }),
  }))
}

export function pageAppUrl(
  { addresses, spaceId }: Pick<PagePresentContext, 'addresses' | 'spaceId'>,
  path: string,
): string {
  return addresses.app(`/s/${spaceId}/${path.split('/').map(encodeURIComponent).join('/')}`)
}

export function presentLayout(layout: PageLayout = {}): NonNullable<Page['layout']> {
  return {
    width: layout.width ?? 'default',
    cover: layout.cover ?? true,
    coverSize: layout.coverSize ?? 'hero',
    coverMask: layout.coverMask ?? 'none',
    title: layout.title ?? true,
    description: layout.description ?? true,
    tableOfContents: layout.tableOfContents ?? true,
    outline: layout.outline ?? true,
    pagination: layout.pagination ?? true,
    metadata: layout.metadata ?? true,
    tags: layout.tags ?? true,
    actions: layout.actions ?? true,
    anchors: layout.anchors ?? true,
  }
}

function presentCover(
  cover: PageCover,
  page: string,
  { targets }: PagePresentContext,
): NonNullable<Page['cover']> {
  const refOf = (url: string | undefined) => url && contentRef(targets.get(targetKey(page, url)), url)
  const [ref, refDark] = [refOf(cover.src), refOf(cover.srcDark)]
  const { yPos, height } = cover
  return { ...(ref && { ref }), ...(refDark && { refDark }), yPos, ...(height !== undefined && { height }) }
}

/** A content reference of the API: a `kind`, and the ids that the kind needs. */
export type ContentRefJson = { readonly kind: string; readonly [member: string]: string }

/** Returns the reference to a destination; a broken link stays the URL that was written. */
export function contentRef(target: Target | undefined, url: string): ContentRefJson {
  switch (target?.kind) {
    case 'page':
      return target.fragment === undefined
        ? { kind: 'page', page: target.page.id }
        : { kind: 'anchor', anchor: target.fragment, page: target.page.id }
    case 'file':
      return { kind: 'file', file: target.file.id }
    case 'anchor':
      return { kind: 'anchor', anchor: target.fragment }
    case 'text':
      return { kind: 'reusable-content', reusableContent: target.entry.id ?? target.path }
    case 'space':
      return { kind: 'space', space: target.space }
    default:
      return { kind: 'url', url }
  }
}

/** Where a file is read, which decides its download URL. */
export type FileLocation = Pick<ContentContext, 'spaceId' | 'changeRequestId' | 'isPinned'> & {
  readonly writtenRevision: Pick<Revision, 'id'>
}

/** Returns a file with a download URL signed for `urlViewer`. */
export function presentFile(
  addresses: Addresses,
  file: FileRecord,
  location: FileLocation,
  urlViewer: UrlViewer,
): File {
  return {
    id: file.id,
    name: file.name,
    path: file.path,
    contentType: file.contentType,
    downloadURL: addresses.download(location.spaceId, file, downloadLocation(location), urlViewer),
    size: file.size,
    ...(file.width !== undefined && file.height !== undefined
      ? { dimensions: { width: file.width, height: file.height } }
      : {}),
  }
}

function downloadLocation({ changeRequestId, isPinned, writtenRevision }: FileLocation): DownloadSource {
  if (isPinned) return { revision: writtenRevision.id }
  return changeRequestId === null ? {} : { changeRequest: changeRequestId }
}

/** Returns the metadata of a revision. */
export function presentRevision(
  revision: Revision,
  {
    addresses,
    users,
    merged,
  }: {
    readonly addresses: Addresses
    readonly users: ReadonlyMap<UserId, UserRow>
    readonly merged: ReadonlyMap<ChangeRequestId, ChangeRequest>
  },
): Omit<ListedRevision, 'urls' | 'authors'> {
  const user = users.get(revision.createdBy)
  const mergedFrom = revision.mergedFrom === null ? undefined : merged.get(revision.mergedFrom)
  return {
    object: 'revision',
    id: revision.id,
    number: revision.number,
    type: revision.type,
    ...(revision.message !== null && { message: revision.message }),
    parents: [...revision.parents],
    ...(revision.type === 'computed' && { sourceRevision: revision.parents[0]! }),
    ...(revision.changeRequestId !== null && { changeRequest: revision.changeRequestId }),
    ...(user !== undefined && { createdBy: presentUser(addresses, user) }),
    createdAt: new Date(revision.createdAt).toISOString(),
    ...(mergedFrom !== undefined && { mergedFrom }),
  }
}

/** Returns the metadata of a revision without history and authors, for readers of a site. */
export function presentRevisionToReaders({
  revision: { id, number, createdAt },
  writtenRevision,
}: ContentContext): Omit<ListedRevision, 'urls' | 'authors'> {
  return {
    object: 'revision',
    id,
    number,
    type: 'computed',
    sourceRevision: writtenRevision.id,
    parents: [],
    createdAt: new Date(createdAt).toISOString(),
  }
}

export function presentListedRevision(
  revision: Omit<ListedRevision, 'urls'>,
  spaceId: string,
  addresses: Addresses,
): ListedRevision {
  return {
    ...revision,
    urls: {
      app: addresses.app(`/s/${spaceId}/~/revisions/${revision.id}/`),
      location: addresses.api(`/spaces/${spaceId}/revisions/${revision.id}`),
    },
  }
}
