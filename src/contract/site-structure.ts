/** Site structure: the order of sections, groups of sections, and spaces as variants of a section. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Identifier, ListOf, ListQuery, NullableString, Words, listQueryWith, shape } from './shapes.js'
import { Space } from './spaces.js'

const PublishedUrl = Type.Object({ published: Type.Optional(Type.String()) })

export const SiteSpace = shape(
  'SiteSpace',
  Type.Object({
    object: Type.Literal('site-space'),
    id: Type.String(),
    path: Type.String(),
    title: Type.String(),
    section: Type.Optional(Type.String()),
    space: Space,
    default: Type.Boolean(),
    draft: Type.Boolean(),
    hidden: Type.Boolean(),
    condition: Type.Optional(Type.String()),
    urls: PublishedUrl,
  }),
)
export type SiteSpace = Static<typeof SiteSpace>

export const SiteSection = shape(
  'SiteSection',
  Type.Object({
    object: Type.Literal('site-section'),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
    path: Type.String(),
    default: Type.Boolean(),
    draft: Type.Boolean(),
    condition: Type.Optional(Type.String()),
    sectionGroup: Type.Optional(Type.String()),
    siteSpaces: Type.Array(SiteSpace),
    urls: PublishedUrl,
  }),
)
export type SiteSection = Static<typeof SiteSection>

export interface SiteSectionGroup {
  object: 'site-section-group'
  id: string
  title: string
  icon?: string
  draft: boolean
  /** The parent group. */
  sectionGroup?: string
  /** The sections directly inside. */
  sections: SiteSection[]
  /** Sections and groups directly inside, in order. */
  children: (SiteSection | SiteSectionGroup)[]
}

/** JSON Schema for the OpenAPI document; replies with groups are serialized without it. */
export const SiteSectionGroup = shape(
  'SiteSectionGroup',
  Type.Unsafe<SiteSectionGroup>({
    type: 'object',
    required: ['object', 'id', 'title', 'draft', 'sections', 'children'],
    properties: {
      object: { type: 'string', enum: ['site-section-group'] },
      id: { type: 'string' },
      title: { type: 'string' },
      icon: { type: 'string' },
      draft: { type: 'boolean' },
      sectionGroup: { type: 'string', description: 'Id of the parent group.' },
      sections: { type: 'array', items: SiteSection, description: 'The sections directly inside.' },
      children: {
        type: 'array',
        items: { type: 'object', description: 'A section, or a group of the same shape.' },
      },
    },
  }),
)

export type SiteStructure =
  | { type: 'sections'; structure: (SiteSection | SiteSectionGroup)[] }
  | { type: 'siteSpaces'; structure: SiteSpace[] }

export const SiteStructure = shape(
  'SiteStructure',
  Type.Unsafe<SiteStructure>({
    anyOf: [
      {
        type: 'object',
        required: ['type', 'structure'],
        properties: {
          type: { type: 'string', enum: ['sections'] },
          structure: { type: 'array', items: { anyOf: [SiteSection, SiteSectionGroup] } },
        },
      },
      {
        type: 'object',
        required: ['type', 'structure'],
        properties: {
          type: { type: 'string', enum: ['siteSpaces'] },
          structure: { type: 'array', items: SiteSpace },
        },
      },
    ],
  }),
)

/** An item of a structure, named by `id` or by the member for its type. */
const ItemPointer = Type.Object({
  type: Words(['site-space', 'site-section', 'site-section-group'] as const),
  id: Type.Optional(Identifier),
  siteSpace: Type.Optional(Identifier),
  siteSection: Type.Optional(Identifier),
})
export type ItemPointer = Static<typeof ItemPointer>

const Position = Type.Object(
  { before: Type.Optional(ItemPointer), after: Type.Optional(ItemPointer) },
  { description: 'Before or after which item; at the end of its level when absent.' },
)
export type ItemPosition = Static<typeof Position>
const MoveBody = Type.Object({ position: Type.Optional(Position) })

export const ShareKey = Type.Optional(
  Type.String({ maxLength: 256, description: 'Key of a share link, which the published URLs then contain.' }),
)

const site = '/orgs/:organizationId/sites/:siteId'
const tag = 'Site structure'

const PathSegment = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\s/\\\\?#%~.][^\\s/\\\\?#%]*$',
  description:
    'One segment of an address, stored in lower case: without spaces and / \\ ? # %, and not starting with "~" or ".".',
})
const Title = Type.String({ minLength: 2, maxLength: 128 })
const GroupTitle = Type.String({ minLength: 1, maxLength: 100 })
const Icon = NullableString({ maxLength: 50, description: 'Name of an icon; null for none.' })
const Condition = NullableString({
  minLength: 1,
  maxLength: 1024,
  description: 'Expression that decides who sees it on adaptive sites; null for everybody.',
})
const Draft = Type.Boolean({ description: 'True hides it from readers.' })

export const getSiteStructure = endpoint('getSiteStructure', 'GET', `${site}/structure`, {
  summary: 'Get the structure of a site',
  description:
    'Returns the sections and groups of the site in order, or its spaces where it has no sections.',
  tag,
  readers: true,
  query: Type.Object({ shareKey: ShareKey }),
  large: true,
  reply: SiteStructure,
})

export const sortSiteStructure = endpoint('sortSiteStructure', 'PATCH', `${site}/structure/sort`, {
  summary: 'Move an item of the structure',
  description: 'Moves a space, section or group next to another, also into its section or group.',
  tag,
  body: Type.Object({ item: ItemPointer, position: Type.Optional(Position) }),
  large: true,
  reply: Type.Unsafe<SiteSpace | SiteSection | SiteSectionGroup>({
    anyOf: [SiteSpace, SiteSection, SiteSectionGroup],
  }),
})

export const listSiteSections = endpoint('listSiteSections', 'GET', `${site}/sections`, {
  summary: 'List sections',
  description: 'Returns the sections of the site in the order of its structure, including those in groups.',
  tag,
  query: listQueryWith({ shareKey: ShareKey }),
  reply: ListOf(SiteSection),
})

export const addSiteSection = endpoint('addSectionToSite', 'POST', `${site}/sections`, {
  summary: 'Create a section',
  description:
    'Shows a space in a section of its own. The first section moves the spaces that the site had before into another section.',
  tag,
  body: Type.Object({
    spaceId: Identifier,
    title: Type.Optional(
      NullableString({
        minLength: 2,
        maxLength: 64,
        description: 'Title; the one of the space when absent.',
      }),
    ),
    icon: Type.Optional(Icon),
    draft: Type.Optional(Draft),
    siteSectionGroupId: Type.Optional(Identifier),
  }),
  reply: SiteSection,
  success: 201,
  location: `${site}/sections/:id`,
})

const oneSection = `${site}/sections/:siteSectionId` as const

export const updateSiteSection = endpoint('updateSiteSectionById', 'PATCH', oneSection, {
  summary: 'Update a section',
  description: 'Changes the members that are sent; the others stay as they are.',
  tag,
  body: Type.Object({
    title: Type.Optional(Title),
    path: Type.Optional(PathSegment),
    description: Type.Optional(NullableString({ maxLength: 256 })),
    icon: Type.Optional(Icon),
    condition: Type.Optional(Condition),
    defaultSiteSpace: Type.Optional(Identifier),
    draft: Type.Optional(Draft),
    siteSectionGroupId: Type.Optional(
      NullableString({ maxLength: 64, description: 'Id of the group to move it into; null for none.' }),
    ),
  }),
  bodyRequired: false,
  reply: SiteSection,
})

export const deleteSiteSection = endpoint('deleteSiteSectionById', 'DELETE', oneSection, {
  summary: 'Delete a section',
  description: 'Removes a section with its spaces from the site. The spaces themselves stay.',
  tag,
  success: 205,
})

export const moveSiteSection = endpoint('moveSiteSection', 'POST', `${oneSection}/move`, {
  summary: 'Move a section',
  description: 'Moves a section next to another section or group, also into its group.',
  tag,
  body: MoveBody,
  bodyRequired: false,
  reply: SiteSection,
})

export const listSiteSectionGroups = endpoint('listSiteSectionGroups', 'GET', `${site}/section-groups`, {
  summary: 'List section groups',
  description:
    'Returns the section groups of the site in the order of its structure, including those in other groups.',
  tag,
  query: ListQuery,
  large: true,
  reply: ListOf(SiteSectionGroup),
})

export const addSiteSectionGroup = endpoint('addSectionGroupToSite', 'POST', `${site}/section-groups`, {
  summary: 'Create a section group',
  description: 'Combines sections in a group.',
  tag,
  body: Type.Object({
    title: GroupTitle,
    icon: Type.Optional(Icon),
    sections: Type.Optional(Type.Array(Identifier, { maxItems: 200 })),
    parent: Type.Optional(Identifier),
  }),
  large: true,
  reply: SiteSectionGroup,
  success: 201,
  location: `${site}/section-groups/:id`,
})

const oneGroup = `${site}/section-groups/:siteSectionGroupId` as const

export const updateSiteSectionGroup = endpoint('updateSiteSectionGroupById', 'PATCH', oneGroup, {
  summary: 'Update a section group',
  description: 'Changes the title, icon or parent of a group.',
  tag,
  body: Type.Object({
    title: Type.Optional(GroupTitle),
    icon: Type.Optional(Icon),
    parentSectionGroupId: Type.Optional(
      NullableString({ maxLength: 64, description: 'Id of the group to move it into; null for none.' }),
    ),
  }),
  bodyRequired: false,
  large: true,
  reply: SiteSectionGroup,
})

export const deleteSiteSectionGroup = endpoint('deleteSiteSectionGroupById', 'DELETE', oneGroup, {
  summary: 'Delete a section group',
  description: 'Removes a group. What it contains takes its place.',
  tag,
  success: 205,
})

export const addSectionToGroup = endpoint('addSectionToGroup', 'POST', `${oneGroup}/sections`, {
  summary: 'Add a section to a group',
  description: 'Moves a section to the end of the group.',
  tag,
  body: Type.Object({ sectionId: Identifier }),
  large: true,
  reply: SiteSectionGroup,
  success: 201,
  location: `${site}/section-groups/:id`,
})

export const removeSectionFromGroup = endpoint(
  'removeSectionFromGroup',
  'DELETE',
  `${oneGroup}/sections/:siteSectionId`,
  {
    summary: 'Remove a section from a group',
    description: 'Moves a section out of the group, behind it.',
    tag,
    success: 205,
  },
)

export const moveSiteSectionGroup = endpoint('moveSiteSectionGroup', 'POST', `${oneGroup}/move`, {
  summary: 'Move a section group',
  description: 'Moves a group next to another section or group, also into its group.',
  tag,
  body: MoveBody,
  bodyRequired: false,
  large: true,
  reply: SiteSectionGroup,
})

export const listSiteSpaces = endpoint('listSiteSpaces', 'GET', `${site}/site-spaces`, {
  summary: 'List site spaces',
  description: 'Returns the spaces that the site shows, in the order of its structure.',
  tag,
  query: listQueryWith({
    shareKey: ShareKey,
    default: Type.Optional(
      Type.Boolean({ description: 'True returns only the default space of each section, false the others.' }),
    ),
  }),
  reply: ListOf(SiteSpace),
})

export const addSiteSpace = endpoint('addSpaceToSite', 'POST', `${site}/site-spaces`, {
  summary: 'Add a space to a site',
  description: 'Shows a space on the site, in the default section unless another one is named.',
  tag,
  body: Type.Object({
    spaceId: Identifier,
    sectionId: Type.Optional(Identifier),
    title: Type.Optional(Title),
    draft: Type.Optional(Draft),
  }),
  reply: SiteSpace,
  success: 201,
  location: `${site}/site-spaces/:id`,
})

const oneSpace = `${site}/site-spaces/:siteSpaceId` as const

export const updateSiteSpace = endpoint('updateSiteSpaceById', 'PATCH', oneSpace, {
  summary: 'Update a site space',
  description: 'Changes how the site shows a space, or shows another space in its place.',
  tag,
  body: Type.Object({
    path: Type.Optional(PathSegment),
    condition: Type.Optional(Condition),
    spaceId: Type.Optional(Identifier),
    title: Type.Optional(
      NullableString({ minLength: 2, maxLength: 128, description: 'Title; null for the one of the space.' }),
    ),
    draft: Type.Optional(Draft),
    hidden: Type.Optional(Type.Boolean({ description: 'True omits it from menus, search and feeds.' })),
  }),
  bodyRequired: false,
  reply: SiteSpace,
})

export const deleteSiteSpace = endpoint('deleteSiteSpaceById', 'DELETE', oneSpace, {
  summary: 'Remove a space from a site',
  description: 'Removes a space from the site. The space itself stays.',
  tag,
  success: 205,
})

export const moveSiteSpace = endpoint('moveSiteSpace', 'POST', `${oneSpace}/move`, {
  summary: 'Move a site space',
  description: 'Moves a space next to another, also into its section.',
  tag,
  body: MoveBody,
  bodyRequired: false,
  reply: SiteSpace,
})
