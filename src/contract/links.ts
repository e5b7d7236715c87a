/** Links of content: their targets, broken links, and backlinks of pages and files. */
import Type, { type Static } from 'typebox'
import { ChangeRequest } from './change-requests.js'
import { type BasePath, endpointAt, basePathOf } from './endpoint.js'
import { Organization } from './organizations.js'
import { File, Page } from './pages.js'
import { ListOf, ListQuery, Words, listQueryWith, shape } from './shapes.js'
import { Space } from './spaces.js'

export const linkStatuses = ['ok', 'broken', 'in-app'] as const
export type LinkStatus = (typeof linkStatuses)[number]
export const linkRelations = ['reference', 'dependsOn'] as const
export const brokenContexts = ['change-request', 'space', 'mended'] as const
export type BrokenContext = (typeof brokenContexts)[number]

const inSpace = {
  organization: Organization,
  space: Space,
  versionContext: Type.Optional(
    Type.Object(
      { type: Type.Literal('changeRequest'), changeRequest: ChangeRequest },
      { description: 'Absent for the current content of the space.' },
    ),
  ),
}

export const ContentLocation = shape(
  'ContentLocation',
  Type.Union([
    Type.Object({
      kind: Type.Literal('page'),
      ...inSpace,
      page: Page,
      internalLocation: Type.Optional(
        Type.Union([
          Type.Object({ type: Type.Literal('anchor'), anchor: Type.String() }),
          Type.Object({
            type: Type.Literal('node'),
            node: Type.String({ description: 'The "key" of a block in the document of the page.' }),
          }),
        ]),
      ),
    }),
    Type.Object({ kind: Type.Literal('file'), ...inSpace, file: File }),
    Type.Object({
      kind: Type.Literal('reusable-content'),
      ...inSpace,
      reusableContent: Type.Object({
        id: Type.String(),
        title: Type.String(),
        document: Type.Optional(Type.String()),
      }),
    }),
    Type.Object({ kind: Type.Literal('space'), organization: Organization, space: Space }),
    Type.Object({ kind: Type.Literal('url'), url: Type.String() }),
  ]),
)
export type ContentLocation = Static<typeof ContentLocation>

export const LinkReference = shape(
  'ContentReferenceWithLocation',
  Type.Object({
    status: Words(linkStatuses, {
      description:
        '"broken": what it names is not there, or not for you; "in-app": an address of the application instead of content.',
    }),
    relation: Words(linkRelations, {
      description: '"dependsOn": what it names is shown in the place of the link.',
    }),
    destination: Type.String({ description: 'As it is written.' }),
    targetReference: Type.Optional(ContentLocation),
    locationReferences: Type.Array(ContentLocation, {
      description:
        'Where it stands: one for each block, the first fifty; the first alone where an answer would hold thousands.',
    }),
  }),
)
export type LinkReference = Static<typeof LinkReference>

const Stats = Type.Object({
  total: Type.Integer({ description: 'All links of the list, whatever the filters.' }),
  broken: Type.Object({
    total: Type.Integer(),
    changeRequest: Type.Optional(
      Type.Integer({ description: 'In a change request: those that it breaks itself.' }),
    ),
  }),
  mended: Type.Optional(
    Type.Integer({
      description: 'In a change request: links that were broken before, and are whole in it or gone.',
    }),
  ),
})
export type LinkStats = Static<typeof Stats>

const Links = Type.Object({ ...ListOf(LinkReference).properties, stats: Stats })
const Backlinks = ListOf(ContentLocation)
const status = Type.Optional(Words(linkStatuses))

/** The link endpoints below a base path with these parameters. */
export type LinkEndpoints<Params extends string> = ReturnType<typeof linkEndpoints<Params>>

function linkEndpoints<Params extends string>(
  place: BasePath<Params>,
  names: { ofPage: string; toPage: string; toFile: string },
) {
  const tag = 'links'
  return {
    ofPage: endpointAt(place, names.ofPage, 'GET', '/content/page/:pageId/links', {
      summary: 'The links of a page, and which of them are broken',
      tag,
      query: listQueryWith({ status }),
      reply: Links,
      large: true,
    }),
    toPage: endpointAt(place, names.toPage, 'GET', '/content/page/:pageId/backlinks', {
      summary: 'Where a page is linked',
      tag,
      query: ListQuery,
      reply: Backlinks,
      large: true,
    }),
    toFile: endpointAt(place, names.toFile, 'GET', '/content/files/:fileId/backlinks', {
      summary: 'Where a file is linked or shown',
      tag,
      query: ListQuery,
      reply: Backlinks,
      large: true,
    }),
  }
}

const space = basePathOf('/spaces/:spaceId')
const changeRequest = basePathOf('/spaces/:spaceId/change-requests/:changeRequestId')

export const spaceLinks = linkEndpoints(space, {
  ofPage: 'listPageLinksInSpace',
  toPage: 'listPageBacklinksInSpace',
  toFile: 'listSpaceFileBacklinks',
})

export const changeRequestLinks = linkEndpoints(changeRequest, {
  ofPage: 'listPageLinksInChangeRequest',
  toPage: 'listPageBacklinksInChangeRequest',
  toFile: 'listChangeRequestFileBacklinks',
})

export const listSpaceLinks = endpointAt(space, 'listSpaceLinks', 'GET', '/links', {
  summary: 'The links of a space, and which of them are broken',
  tag: 'links',
  query: listQueryWith({ status }),
  reply: Links,
  large: true,
})

export const listChangeRequestLinks = endpointAt(changeRequest, 'listChangeRequestLinks', 'GET', '/links', {
  summary: 'The links of a change request, with those that it breaks and those that it mends',
  tag: 'links',
  query: listQueryWith({
    status,
    brokenContext: Type.Optional(
      Words(brokenContexts, {
        description:
          'Broken links alone: those that the change request breaks; those that were broken before; or those of before that it mends, as they were.',
      }),
    ),
  }),
  reply: Links,
  large: true,
})
