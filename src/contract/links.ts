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
      { description: 'The change request; absent for the current content of the space.' },
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
            node: Type.String({ description: 'The `key` of a block in the document of the page.' }),
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
        path: Type.Optional(Type.String()),
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
        '"broken" if the target does not exist or is not visible to you; "in-app" for an address of the app that is no content.',
    }),
    relation: Words(linkRelations, {
      description: '"dependsOn" if the target is embedded in place of the link.',
    }),
    destination: Type.String({ description: 'The destination as it is written.' }),
    targetReference: Type.Optional(ContentLocation),
    locationReferences: Type.Array(ContentLocation, {
      description:
        'Where the link is, one entry for each block, at most fifty; only the first in very long responses.',
    }),
  }),
)
export type LinkReference = Static<typeof LinkReference>

const Stats = Type.Object({
  total: Type.Integer({ description: 'Number of links, regardless of filters.' }),
  broken: Type.Object({
    total: Type.Integer(),
    changeRequest: Type.Optional(
      Type.Integer({ description: 'Number of links that the change request breaks.' }),
    ),
  }),
  mended: Type.Optional(
    Type.Integer({
      description:
        'Number of links that were broken before, and are repaired or removed by the change request.',
    }),
  ),
})
export type LinkStats = Static<typeof Stats>

const Links = Type.Object({ ...ListOf(LinkReference).properties, stats: Stats })
const Backlinks = ListOf(ContentLocation)

const UsingSite = Type.Object({
  object: Type.Literal('site'),
  id: Type.String(),
  title: Type.String(),
  urls: Type.Object({ location: Type.String() }),
})
export type UsingSite = Static<typeof UsingSite>

const BacklinksWithSites = Type.Object({
  ...Backlinks.properties,
  sites: Type.Array(UsingSite, {
    description:
      'The sites that you may see whose customization refers to it, at most 100; on every page of the list.',
  }),
})
const status = Type.Optional(Words(linkStatuses, { description: 'Only links with this status.' }))

/** The link endpoints below a base path with these parameters. */
export type LinkEndpoints<Params extends string> = ReturnType<typeof linkEndpoints<Params>>

function linkEndpoints<Params extends string>(
  place: BasePath<Params>,
  names: { ofPage: string; toPage: string; toFile: string; toReusableContent: string },
  noun: string,
) {
  const tag = 'Links'
  return {
    ofPage: endpointAt(place, names.ofPage, 'GET', '/content/page/:pageId/links', {
      summary: `List the links of a page of a ${noun}`,
      description: 'Returns the links of a page, and which of them are broken.',
      tag,
      query: listQueryWith({ status }),
      reply: Links,
      large: true,
    }),
    toPage: endpointAt(place, names.toPage, 'GET', '/content/page/:pageId/backlinks', {
      summary: `List the backlinks of a page of a ${noun}`,
      description: 'Returns where a page is linked, also by the customization of sites.',
      tag,
      query: ListQuery,
      reply: BacklinksWithSites,
      large: true,
    }),
    toFile: endpointAt(place, names.toFile, 'GET', '/content/files/:fileId/backlinks', {
      summary: `List the backlinks of a file of a ${noun}`,
      description:
        'Returns where a file is linked or embedded, as the cover of a page too, the computed pages that it describes, and the sites whose customization uses it.',
      tag,
      query: ListQuery,
      reply: BacklinksWithSites,
      large: true,
    }),
    toReusableContent: endpointAt(
      place,
      names.toReusableContent,
      'GET',
      '/content/reusable-contents/:reusableContentId/backlinks',
      {
        summary: `List the backlinks of a reusable content of a ${noun}`,
        description: 'Returns where a reusable content is included or linked.',
        tag,
        query: ListQuery,
        reply: Backlinks,
        large: true,
      },
    ),
  }
}

const space = basePathOf('/spaces/:spaceId')
const changeRequest = basePathOf('/spaces/:spaceId/change-requests/:changeRequestId')

export const spaceLinks = linkEndpoints(
  space,
  {
    ofPage: 'listPageLinksInSpace',
    toPage: 'listPageBacklinksInSpace',
    toFile: 'listSpaceFileBacklinks',
    toReusableContent: 'listSpaceReusableContentBacklinks',
  },
  'space',
)

export const changeRequestLinks = linkEndpoints(
  changeRequest,
  {
    ofPage: 'listPageLinksInChangeRequest',
    toPage: 'listPageBacklinksInChangeRequest',
    toFile: 'listChangeRequestFileBacklinks',
    toReusableContent: 'listChangeRequestReusableContentBacklinks',
  },
  'change request',
)

export const listSpaceLinks = endpointAt(space, 'listSpaceLinks', 'GET', '/links', {
  summary: 'List the links of a space',
  description: 'Returns the links of the content, and which of them are broken.',
  tag: 'Links',
  query: listQueryWith({ status }),
  reply: Links,
  large: true,
})

export const listChangeRequestLinks = endpointAt(changeRequest, 'listChangeRequestLinks', 'GET', '/links', {
  summary: 'List the links of a change request',
  description: 'Returns the links of the content, and which of them the change request breaks or repairs.',
  tag: 'Links',
  query: listQueryWith({
    status,
    brokenContext: Type.Optional(
      Words(brokenContexts, {
        description:
          'Only broken links: "change-request" for those that the change request breaks, "space" for those that were broken before, "mended" for those that it repairs, as they were before.',
      }),
    ),
  }),
  reply: Links,
  large: true,
})
