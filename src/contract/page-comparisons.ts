/** Rendered comparison of one page or reusable content: HTML of the site with marks, the settings, and the list of changes. */
import Type, { type Static } from 'typebox'
import { readMembers } from './content.js'
import { endpoint } from './endpoint.js'
import { Attribute, PageNamed, ReusableContentNamed, WordChanges, compared } from './semantic-changes.js'
import { Words, shape } from './shapes.js'

const RenderedChange = shape(
  'RenderedChange',
  Type.Object({
    id: Type.String({ description: 'The `data-change` of its elements in the HTML.' }),
    type: Words(['added', 'removed', 'edited', 'moved'] as const),
    block: Type.String({ description: 'The `type` of the block in its document.' }),
    key: Type.Object(
      { before: Type.Optional(Type.String()), after: Type.Optional(Type.String()) },
      { description: 'The key of the block in the documents that have it.' },
    ),
    words: Type.Array(WordChanges, {
      description: 'The text before and after, word by word; empty if only settings changed.',
    }),
  }),
)
export type RenderedChange = Static<typeof RenderedChange>

const rendered = {
  settings: Type.Array(Type.Object({ name: Type.String(), ...Attribute.properties }), {
    description: 'Changed members of the page and of its front matter.',
  }),
  html: Type.String({
    description:
      'The text as readers see it, with the blocks of both versions. What one version alone has is in `ins.diff-added` or `del.diff-removed`; blocks elsewhere in `ins.diff-moved` and `del.diff-moved-away` with `data-place`, the heading above their other place; edited blocks in `.diff-edited`; two versions of a picture and the like in `.diff-sides`. `data-change` is the id of the change, `data-key` the key of the block in the later document.',
  }),
  changes: Type.Array(RenderedChange),
  truncated: Type.Optional(
    Type.Boolean({
      description:
        'True when the two texts were too large or too different to be rendered in full: then parts of the HTML are plain text, or `changes` has the first changes only.',
    }),
  ),
}

const PageComparison = shape(
  'PageComparison',
  Type.Object({
    before: Type.Optional(PageNamed),
    after: Type.Optional(PageNamed),
    ...rendered,
  }),
)
export type PageComparison = Static<typeof PageComparison>

const ReusableContentComparison = shape(
  'ReusableContentComparison',
  Type.Object({
    before: Type.Optional(ReusableContentNamed),
    after: Type.Optional(ReusableContentNamed),
    ...rendered,
  }),
)
export type ReusableContentComparison = Static<typeof ReusableContentComparison>

const description =
  'Renders both versions as one HTML for display in the app: additions and removals are marked, links and files lead to the app, and the HTML is as safe as that of a published page.'

export const comparePage = endpoint('comparePage', 'GET', '/spaces/:spaceId/compare/page/:pageId', {
  summary: 'Compare a page in two contents of a space',
  description,
  tag: 'Revisions',
  query: Type.Object({ ...readMembers, ...compared }),
  reply: PageComparison,
})

export const compareReusableContent = endpoint(
  'compareReusableContent',
  'GET',
  '/spaces/:spaceId/compare/reusable-content/:reusableContentId',
  {
    summary: 'Compare a reusable content in two contents of a space',
    description,
    tag: 'Revisions',
    query: Type.Object({ ...readMembers, ...compared }),
    reply: ReusableContentComparison,
  },
)

export const getChangeRequestPageChanges = endpoint(
  'getChangeRequestPageChanges',
  'GET',
  '/spaces/:spaceId/change-requests/:changeRequestId/changes/page/:pageId',
  {
    summary: 'Compare a page of a change request',
    description: `Compares the page with the content of the space that the change request was last updated from. ${description}`,
    tag: 'Change requests',
    query: Type.Object(readMembers),
    reply: PageComparison,
  },
)

export const getChangeRequestReusableContentChanges = endpoint(
  'getChangeRequestReusableContentChanges',
  'GET',
  '/spaces/:spaceId/change-requests/:changeRequestId/changes/reusable-content/:reusableContentId',
  {
    summary: 'Compare a reusable content of a change request',
    description: `Compares the reusable content with that of the space that the change request was last updated from. ${description}`,
    tag: 'Change requests',
    query: Type.Object(readMembers),
    reply: ReusableContentComparison,
  },
)
