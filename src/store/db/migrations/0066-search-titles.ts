/**
 * Page titles denormalized into sections: a search ranks some hundred sections by titles and headings, and a lookup in
 * another table for each took as long as finding them. Existing sections have none until they are indexed again.
 */
import type { Migration } from './types.js'

export const searchTitles: Migration = {
  name: '0066-search-titles',
  statements: ({ text }) => [`alter table search_sections add column page_title ${text} not null default ''`],
}
