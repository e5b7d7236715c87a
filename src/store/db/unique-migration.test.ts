import { expect, test } from 'vitest'
import type { OrganizationId, SiteId, SiteSpaceId } from '../../core/ids.js'
import { describeEngines } from '../../../tests/engines.js'
import { insertOrganization, spaceRow } from '../../../tests/test-rows.js'
import { openDatabase } from './open.js'
import type { Tx } from './database.js'
import { migrations } from './migrate.js'

async function insertSite(tx: Tx, organization: OrganizationId, id: string, basename: string) {
  await tx
    .insertInto('sites')
    .values({
      id: id as SiteId,
      organization_id: organization,
      type: 'basic',
      title: id,
      basename,
      hostname: null,
      visibility: 'public',
      published: 0,
      published_at: null,
      adaptive_content: 0,
      proxy: null,
      icon: null,
      customization: '{}',
      created_at: 0,
      updated_at: 0,
    })
    .execute()
}

describeEngines(
  'what is the only one of its kind',
  (engine) => {
    test('resolves duplicates of concurrent writers, and the first keeps its name', async () => {
      const settings = await engine.settings()
      const before = migrations.findIndex(({ name }) => name === '0013-one-of-each')
      const old = await openDatabase({ ...settings, migrations: migrations.slice(0, before) })
      await old.write(async (tx) => {
        const organization = await insertOrganization(tx, 'acme')
        await insertSite(tx, organization, 'site_B', 'Docs')
        await insertSite(tx, organization, 'site_A', 'docs')
        for (const [at, id] of ['sitesp_3', 'sitesp_2', 'sitesp_1'].entries()) {
          const space = spaceRow(organization, `space-${at}`)
          await tx.insertInto('spaces').values(space).execute()
          await tx
            .insertInto('site_spaces')
            .values({
              id: id as SiteSpaceId,
              organization_id: organization,
              site_id: 'site_A' as SiteId,
              section_id: null,
              space_id: space.id,
              path: 'guide',
              position: `a${at}`,
              is_default: 1,
              condition: null,
            })
            .execute()
        }
      })
      await old.close()

      const now = await openDatabase(settings)
      try {
        const links = await now.read.selectFrom('site_spaces').selectAll().orderBy('position').execute()
        expect(links.map(({ path, is_default: isDefault }) => [path, isDefault])).toEqual([
          ['guide', 1],
          ['guide-sitesp_2', 0],
          ['guide-sitesp_1', 0],
        ])
        const sites = await now.read.selectFrom('sites').select('basename').orderBy('id').execute()
        expect(sites.map(({ basename }) => basename)).toEqual(['docs', 'Docs-site-B'])
      } finally {
        await now.close()
      }
    })
  },
  { layouts: ['whole'] },
)
