/**
 * Where the links lead that stand around the content of a site: into spaces that it shows. The paths of pages follow
 * from what these hold now, so they are found whenever the site is.
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
import type { LookPlaces } from './look.js'
import type { ShownSite } from './site.js'

/** Every link of the settings, wherever it stands. */
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
 * Returns the places of all pages and files that a site links to from around its content; what is not there has none.
 * They are found in all of its spaces: which of them a reader is shown is asked where the links are made.
 */
export async function findLookPlaces(
  { db, services }: { readonly db: Db; readonly services: Services },
  { organizationId, customization, looks }: ShownSite,
  spaces: AddressedSite['spaces'],
): Promise<LookPlaces> {
  const places = new Map<string, string>()
  const wanted = new Map<string, Reference>()
  for (const one of [customization, ...looks.values()].flatMap(referencesOf)) {
    const key = keyOf(one)
    if (key !== undefined) wanted.set(key, one)
  }
  for (const [key, { space, page, file }] of wanted) {
    const shown = spaces.find((one) => one.space.id === space && one.space.deleted_at === null)?.space
    if (shown === undefined) continue
    const { id: spaceId, revision_id: revisionId } = shown
    const { revision, run } = await getContent({ db, services, organizationId, spaceId }, revisionId)
    if (file !== undefined) {
      const found = await run(findFile(revision.snapshot, file as never))
      if (found) {
        const { pathname, search } = new URL(
          services.addresses.file(spaceId, found.id, found.hash, found.name),
        )
        places.set(key, pathname.split('/~octavo/files/')[1]! + search)
      }
      continue
    }
    const [found] = await run(findPages(revision.snapshot, [page as PageId]))
    if (found === undefined || found.type === 'link') continue
    const first = await run(firstPage(revision.snapshot))
    places.set(key, first?.id === found.id ? '' : encodePath(found.path))
  }
  return places
}

/** Returns where a link leads: undefined for what the reader is not shown on this site. */
export function hrefOfReference(
  { base, files, variants, places }: Pick<ShownSite, 'base' | 'files' | 'variants' | 'places'>,
  reference: Reference,
): string | undefined {
  const { kind, url, space, anchor } = reference
  if (kind === 'url') return url
  const variant = variants.find(({ spaceId }) => spaceId === space)
  if (variant === undefined) return undefined
  if (kind === 'space') return base + belowBase(variant)
  const place = places.get(keyOf(reference) ?? '')
  if (place === undefined) return undefined
  if (kind === 'file') return files + place
  return base + belowBase(variant) + place + (kind === 'anchor' ? `#${encodeText(anchor!)}` : '')
}
