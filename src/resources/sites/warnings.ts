/**
 * What whoever publishes a site may not have meant: conditions that it does not know, and claims that it does not.
 *
 * Conditions are found by reading pages, so as many are read as take a moment, from the newest head and outside of
 * any transaction; an import, which reads every text anyway, tells of all of them.
 */
import { findConditioned } from '../../core/pages/conditioned.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { Site } from '../../contract/sites.js'
import type { Services } from '../../access/route/scope.js'
import { ContentDamaged } from '../../store/content/damaged.js'
import type { Db } from '../../store/db/database.js'
import { getContent } from '../content/content.js'
import type { SiteRow, SiteWithSpaces } from './store.js'
import { findVisitorSchema } from './visitor-schema-store.js'

type Warning = NonNullable<Site['warnings']>[number]

/** Pages that are looked at, in all spaces of a site together, and at once; and pages after which nobody looks for more. */
const [mostPages, pagesAtOnce, mostNamed] = [1_000, 50, 20]

/** Returns what there is to say before the site is published, as it stands now. */
export async function findWarnings(services: Services, site: SiteWithSpaces): Promise<Warning[]> {
  const { row, spaces } = site
  if (row.adaptive_content === 1) return findUnknownClaims(services.database.read, row)
  const warnings = partsShown(site)
  let left = mostPages
  for (const { space } of spaces) {
    if (space.deleted_at !== null || left <= 0) continue
    const found: DocumentPage[] = []
    let last: DocumentPage['id'] | undefined
    try {
      const place = {
        db: services.database.read,
        services,
        organizationId: row.organization_id,
        spaceId: space.id,
      }
      const { revision, run } = await getContent(place, space.revision_id)
      do {
        const looked = await run(findConditioned(revision.snapshot, last, pagesAtOnce))
        found.push(...looked.conditioned)
        last = looked.last
        left -= pagesAtOnce
      } while (last !== undefined && left > 0 && found.length < mostNamed)
    } catch (error) {
      // Whoever reads the page is told; the site is published as before.
      if (!(error instanceof ContentDamaged)) throw error
    }
    if (found.length > 0) warnings.push(conditionsShown(space.id, found, last === undefined))
  }
  return warnings
}

/** Tells of an adaptive site that it was not said what it may know of its visitors. */
export async function findUnknownClaims(db: Db, row: SiteRow): Promise<Warning[]> {
  if (row.adaptive_content === 0 || (await findVisitorSchema(db, row)) !== undefined) return []
  const message =
    'The site is adaptive and has no visitor schema: it knows what visitor tokens say, and nothing that visitors say of themselves.'
  return [{ message, pages: [] }]
}

/** Tells of sections and spaces that conditions would keep from somebody. */
function partsShown({ spaces, sections }: SiteWithSpaces): Warning[] {
  const guarded = new Map(
    sections.map(({ id, title, condition }) => [id, condition === null ? undefined : title]),
  )
  return spaces.flatMap(({ link, space }) => {
    const section = link.section_id === null ? undefined : guarded.get(link.section_id)
    const what = section === undefined ? `the space ${space.id}` : `the section "${section}"`
    if (space.deleted_at !== null || (section === undefined && link.condition === null)) return []
    const message = `The site is not adaptive, so it shows ${what} to everybody, which stands under a condition.`
    return [{ message, space: space.id, pages: [] }]
  })
}

function conditionsShown(spaceId: string, found: readonly DocumentPage[], isWhole: boolean): Warning {
  const pages = found.map(({ path }) => path).toSorted()
  const amount = `${isWhole ? '' : 'at least '}${found.length} ${found.length === 1 ? 'page' : 'pages'}`
  return {
    message: `The site is not adaptive, so it shows to everybody what stands under conditions, on ${amount} of the space ${spaceId}.`,
    space: spaceId,
    pages: pages.slice(0, mostNamed),
  }
}
