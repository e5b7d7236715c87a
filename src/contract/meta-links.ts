/** Meta links of a page: its canonical page, and the same page in other languages of a site. */
import Type, { type Static } from 'typebox'
import { type BasePath, basePathOf, endpointAt } from './endpoint.js'
import { ContentRef } from './pages.js'
import { shape } from './shapes.js'
import type { TagName } from './tags.js'

export const PageMetaLinks = shape(
  'RevisionPageMetaLinks',
  Type.Object({
    canonical: Type.Optional(ContentRef),
    alternates: Type.Array(ContentRef, {
      description:
        'The page in the other languages of the site: that of the content token, else the first site with the space.',
    }),
  }),
)
export type PageMetaLinks = Static<typeof PageMetaLinks>

function metaLinksAt<Params extends string>(
  place: BasePath<Params>,
  { name, noun, tag }: { readonly name: string; readonly noun: string; readonly tag: TagName },
) {
  return endpointAt(place, name, 'GET', '/page/:pageId/meta-links', {
    summary: `List the meta links of a page of a ${noun}`,
    description:
      'Returns references to the canonical page of a page, and to the same page in other languages.',
    tag,
    readers: true,
    reply: PageMetaLinks,
  })
}

export const listSpacePageMetaLinks = metaLinksAt(basePathOf('/spaces/:spaceId/content'), {
  name: 'listSpacePageMetaLinks',
  noun: 'space',
  tag: 'Content',
})
export const listChangeRequestPageMetaLinks = metaLinksAt(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  { name: 'listChangeRequestPageMetaLinks', noun: 'change request', tag: 'Content' },
)
export const listRevisionPageMetaLinks = metaLinksAt(basePathOf('/spaces/:spaceId/revisions/:revisionId'), {
  name: 'listRevisionPageMetaLinks',
  noun: 'revision',
  tag: 'Revisions',
})
