/** Insights settings of a site: retention, and claims to count by. */
import type { InsightsSettings } from '../../contract/site-events.js'
import type { Tx } from '../../store/db/database.js'
import { updateSite } from '../sites/store.js'
import type { SiteKey } from '../sites/structure-store.js'

interface StoredInsights {
  /** Retention of events in days. */
  readonly days: number
  /** The visitor claims to count by. */
  readonly claims: readonly string[]
}

/** The settings of sites that did not change them. */
const defaultInsights: StoredInsights = { days: 400, claims: [] }

/** Returns the settings of a site, with defaults. */
export function insightsOf({ insights }: { readonly insights: string | null }): StoredInsights {
  return insights === null
    ? defaultInsights
    : { ...defaultInsights, ...(JSON.parse(insights) as Partial<StoredInsights>) }
}

export function presentSettings(row: { readonly insights: string | null }): InsightsSettings {
  const { days, claims } = insightsOf(row)
  return { object: 'site-insights-settings', days, claims: [...claims] }
}

/** Updates the settings of a site; returns its row. */
export async function putSettings(
  tx: Tx,
  row: SiteKey & { readonly insights: string | null },
  { days, claims }: { readonly days?: number | undefined; readonly claims?: readonly string[] | undefined },
  now: number,
) {
  const current = insightsOf(row)
  const stored: StoredInsights = {
    days: days ?? current.days,
    claims: claims === undefined ? current.claims : [...new Set(claims)].toSorted(),
  }
  return updateSite(tx, row, { insights: JSON.stringify(stored), updated_at: now })
}
