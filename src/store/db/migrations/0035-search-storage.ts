/**
 * Words of sections stay in their rows on PostgreSQL: a search for a phrase reads those of some hundred sections, and
 * a lookup in another table for each takes longer than all the rest. Rows written before keep their way.
 */
import type { Migration } from './types.js'

export const searchStorage: Migration = {
  name: '0035-search-storage',
  statements: ({ engine }) =>
    engine === 'sqlite'
      ? []
      : [
          // Where the table has partitions, they are what stores rows.
          `do $$
            declare stored regclass;
            begin
              for stored in
                select 'search_sections'::regclass where not exists (select from pg_partition_tree('search_sections'))
                union all
                select relid from pg_partition_tree('search_sections') where isleaf
              loop
                execute format('alter table %s set (toast_tuple_target = 8160)', stored);
              end loop;
            end
          $$`,
        ],
}
