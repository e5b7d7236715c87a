/** A page in the other languages of its section, by which search engines know them. */
import { findPageByFile, findPageByPath } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import type { PageView } from '../layout/view.js'
import { type ReadablePage, isReadable } from '../routing/destination.js'
import { languageOf, translationsOf } from '../routing/languages.js'
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
    const href = one === variant ? linker.canonical(page) : await addressIn(services, shown, one, page)
    if (href !== undefined) found.push({ href, language })
  }
  return found.length < 2 ? [] : found
}

/**
 * Where the same page stands in another variant: the first page for the first, else the one of the same file, since
 * translations keep the names of files and not of addresses.
 */
async function addressIn(
  services: Services,
  { site, linker: own }: ShownContent,
  variant: Variant,
  page: ReadablePage,
): Promise<string | undefined> {
  const shown = await openContent(services, site, variant)
  const { content, linker } = shown
  const { snapshot } = content.revision
  const isFirst = own.page(page) === own.root
  const byFile =
    page.type === 'document' && !isFirst ? await content.run(findPageByFile(snapshot, page.file)) : undefined
  const other = byFile ?? (await content.run(findPageByPath(snapshot, isFirst ? '' : page.path)))
  if (other === undefined || !isReadable(other)) return undefined
  const above = await readAncestors(shown, other)
  return [other, ...above].every((one) => isListed(shown, one)) ? linker.canonical(other) : undefined
}
