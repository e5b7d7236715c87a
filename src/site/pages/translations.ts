/** A page in the other variants of its section: translations, by which search engines know them, and versions. */
import { findPageByFile, findPageByPath } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import type { PageView } from '../layout/view.js'
import { type ReadablePage, isReadable } from '../routing/destination.js'
import { languageOf, translationsOf, variantsLookedAt } from '../routing/languages.js'
import type { Linker } from '../routing/linker.js'
import type { Variant } from '../routing/site.js'
import { type ShownContent, isListed, openContent, readAncestors } from './content.js'

/** Returns the addresses of the page in each language, its own among them; none where it has no translation. */
export async function readTranslations(
  services: Services,
  shown: ShownContent,
  page: ReadablePage,
): Promise<NonNullable<PageView['alternates']>> {
  const { site, variant, linker } = shown
  const found: { href: string; language: string }[] = []
  for (const one of translationsOf(site, variant)) {
    const language = languageOf(one)
    const there = one === variant ? { linker, page } : await findIn(services, shown, one, page)
    if (there !== undefined) found.push({ href: there.linker.canonical(there.page), language })
  }
  return found.length < 2 ? [] : found
}

/** Returns where the same page stands in those of the variants beside it that have it, by their ids. */
export async function readBeside(
  services: Services,
  shown: ShownContent,
  page: ReadablePage,
): Promise<ReadonlyMap<string, string>> {
  const { site, variant } = shown
  const found = new Map<string, string>()
  for (const one of variantsLookedAt(site, variant)) {
    const there = await findIn(services, shown, one, page)
    if (there !== undefined) found.set(one.id, there.linker.page(there.page))
  }
  return found
}

interface There {
  readonly linker: Linker
  readonly page: ReadablePage
}

/**
 * Returns the same page in another variant: the first page for the first, else the one of the same file, since
 * translations keep the names of files and not of addresses.
 */
async function findIn(
  services: Services,
  { site, linker: own }: ShownContent,
  variant: Variant,
  page: ReadablePage,
): Promise<There | undefined> {
  const shown = await openContent(services, site, variant)
  const { content, linker } = shown
  const { snapshot } = content.revision
  const isFirst = own.page(page) === own.root
  const byFile =
    page.type === 'document' && !isFirst ? await content.run(findPageByFile(snapshot, page.file)) : undefined
  const other = byFile ?? (await content.run(findPageByPath(snapshot, isFirst ? '' : page.path)))
  if (other === undefined || !isReadable(other)) return undefined
  const above = await readAncestors(shown, other)
  return [other, ...above].every((one) => isListed(shown, one)) ? { linker, page: other } : undefined
}
