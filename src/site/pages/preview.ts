/**
 * Preview of a page with an unsaved text: rendered like the stored one, by the same functions and with the same limits.
 * The members that follow from a text come from this one: title, cover, layout, variables, condition.
 */
import { type ClaimReader, createClaimReader } from '../../core/conditions/claim-reader.js'
import type { Claims } from '../../core/conditions/visitor-schema.js'
import { isMapping } from '../../core/mapping.js'
import { withDescription } from '../../core/pages/describe.js'
import type { SpaceId } from '../../core/ids.js'
import type { DocumentPage } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import type { Customization } from '../../contract/customization.js'
import { ApiError } from '../../contract/errors.js'
import type { PreviewBody } from '../../contract/previews.js'
import type { TextAnalysis } from '../../store/reading/reader.js'
import type { PublishedSite } from '../routing/site.js'
import { isReachable, openContent } from './content.js'
import { renderPageDocument } from './page.js'
import type { Assets } from './site-view.js'

type Theme = NonNullable<PreviewBody['theme']>

interface PreviewInput extends Pick<PreviewBody, 'markdown' | 'claims' | 'theme'> {
  /** The content as a site of its own, or in a site. */
  readonly site: PublishedSite
  readonly spaceId: SpaceId
  /** The page as it is stored. */
  readonly page: DocumentPage
  /** Of the text. */
  readonly description: TextAnalysis['description']
}

/** Returns the HTML document; throws 404 when the visitor with these claims would not see the page. */
export async function renderPreview(
  services: Services,
  { site, spaceId, page, description, markdown, claims, theme = 'system' }: PreviewInput,
  assets: Assets,
): Promise<string> {
  const variant = site.variants.find((one) => one.spaceId === spaceId)
  if (variant === undefined) throw notVisible()
  const visible = await openContent(services, withOptions(site, { claims, theme }), variant)
  const edited = withUnsavedText(page, description)
  if (!(await isReachable(visible, edited))) throw notVisible()
  return (await renderPageDocument(services, visible, edited, assets, markdown)).html
}

function withUnsavedText(page: DocumentPage, { title, metadata }: TextAnalysis['description']): DocumentPage {
  return withDescription({ ...page, title: title ?? page.title }, { metadata, references: [] })
}

const notVisible = () => new ApiError('not_found', { thing: 'page for this visitor' })

function withOptions(
  site: PublishedSite,
  { claims, theme }: { readonly claims: PreviewInput['claims']; readonly theme: Theme },
): PublishedSite {
  const withTheme = ({ themes, ...settings }: Customization): Customization => {
    return { ...settings, themes: { ...themes, default: theme } }
  }
  return {
    ...site,
    customization: withTheme(site.customization),
    variantCustomizations: new Map(
      [...site.variantCustomizations].map(([id, settings]) => [id, withTheme(settings)]),
    ),
    ...(claims !== undefined && { isAdaptive: true, claimReader: claimReaderOf(claims) }),
  }
}

/** Returns a reader of the claims in the body of a preview. */
export function claimReaderOf({ unsigned, ...signed }: NonNullable<PreviewInput['claims']>): ClaimReader {
  return createClaimReader({ ...signed, unsigned: isMapping(unsigned) ? unsigned : {} } as Claims)
}
