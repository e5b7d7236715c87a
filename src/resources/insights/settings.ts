/** How a site counts what its readers do. */
import type { InsightsSettings } from '../../contract/site-events.js'
import type { Tx } from '../../store/db/database.js'
import { updateSite } from '../sites/store.js'
import type { SiteKey } from '../sites/structure-store.js'

interface Kept {
  /** How many days events are kept. */
  readonly days: number
  /** By which claims of visitors they are counted. */
  readonly claims: readonly string[]
}

/** Days that are kept unless a site says otherwise. */
const usual: Kept = { days: 400, claims: [] }

/** Returns what a site says, or what is usual. */
export function insightsOf({ insights }: { readonly insights: string | null }): Kept {
  return insights === null ? usual : { ...usual, ...(JSON.parse(insights) as Partial<Kept>) }
}

export function presentSettings(row: { readonly insights: string | null }): InsightsSettings {
  const { days, claims } = insightsOf(row)
  return { object: 'site-insights-settings', days, claims: [...claims] }
}

/** Changes what a site says, and returns its row. */
export async function putSettings(
  tx: Tx,
  row: SiteKey & { readonly insights: string | null },
  { days, claims }: { readonly days?: number | undefined; readonly claims?: readonly string[] | undefined },
  now: number,
) {
  const known = insightsOf(row)
  const kept: Kept = {
    days: days ?? known.days,
    claims: claims === undefined ? known.claims : [...new Set(claims)].toSorted(),
  }
  return updateSite(tx, row, { insights: JSON.stringify(kept), updated_at: now })
}
