/**
 * Which text an indexed page was made of: an index that was left half-way knows what it still lacks.
 *
 * Pages indexed before have an empty one, and are made anew when their space is next compared as a whole.
 */
import type { Migration } from './types.js'

export const searchText: Migration = {
  name: '0003-search-text',
  statements: ({ text }) => [`alter table search_pages add column text_hash ${text} not null default ''`],
}
