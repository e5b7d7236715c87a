/**
 * The text hash of indexed pages, by which an unfinished index knows what is missing.
 *
 * Pages indexed before have an empty one, and are indexed again with the next full comparison of their space.
 */
import type { Migration } from './types.js'

export const searchText: Migration = {
  name: '0003-search-text',
  statements: ({ text }) => [`alter table search_pages add column text_hash ${text} not null default ''`],
}
