/**
 * Publishing warnings: conditions on a site that is not adaptive, and an adaptive site without a visitor schema.
 *
 * Finding conditions reads pages, so a bounded number is scanned, of the newest revision and outside of any
 * transaction; an import, which reads every text anyway, reports all of them.
 */
import { findConditionalPages } from '../../core/pages/conditional-pages.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { Site } from '../../contract/sites.js'
import type { Services } from '../../access/route/scope.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import type { Db } from '../../store/db/database.js'
import { getContent } from '../content/content.js'
import type { SiteRow, SiteWithSpaces } from './store.js'
import { findVisitorSchema } from './visitor-schema-store.js'

type Warning = NonNullable<Site['warnings']>[number]

/** Pages that are scanned in all spaces of a site together, and per batch; and pages after which the scan of a space stops. */
const [maxScannedPages, pagesPerBatch, maxReportedPages] = [1_000, 50, 20]

/** Returns the warnings for publishing the site in its current state. */
export async function findWarnings(services: Services, site: SiteWithSpaces): Promise<Warning[]> {
  const { row, spaces } = site
  if (row.adaptive_content === 1) return findUnknownClaims(services.database.read, row)
  const warnings = conditionalPartWarnings(site)
  let remaining = maxScannedPages
  for (const { space } of spaces) {
    if (space.deleted_at !== null || remaining <= 0) continue
    const conditionalPages: DocumentPage[] = []
    let last: DocumentPage['id'] | undefined
    try {
      const source = {
        db: services.database.read,
        services,
        organizationId: row.organization_id,
        spaceId: space.id,
      }
      const { revision, run } = await getContent(source, space.revision_id)
      do {
        const batch = await run(findConditionalPages(revision.snapshot, last, pagesPerBatch))
        conditionalPages.push(...batch.conditioned)
        last = batch.last
        remaining -= pagesPerBatch
      } while (last !== undefined && remaining > 0 && conditionalPages.length < maxReportedPages)
    } catch (error) {
      // Readers of the damaged page get the error; publishing goes on.
      if (!(error instanceof ContentDamaged)) throw error
    }
    if (conditionalPages.length > 0)
      warnings.push(conditionalPageWarning(space.id, conditionalPages, last === undefined))
  }
  return warnings
}

/** Warns of an adaptive site without a visitor schema. */
export async function findUnknownClaims(db: Db, row: SiteRow): Promise<Warning[]> {
  if (row.adaptive_content === 0 || (await findVisitorSchema(db, row)) !== undefined) return []
  const message =
    'The site is adaptive and has no visitor schema: it knows what visitor tokens say, and nothing that visitors say of themselves.'
  return [{ message, pages: [] }]
}

/** Warns of sections and spaces with conditions, which the site ignores. */
export function conditionalPartWarnings({ spaces, sections }: SiteWithSpaces): Warning[] {
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

function conditionalPageWarning(
  spaceId: string,
  conditionalPages: readonly DocumentPage[],
  isComplete: boolean,
): Warning {
  const pages = conditionalPages.map(({ path }) => path).toSorted()
  const amount = `${isComplete ? '' : 'at least '}${conditionalPages.length} ${conditionalPages.length === 1 ? 'page' : 'pages'}`
  return {
    message: `The site is not adaptive, so it shows to everybody what stands under conditions, on ${amount} of the space ${spaceId}.`,
    space: spaceId,
    pages: pages.slice(0, maxReportedPages),
  }
}
