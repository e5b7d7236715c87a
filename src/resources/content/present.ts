/** Pages, files and revisions on the wire. Pure: what they need of other things is loaded beforehand. */
import type { Addresses, Asker, DownloadPlace } from '../../contract/addresses.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { ReusableContent as ReusableContentJson } from '../../contract/content.js'
import type { File, Page } from '../../contract/pages.js'
import type { ListedRevision } from '../../contract/revisions.js'
import type { PageNode, ReusableContent } from '../../core/pages/read.js'
import type { Target } from '../../core/pages/targets.js'
import type { PageLayout } from '../../core/document/metadata.js'
import { readMapping } from '../../core/markdown/yaml-text.js'
import type { FileRecord, GeneratedFrom, PageRecord } from '../../core/pages/types.js'
import type { ChangeRequestId, Hash, UserId } from '../../core/ids.js'
import type { Revision } from '../../store/content/revisions.js'
import { presentUser } from '../users/present.js'
import type { UserRow } from '../users/store.js'
import { readComputedId } from './computed.js'
import type { ContentHere } from './content.js'

export interface PageContext {
  readonly addresses: Addresses
  readonly spaceId: string
  /** Where the destinations lead that page records hold: covers. */
  readonly targets: ReadonlyMap<string, Target>
}

/** Key of a destination in `PageContext.targets`: it is read from the file that it stands in. */
export function targetKey(file: string, url: string): string {
  return `${file}\n${url}`
}

export function presentTree(nodes: readonly PageNode[], context: PageContext): Page[] {
  return nodes.map(({ page, children }) => presentPage(page, children, context))
}

/** A page with its subpages; its text is added by whoever has it. */
export function presentPage(page: PageRecord, children: readonly PageNode[], context: PageContext): Page {
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
      return { ...common, type: 'link', kind: 'link', target: { kind: 'url', url: page.url }, href: page.url }
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
        ...(page.cover !== undefined && { cover: presentCover(page.cover, page.file, context) }),
        urls: { app: pageAppUrl(context, page.path) },
        pages: presentTree(children, context),
      }
  }
}

/** What a computed page is made of, and how it was written. */
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

/** Where a document is shown, as far as its id follows from it. */
export type DocumentPlace = Pick<PageContext, 'addresses' | 'spaceId'>

export function documentId({ addresses, spaceId }: DocumentPlace, holder: string, text: Hash): string {
  return addresses.documentId(spaceId, holder, text)
}

export function presentReusableContent(
  { id, title, text }: Omit<ReusableContent, 'path'>,
  place: DocumentPlace,
): ReusableContentJson {
  return { id, title, document: documentId(place, id, text) }
}

export function pageAppUrl(
  { addresses, spaceId }: Pick<PageContext, 'addresses' | 'spaceId'>,
  path: string,
): string {
  return addresses.app(`/s/${spaceId}/${path.split('/').map(encodeURIComponent).join('/')}`)
}

function presentLayout(layout: PageLayout = {}): NonNullable<Page['layout']> {
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
  cover: { readonly src?: string; readonly srcDark?: string; readonly yPos: number },
  file: string,
  { targets }: PageContext,
): NonNullable<Page['cover']> {
  const refOf = (url: string | undefined) => url && contentRef(targets.get(targetKey(file, url)), url)
  const [ref, refDark] = [refOf(cover.src), refOf(cover.srcDark)]
  return { ...(ref && { ref }), ...(refDark && { refDark }), yPos: cover.yPos }
}

/** What a link points to: a `kind`, and the ids that the kind needs. */
export type ContentRefJson = { readonly kind: string; readonly [member: string]: string }

/** A destination as the API names it; what leads nowhere stays the address that was written. */
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

/** Where a file is seen: it decides at which address it can be downloaded. */
export type FilePlace = Pick<ContentHere, 'spaceId' | 'changeRequestId' | 'isFixed'> & {
  readonly revision: Pick<ContentHere['revision'], 'id'>
}

/** `asker` is the one to whom the file is shown: the address that it gets is theirs. */
export function presentFile(addresses: Addresses, file: FileRecord, place: FilePlace, asker: Asker): File {
  return {
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    downloadURL: addresses.download(place.spaceId, file, downloadPlace(place), asker),
    size: file.size,
    ...(file.width !== undefined && file.height !== undefined
      ? { dimensions: { width: file.width, height: file.height } }
      : {}),
  }
}

function downloadPlace({ changeRequestId, isFixed, revision }: FilePlace): DownloadPlace {
  // Files are those that were stored, whatever was made of specifications beside them.
  if (isFixed) return { revision: readComputedId(revision.id)?.source ?? revision.id }
  return changeRequestId === null ? {} : { changeRequest: changeRequestId }
}

/** What is said of a revision besides its content. */
export function presentOnLine(
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
): Omit<ListedRevision, 'urls'> {
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

/** The same for readers of a site: nothing but what it is. */
export function presentToReaders({ id, number, createdAt, parents }: Revision): Omit<ListedRevision, 'urls'> {
  return {
    object: 'revision',
    id,
    number,
    type: 'computed',
    sourceRevision: readComputedId(id) === undefined ? id : parents[0]!,
    parents: [],
    createdAt: new Date(createdAt).toISOString(),
  }
}

export function presentListed(
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
