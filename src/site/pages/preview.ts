/**
 * Preview of a page with an unsaved text: rendered like the stored one, by the same functions and with the same limits.
 * The members that follow from a text come from this one: title, cover, layout, variables, condition.
 */
import { createClaimReader } from '../../core/conditions/claim-reader.js'
import type { Claims } from '../../core/conditions/visitor-schema.js'
import { isMapping } from '../../core/mapping.js'
import { withDescription } from '../../core/pages/describe.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { PreviewBody } from '../../contract/previews.js'
import type { TextAnalysis } from '../../store/reading/reader.js'
import type { PublishedSite } from '../routing/site.js'
import { isReachable, openContent } from './content.js'
import { renderPageDocument } from './page.js'
import type { Assets } from './site-view.js'

interface PreviewInput extends Pick<PreviewBody, 'markdown' | 'claims' | 'theme'> {
  /** The content as a site of its own, with one variant. */
  readonly site: PublishedSite
  /** The page as it is stored. */
  readonly page: DocumentPage
  /** Of the text. */
  readonly description: TextAnalysis['description']
}

/** Returns the HTML document; throws 404 when the visitor with these claims would not see the page. */
export async function renderPreview(
  services: Services,
  { site, page, description, markdown, claims, theme = 'system' }: PreviewInput,
  assets: Assets,
): Promise<string> {
  const visible = await openContent(services, previewedSite(site, claims, theme), site.variants[0]!)
  const edited = withUnsavedText(page, description)
  if (!(await isReachable(visible, edited)))
    throw new ApiError('not_found', { thing: 'page for this visitor' })
  return (await renderPageDocument(services, visible, edited, assets, markdown)).html
}

function withUnsavedText(page: DocumentPage, { title, metadata }: TextAnalysis['description']): DocumentPage {
  return withDescription({ ...page, title: title ?? page.title }, { metadata, references: [] })
}

function previewedSite(
  site: PublishedSite,
  claims: PreviewInput['claims'],
  theme: NonNullable<PreviewInput['theme']>,
): PublishedSite {
  const { customization } = site
  return {
    ...site,
    customization: { ...customization, themes: { ...customization.themes, default: theme } },
    ...(claims !== undefined && { isAdaptive: true, claimReader: createClaimReader(claimsOf(claims)) }),
  }
}

function claimsOf({ unsigned, ...signed }: NonNullable<PreviewInput['claims']>): Claims {
  return { ...signed, unsigned: isMapping(unsigned) ? unsigned : {} } as Claims
}
