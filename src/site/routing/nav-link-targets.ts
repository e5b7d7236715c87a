/**
 * Link targets of a site's header, footer and announcement: pages and files of its spaces. Their paths depend on the
 * current revisions, so they are resolved whenever the site is.
 */
import type { PageId } from '../../core/ids.js'
import { findFile, findPages, firstPage } from '../../core/pages/read.js'
import type { Customization, Reference } from '../../contract/customization.js'
import type { Services } from '../../access/route/scope.js'
import { getContent } from '../../resources/content/content.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import type { Db } from '../../store/db/database.js'
import { encodeText } from '../blocks/safe-url.js'
import { belowBase, encodePath } from './linker.js'
import type { LinkTargets } from './effective-customization.js'
import type { PublishedSite } from './site.js'

/** Every link of the settings. */
function referencesOf({ header, footer, announcement }: Customization): Reference[] {
  const all = [
    header.primaryLink,
    ...header.links.flatMap(({ to, links }) => [to, ...links.map((link) => link.to)]),
    ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
    announcement?.link?.to,
  ]
  return all.filter((one) => one !== undefined && one !== null)
}

function keyOf({ kind, space, page, file }: Reference): string | undefined {
  if (kind === 'file') return `file ${space} ${file}`
  return kind === 'page' || kind === 'anchor' ? `page ${space} ${page}` : undefined
}

/**
 * Returns the paths of all pages and files that a site's settings link to; broken links have none. All spaces are
 * searched: whether a reader may see the space is checked where the link is rendered.
 */
export async function findLinkTargets(
  { db, services }: { readonly db: Db; readonly services: Services },
  { organizationId, customization, variantCustomizations }: PublishedSite,
  spaces: AddressedSite['spaces'],
): Promise<LinkTargets> {
  const paths = new Map<string, string>()
  const references = new Map<string, Reference>()
  for (const one of [customization, ...variantCustomizations.values()].flatMap(referencesOf)) {
    const key = keyOf(one)
    if (key !== undefined) references.set(key, one)
  }
  for (const [key, { space, page, file }] of references) {
    const linked = spaces.find((one) => one.space.id === space && one.space.deleted_at === null)?.space
    if (linked === undefined) continue
    const { id: spaceId, revision_id: revisionId } = linked
    const { revision, run } = await getContent({ db, services, organizationId, spaceId }, revisionId)
    if (file !== undefined) {
      const found = await run(findFile(revision.snapshot, file as never))
      if (found) {
        const { pathname, search } = new URL(
          services.addresses.file(spaceId, found.id, found.hash, found.name),
        )
        paths.set(key, pathname.split('/~octavo/files/')[1]! + search)
      }
      continue
    }
    const [found] = await run(findPages(revision.snapshot, [page as PageId]))
    if (found === undefined || found.type === 'link') continue
    const first = await run(firstPage(revision.snapshot))
    paths.set(key, first?.id === found.id ? '' : encodePath(found.path))
  }
  return paths
}

/** Returns the address of a link; undefined for targets that the reader cannot see on this site. */
export function hrefOfReference(
  { base, files, variants, linkTargets }: Pick<PublishedSite, 'base' | 'files' | 'variants' | 'linkTargets'>,
  reference: Reference,
): string | undefined {
  const { kind, url, space, anchor } = reference
  if (kind === 'url') return url
  const variant = variants.find(({ spaceId }) => spaceId === space)
  if (variant === undefined) return undefined
  if (kind === 'space') return base + belowBase(variant)
  const path = linkTargets.get(keyOf(reference) ?? '')
  if (path === undefined) return undefined
  if (kind === 'file') return files + path
  return base + belowBase(variant) + path + (kind === 'anchor' ? `#${encodeText(anchor!)}` : '')
}
