/** Preview of unsaved text: a page as its readers would see it, as an HTML document for a frame. */
import Type, { type Static } from 'typebox'
import { type BasePath, basePathOf, endpointAt } from './endpoint.js'
import { Identifier, Words } from './shapes.js'
import type { TagName } from './tags.js'
import { unsavedText } from './unsaved-text.js'

export const previewThemes = ['light', 'dark', 'system'] as const

const PreviewBody = Type.Object({
  ...unsavedText,
  claims: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      maxProperties: 200,
      description:
        'Claims of a visitor, unsigned ones as `unsigned` among them. Conditions and expressions are evaluated for this visitor, as on an adaptive site; without them all conditional content is displayed.',
    }),
  ),
  site: Type.Optional(
    Type.String({
      ...Identifier,
      description:
        'Id of a site that has the space. The document then has the look and the structure of this site, and the spaces of it that you may read.',
    }),
  ),
  theme: Type.Optional(
    Words(previewThemes, { default: 'system', description: 'The colours of the document.' }),
  ),
})
export type PreviewBody = Static<typeof PreviewBody>

function previewEndpoint<Params extends string>(
  place: BasePath<Params>,
  operationId: string,
  { tag, noun }: { readonly tag: TagName; readonly noun: 'space' | 'change request' },
) {
  return endpointAt(place, operationId, 'POST', '/preview', {
    summary: `Preview a text of a ${noun}`,
    description:
      'Returns the HTML document of a page with this text instead of the stored one, as the preview of the content displays it, on its own or in a site. Nothing is written. The document runs no scripts, and only pages of the same origin may frame it.',
    tag,
    body: PreviewBody,
    reads: true,
    bytes: 'text/html',
  })
}

export const previewSpaceContent = previewEndpoint(basePathOf('/spaces/:spaceId/content'), 'previewPage', {
  tag: 'Content',
  noun: 'space',
})

export const previewChangeRequestContent = previewEndpoint(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  'previewPageInChangeRequest',
  { tag: 'Content', noun: 'change request' },
)
