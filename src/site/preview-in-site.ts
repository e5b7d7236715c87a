/**
 * Preview in a site: unpublished content of a space as one of the spaces of a site, with its look and structure. All
 * addresses are below that of the preview, so that links stay in it.
 */
import type { ClaimReader } from '../core/conditions/claim-reader.js'
import type { Services } from '../access/route/scope.js'
import type { Customization } from '../contract/customization.js'
import type { AddressedSite } from '../resources/sites/store.js'
import type { Db } from '../store/db/database.js'
import type { PreviewedSite } from './reader-access.js'
import { withComputedRevisions } from './routing/computed-revisions.js'
import { withFilesPath } from './routing/effective-customization.js'
import { findLinkTargets } from './routing/nav-link-targets.js'
import { type PublishedSite, publishedSite } from './routing/site.js'

/** Below the address of a preview, before the id of a site. */
export const sitesPath = '~/sites/'

/**
 * Returns the site around the content of a preview, with those of its spaces that the user may read; undefined where it
 * does not have the content. Content of a draft is previewed too. Without a reader of claims conditions are not evaluated.
 */
export async function previewInSite(
  { db, services }: { readonly db: Db; readonly services: Services },
  preview: PublishedSite,
  { site, claimReader }: { readonly site: PreviewedSite; readonly claimReader?: ClaimReader },
): Promise<PublishedSite | undefined> {
  const { spaceId, revisionId } = preview.variants[0]!
  const own = site.spaces.find(({ space }) => space.id === spaceId)
  if (own === undefined) return undefined
  const computed = await withComputedRevisions(
    { db, services },
    { ...site, spaces: site.spaces.filter(({ space }) => site.readable.has(space.id)) },
  )
  const rows: AddressedSite = {
    ...computed,
    row: { ...site.row, adaptive_content: claimReader === undefined ? 0 : 1 },
    spaces: computed.spaces.map(({ link, space }) =>
      space.id === spaceId
        ? { link: { ...link, draft: 0 }, space: { ...space, revision_id: revisionId } }
        : { link, space },
    ),
    sections: site.sections.map((one) => (one.id === own.link.section_id ? { ...one, draft: 0 } : one)),
  }
  const { addresses } = services
  const published = publishedSite(addresses, rows, {
    entryPoint: 'path',
    claimReader: claimReader ?? preview.claimReader,
  })
  const below = `${sitesPath}${site.row.id}/`
  const base = preview.base + below
  const withFiles = (settings: Customization) => withFilesPath(settings, published.files, preview.files)
  return {
    ...published,
    siteId: undefined,
    ...(preview.changeRequest !== undefined && { changeRequest: preview.changeRequest }),
    base,
    url: preview.url + below,
    visibility: preview.visibility,
    isFramable: true,
    hasOwnFiles: preview.hasOwnFiles,
    files: preview.files,
    customization: withFiles(published.customization),
    variantCustomizations: new Map(
      [...published.variantCustomizations].map(([id, settings]) => [id, withFiles(settings)]),
    ),
    linkTargets: await findLinkTargets({ db, services }, published, rows.spaces),
    scripts: [],
    specifications: preview.specifications,
    fingerprint: `${preview.fingerprint} ${published.fingerprint}`,
  }
}
