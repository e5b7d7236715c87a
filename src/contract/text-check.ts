/** Check of an unsaved text: the problems that an import of it would report, for an editor to display at their lines. */
import Type, { type Static } from 'typebox'
import { problemKinds } from '../core/pages/import-problems.js'
import { type BasePath, basePathOf, endpointAt } from './endpoint.js'
import { Words, shape } from './shapes.js'
import type { TagName } from './tags.js'
import { unsavedText } from './unsaved-text.js'

const CheckBody = Type.Object(unsavedText)
export type CheckBody = Static<typeof CheckBody>

const TextProblem = shape(
  'TextProblem',
  Type.Object({
    kind: Words(problemKinds, {
      description:
        '"link", "image" or "anchor" for a destination that does not exist, "text" for Markdown that cannot be read as it is meant, "condition" for content that a site without adaptive content displays to everybody.',
    }),
    line: Type.Integer({ minimum: 1, description: 'Line of the text.' }),
    message: Type.String(),
  }),
)

const CheckedText = Type.Object({
  problems: Type.Array(TextProblem, { description: 'By line; at most a thousand.' }),
})
export type CheckedText = Static<typeof CheckedText>

function checkEndpoint<Params extends string>(
  place: BasePath<Params>,
  operationId: string,
  { tag, noun }: { readonly tag: TagName; readonly noun: 'space' | 'change request' },
) {
  return endpointAt(place, operationId, 'POST', '/check', {
    summary: `Check a text of a ${noun}`,
    description:
      'Returns the problems of a text of a page that is not saved, with their lines: broken links, missing pictures, and tags that cannot be read. Nothing is written.',
    tag,
    body: CheckBody,
    reads: true,
    reply: CheckedText,
    large: true,
  })
}

export const checkSpaceText = checkEndpoint(basePathOf('/spaces/:spaceId/content'), 'checkPageText', {
  tag: 'Content',
  noun: 'space',
})

export const checkChangeRequestText = checkEndpoint(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  'checkPageTextInChangeRequest',
  { tag: 'Content', noun: 'change request' },
)
