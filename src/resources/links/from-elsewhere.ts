/**
 * Where a page is linked by the address of its space: from other spaces that who asks may read, and from its own. The
 * texts are those of the heads at this moment, and so is what they name.
 */
import type { SpaceId } from '../../core/ids.js'
import { pathKey } from '../../core/pages/keys.js'
import type { PageRecord } from '../../core/pages/types.js'
import { type ContentHere, getContent } from '../content/content.js'
import { readerOf } from '../organizations/scope.js'
import { findOrganizationOf } from '../organizations/store.js'
import { findVisibleSpaces, headOf } from '../spaces/store.js'
import type { Asking } from './elsewhere.js'
import { type Linking, judgeDestinations, readItems } from './judge.js'
import type { StandingElsewhere } from './show.js'
import { findNaming } from './store.js'
import { findLinking } from './table.js'

/** A block that links the page by the address of its space. */
export interface NamingBlock {
  readonly linking: Linking
  readonly nodes: readonly string[]
  /** Where it stands, when that is another space. */
  readonly elsewhere: StandingElsewhere | undefined
}

/** Returns the blocks, by space and text. */
export async function findNamingBlocks(
  asking: Asking,
  content: ContentHere,
  page: PageRecord,
): Promise<readonly NamingBlock[]> {
  const { db, services, actor } = asking
  const { organizationId, spaceId } = content
  const names = [page.id, ...('path' in page ? [page.path] : [])].map(pathKey)
  const naming = await findNaming(db, content, names)
  if (naming.size === 0) return []
  const organization = (await findOrganizationOf(db, actor.userId, organizationId))!
  const ids = [...naming.keys()].filter((id) => id !== spaceId)
  const visible = await findVisibleSpaces(db, readerOf(actor, organization), ids)
  const others = new Map(visible.map((space) => [space.id, space]))
  const blocks: NamingBlock[] = []
  for (const id of [...naming.keys()].toSorted()) {
    const space = others.get(id)
    if (space === undefined && id !== spaceId) continue
    const there =
      space && (await getContent({ db, services, organizationId, spaceId: space.id }, headOf(space)))
    const elsewhere = space && { space, content: there! }
    const source = there ?? content
    const linking = await source.run(findLinking(source.revision.snapshot, naming.get(id)!, []))
    const items = await readItems(source, services, linking)
    const paths = items.flat().flatMap(({ reading }) => pathTo(reading, spaceId))
    const meant = await findMeant(asking, content, page, paths)
    for (const [at, one] of linking.entries()) {
      for (const { reading, isInApp, nodes } of items[at]!) {
        if (isInApp || !pathTo(reading, spaceId).some((path) => meant.has(path))) continue
        for (const node of nodes.length === 0 ? [undefined] : nodes)
          blocks.push({ linking: one, nodes: node === undefined ? [] : [node], elsewhere })
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

/** Returns which of the paths mean the page. */
async function findMeant(
  { services }: Asking,
  content: ContentHere,
  page: PageRecord,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const unique = [...new Set(paths)]
  const judged = await judgeDestinations(
    content,
    services,
    unique.map((path) => ({ file: '', kind: 'link', reading: { kind: 'page', page: path } })),
  )
  return new Set(
    unique.filter((_, at) => {
      const { target } = judged[at]!
      return target.kind === 'page' && target.page.id === page.id
    }),
  )
}
