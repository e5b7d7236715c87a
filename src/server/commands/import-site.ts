/** `octavo import --site-config`: creates or updates a site from a folder with its settings and the content of its spaces. */
import { basename, relative } from 'node:path'
import type { SiteId, SpaceId } from '../../core/ids.js'
import { newId, newSiteId } from '../../access/ids.js'
import { importTree } from '../../resources/imports/import.js'
import { readFolder } from '../../resources/imports/read-folder.js'
import { intoNewSpace } from '../../resources/imports/target.js'
import { indexSpace } from '../../resources/search/index-space.js'
import { findSpace } from '../../resources/spaces/store.js'
import { applySiteConfig } from '../site-config/apply-config.js'
import { type ConfiguredVariant, hasContent, readSiteConfig } from '../site-config/read-config.js'
import { openResumableImport } from './resumable-import.js'
import { pagesWithConditions, reportConditions } from './report-conditions.js'
import { reportProblems } from './report-problems.js'
import { CommandError, type CommandContext, actingUser, chooseOrganization } from './command-context.js'

/** Missing folders that are listed; the rest is counted. */
const maxListed = 20

export async function importSite(
  { database, services, report, now }: CommandContext,
  folder: string,
  { org, publish = false }: { readonly org?: string | undefined; readonly publish?: boolean | undefined },
): Promise<void> {
  const organization = await chooseOrganization(database.read, org)
  const userId = await actingUser(database.read, organization)
  const config = await readSiteConfig(folder, basename(folder))
  if (!hasContent(config))
    throw new CommandError(`No folder in ${folder} holds a space that structure.json names.`)
  const resumable = await openResumableImport({ database, services, report, now }, organization.id, {
    siteConfig: folder,
  })
  const imported: { space: SpaceId; folder: string; isNew: boolean; isChanged: boolean; pages: number }[] = []
  const conditionalPages: string[] = []
  let problems = 0

  async function fillSpace(
    {
      folder: variantFolder,
      path,
      space: { title, emoji, language },
    }: ConfiguredVariant & { readonly folder: string },
    existing: SpaceId | undefined,
  ) {
    const spaceId = existing ?? (await resumable.idFor<SpaceId>(`space ${variantFolder} ${path}`, newId))
    const key = { organization_id: organization.id, id: spaceId }
    const settings = {
      title: title.slice(0, 50),
      ...(emoji !== undefined && { emoji }),
      ...(language !== undefined && { language }),
    }
    const isNew = (await findSpace(database.read, organization.id, spaceId)) === undefined
    const target = intoNewSpace(key, settings, { services, userId, now })
    const entries = readFolder(variantFolder)
    const outcome = await importTree({ services, target, mode: 'replace', entries, now })
    await indexSpace({ services, spaceId, signal: new AbortController().signal, now: Date.now })
    const below = relative(folder, variantFolder)
    reportProblems(report, outcome, { folder: below })
    conditionalPages.push(...pagesWithConditions(outcome, below))
    const { isChanged, pages, problemCount, conditions } = outcome
    problems += problemCount
    imported.push({ space: spaceId, folder: variantFolder, isNew, isChanged, pages })
    return { spaceId, conditions }
  }

  const reader = { userId, organizationId: organization.id, role: 'admin' } as const
  const applied = await applySiteConfig(config, {
    services,
    organizationId: organization.id,
    organizationHostname: organization.hostname,
    reader,
    now,
    siteId: await resumable.idFor<SiteId>('site', () => newSiteId('site')),
    publishesConditions: publish,
    fillSpace,
  })
  const { site, leftOut, customizationLeftOut, conditions, ...counts } = applied
  const isPublished = site.published === 1
  for (const path of leftOut.slice(0, maxListed))
    report.warn(`${path}: no folder holds its content, so it is left out.`, { kind: 'left-out', path })
  if (leftOut.length > maxListed)
    report.warn(`There are ${leftOut.length} in all.`, { kind: 'more', leftOut: leftOut.length })
  for (const sentence of customizationLeftOut)
    report.warn(`customization.json: ${sentence}`, { kind: 'looks', sentence })
  const isAdaptive = site.adaptive_content === 1
  reportConditions(report, { conditions, pages: conditionalPages, isAdaptive, isPublished })
  const url = services.addresses.site(organization.hostname, site.basename, site.hostname)
  report.result(
    `${counts.isNew ? 'Made' : 'Brought up to date'}: ${site.title}, ${counts.spaces} spaces in ${counts.sections} sections: ${url}`,
    { site: site.id, url, published: isPublished, ...counts, leftOut: leftOut.length, problems, imported },
  )
  await resumable.end()
}
