/**
 * Sections say the titles of their pages: a search ranks some hundred sections by their titles and headings, and a look
 * into another table for each took as long as to find them. Sections written before have none until they are made anew.
 */
import type { Migration } from './types.js'

export const searchTitles: Migration = {
  name: '0066-search-titles',
  statements: ({ text }) => [`alter table search_sections add column page_title ${text} not null default ''`],
}
