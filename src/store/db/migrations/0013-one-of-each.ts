/**
 * Unique indexes: the path of a space on its site, the site's default, and a
 * site's name in any case. Of duplicates by concurrent writers, the first in order keeps its name.
 */
import type { Migration } from './types.js'

/** True for a link after another matching one. */
const behind = (matches: string): string => `exists (
  select 1 from site_spaces as other
  where other.site_id = site_spaces.site_id and ${matches} and
    (other.position < site_spaces.position or
      (other.position = site_spaces.position and other.id < site_spaces.id)))`

export const oneOfEach: Migration = {
  name: '0013-one-of-each',
  statements: () => [
    `update site_spaces set path = path || '-' || id where ${behind(
      `coalesce(other.section_id, '') = coalesce(site_spaces.section_id, '') and other.path = site_spaces.path`,
    )}`,
    `create unique index site_spaces_by_path on site_spaces (site_id, coalesce(section_id, ''), path)`,

    `update site_spaces set is_default = 0 where is_default = 1 and ${behind('other.is_default = 1')}`,
    `update site_spaces set is_default = 1 where not ${behind('true')} and not exists (
      select 1 from site_spaces as other where other.site_id = site_spaces.site_id and other.is_default = 1)`,
    'create unique index site_spaces_by_default on site_spaces (site_id) where is_default = 1',

    `update sites set basename = basename || '-' || replace(id, '_', '-') where exists (
      select 1 from sites as other
      where other.organization_id = sites.organization_id and lower(other.basename) = lower(sites.basename) and
        (other.created_at < sites.created_at or (other.created_at = sites.created_at and other.id < sites.id)))`,
    'create unique index sites_one_by_name on sites (organization_id, lower(basename))',
  ],
}
