/**
 * Cross-space backlinks: texts that link to a page by the URL of its space, in other spaces that the actor may read and
 * in its own. Texts and links are verified against the current heads.
 */
import type { SpaceId } from '../../core/ids.js'
import { pathKey } from '../../core/pages/keys.js'
import type { PageRecord } from '../../core/pages/types.js'
import { type ContentContext, getContent } from '../content/content.js'
import { readerOf } from '../organizations/scope.js'
import { findOrganizationOf } from '../organizations/store.js'
import { findVisibleSpaces, headOf } from '../spaces/store.js'
import type { LinkRequestContext } from './cross-space-links.js'
import { type LinkingText, checkDestinations, readItems } from './check-links.js'
import type { LinkingSpace } from './show.js'
import { findReferencingTexts } from './store.js'
import { findLinkingTexts } from './table.js'

/** A block that links to the page by the URL of its space. */
export interface LinkingBlock {
  readonly linkingText: LinkingText
  readonly nodes: readonly string[]
  /** The space that contains it, when that is another one. */
  readonly linkingSpace: LinkingSpace | undefined
}

/** Returns the blocks, ordered by space and text. */
export async function findLinkingBlocks(
  context: LinkRequestContext,
  content: ContentContext,
  page: PageRecord,
): Promise<readonly LinkingBlock[]> {
  const { db, services, actor } = context
  const { organizationId, spaceId } = content
  const names = [page.id, ...('path' in page ? [page.path] : [])].map(pathKey)
  const referencing = await findReferencingTexts(db, content, names)
  if (referencing.size === 0) return []
  const organization = (await findOrganizationOf(db, actor.userId, organizationId))!
  const ids = [...referencing.keys()].filter((id) => id !== spaceId)
  const visible = await findVisibleSpaces(db, readerOf(actor, organization), ids)
  const others = new Map(visible.map((space) => [space.id, space]))
  const blocks: LinkingBlock[] = []
  for (const id of [...referencing.keys()].toSorted()) {
    const space = others.get(id)
    if (space === undefined && id !== spaceId) continue
    const linkingContent =
      space && (await getContent({ db, services, organizationId, spaceId: space.id }, headOf(space)))
    const linkingSpace = space && { space, content: linkingContent! }
    const source = linkingContent ?? content
    const texts = await source.run(findLinkingTexts(source.revision.snapshot, referencing.get(id)!, []))
    const items = await readItems(source, services, texts)
    const paths = items.flat().flatMap(({ reading }) => pathTo(reading, spaceId))
    const meant = await findPathsToPage(context, content, page, paths)
    for (const [at, one] of texts.entries()) {
      for (const { reading, isInApp, nodes } of items[at]!) {
        if (isInApp || !pathTo(reading, spaceId).some((path) => meant.has(path))) continue
        for (const node of nodes.length === 0 ? [undefined] : nodes)
          blocks.push({ linkingText: one, nodes: node === undefined ? [] : [node], linkingSpace })
      }
    }
  }
  return blocks
}

function pathTo(
  reading: { readonly kind: string; readonly space?: string; readonly path?: string },
  spaceId: SpaceId,
): string[] {
  return reading.kind === 'space' && reading.space === spaceId ? [reading.path!] : []
}

/** Returns which of the paths resolve to the page. */
async function findPathsToPage(
  { services }: LinkRequestContext,
  content: ContentContext,
  page: PageRecord,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const unique = [...new Set(paths)]
  const checked = await checkDestinations(
    content,
    services,
    unique.map((path) => ({ file: '', kind: 'link', reading: { kind: 'page', page: path } })),
  )
  return new Set(
    unique.filter((_, at) => {
      const { target } = checked[at]!
      return target.kind === 'page' && target.page.id === page.id
    }),
  )
}
