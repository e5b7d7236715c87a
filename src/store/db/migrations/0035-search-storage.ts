/**
 * Words of sections are stored inline (not TOASTed) on PostgreSQL: a phrase search reads those of some hundred sections, and
 * a lookup in the TOAST table for each takes longer than everything else. Existing rows are not rewritten.
 */
import type { Migration } from './types.js'

export const searchStorage: Migration = {
  name: '0035-search-storage',
  statements: ({ engine }) =>
    engine === 'sqlite'
      ? []
      : [
          // For a partitioned table, set on its partitions.
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
