/** The same page in the other variants of its section: translations (hreflang) and versions. */
import { findPageByFile, findPageByPath } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import type { PageView } from '../layout/view.js'
import { type ReadablePage, isReadable } from '../routing/destination.js'
import { languageOf, translationsOf, variantsToSearch } from '../routing/languages.js'
import type { Linker } from '../routing/linker.js'
import type { Variant } from '../routing/site.js'
import { type VisibleContent, isListed, openContent, readAncestors } from './content.js'

/** Returns the addresses of the page in each language, its own included; none where it has no translation. */
export async function readTranslations(
  services: Services,
  visible: VisibleContent,
  page: ReadablePage,
): Promise<NonNullable<PageView['alternates']>> {
  const found = await findTranslations(services, visible, page)
  if (found.length < 2) return []
  return found.map((one) => ({
    href: one.linker.canonical(one.page),
    language: languageOf(one.variant),
  }))
}

/** Returns the page in each language that has it, its own included. */
export async function findTranslations(
  services: Services,
  visible: VisibleContent,
  page: ReadablePage,
): Promise<(TranslatedPage & { readonly variant: Variant })[]> {
  const { site, variant, linker } = visible
  const found: (TranslatedPage & { readonly variant: Variant })[] = []
  for (const one of translationsOf(site, variant)) {
    const translated = one === variant ? { linker, page } : await findInVariant(services, visible, one, page)
    if (translated !== undefined) found.push({ ...translated, variant: one })
  }
  return found
}

/** Returns the addresses of the same page in the other variants that have it, by variant id. */
export async function readVariantLinks(
  services: Services,
  visible: VisibleContent,
  page: ReadablePage,
): Promise<ReadonlyMap<string, string>> {
  const { site, variant } = visible
  const found = new Map<string, string>()
  for (const one of variantsToSearch(site, variant)) {
    const translated = await findInVariant(services, visible, one, page)
    if (translated !== undefined) found.set(one.id, translated.linker.page(translated.page))
  }
  return found
}

interface TranslatedPage {
  readonly linker: Linker
  readonly page: ReadablePage
}

/**
 * Returns the same page in another variant: the first page for the first, else the page with the same file, since
 * translations share file names and not addresses; else the page with the same path.
 */
async function findInVariant(
  services: Services,
  { site, linker: own }: VisibleContent,
  variant: Variant,
  page: ReadablePage,
): Promise<TranslatedPage | undefined> {
  const visible = await openContent(services, site, variant)
  const { content, linker } = visible
  const { snapshot } = content.revision
  const isFirst = own.page(page) === own.root
  const byFile =
    page.type === 'document' && !isFirst ? await content.run(findPageByFile(snapshot, page.file)) : undefined
  const other = byFile ?? (await content.run(findPageByPath(snapshot, isFirst ? '' : page.path)))
  if (other === undefined || !isReadable(other)) return undefined
  const above = await readAncestors(visible, other)
  return [other, ...above].every((one) => isListed(visible, one)) ? { linker, page: other } : undefined
}
