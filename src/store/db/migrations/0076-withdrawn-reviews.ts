/** When a reviewer withdrew a review: it stays in the history, and counts no more. */
import type { Migration } from './types.js'

export const withdrawnReviews: Migration = {
  name: '0076-withdrawn-reviews',
  statements: ({ integer }) => [`alter table reviews add column withdrawn_at ${integer}`],
}
