/**
 * Sections of an organization by id, each looked up separately: with an `in` condition, SQLite without statistics scans
 * all sections of the organization, which takes 8 ms for ten of 30,000.
 */
import { sql } from 'kysely'
import type { OrganizationId } from '../../core/ids.js'
import { engineOf } from '../db/database.js'
import type { Db } from '../db/database.js'

/** Begins a query over these sections, `section`; in no order. */
export function selectSectionsById(db: Db, organizationId: OrganizationId, ids: readonly number[]) {
  // One statement text, however many there are.
  const list =
    engineOf(db) === 'sqlite'
      ? sql<{ id: number }>`(select value as id from json_each(${JSON.stringify(ids)}))`
      : sql<{ id: number }>`(select unnest(${ids}::bigint[]) as id)`
  return db
    .selectFrom(list.as('wanted'))
    .crossJoin('search_sections as section')
    .whereRef('section.id', '=', 'wanted.id')
    .where('section.organization_id', '=', organizationId)
}
