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
      sectionGroup: { type: 'string', description: 'The group around it.' },
      sections: { type: 'array', items: SiteSection, description: 'Those directly inside.' },
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
  { description: 'Beside what; at the end of its own level when it is left out.' },
)
export type ItemPosition = Static<typeof Position>
const MoveBody = Type.Object({ position: Type.Optional(Position) })

export const ShareKey = Type.Optional(Type.String({ maxLength: 256 }))

const site = '/orgs/:organizationId/sites/:siteId'
const tag = 'site structure'

const PathSegment = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\s/\\\\?#%~.][^\\s/\\\\?#%]*$',
  description:
    'One part of an address, kept in lower case: no blanks, none of / \\ ? # %, and neither "~" nor "." at its beginning.',
})
const Title = Type.String({ minLength: 2, maxLength: 128 })
const GroupTitle = Type.String({ minLength: 1, maxLength: 100 })
const Icon = NullableString({ maxLength: 50, description: 'The name of an icon; null for none.' })
const Condition = NullableString({
  minLength: 1,
  maxLength: 1024,
  description: 'Who sees it, on adaptive sites; null for everybody.',
})
const Draft = Type.Boolean({ description: 'True keeps it from readers.' })

export const getSiteStructure = endpoint('getSiteStructure', 'GET', `${site}/structure`, {
  summary: 'What the site shows, in its order: sections with their groups, or spaces while it has none',
  tag,
  readers: true,
  query: Type.Object({ shareKey: ShareKey }),
  large: true,
  reply: SiteStructure,
})

export const sortSiteStructure = endpoint('sortSiteStructure', 'PATCH', `${site}/structure/sort`, {
  summary: 'Move a space, a section or a group beside another, also into its section or group',
  tag,
  body: Type.Object({ item: ItemPointer, position: Type.Optional(Position) }),
  large: true,
  reply: Type.Unsafe<SiteSpace | SiteSection | SiteSectionGroup>({
    anyOf: [SiteSpace, SiteSection, SiteSectionGroup],
  }),
})

export const listSiteSections = endpoint('listSiteSections', 'GET', `${site}/sections`, {
  summary: 'The sections of the site, those in groups included',
  tag,
  query: listQueryWith({ shareKey: ShareKey }),
  reply: ListOf(SiteSection),
})

export const addSiteSection = endpoint('addSectionToSite', 'POST', `${site}/sections`, {
  summary:
    'Show a space in a section of its own; the first one gathers what the site showed before in another',
  tag,
  body: Type.Object({
    spaceId: Identifier,
    title: Type.Optional(
      NullableString({ minLength: 2, maxLength: 64, description: 'That of the space when left out.' }),
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
  summary: 'Change a section',
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
      NullableString({ maxLength: 64, description: 'The group to move it into; null for none.' }),
    ),
  }),
  bodyRequired: false,
  reply: SiteSection,
})

export const deleteSiteSection = endpoint('deleteSiteSectionById', 'DELETE', oneSection, {
  summary: 'Remove a section with the spaces that it shows; the spaces themselves stay',
  tag,
  success: 205,
})

export const moveSiteSection = endpoint('moveSiteSection', 'POST', `${oneSection}/move`, {
  summary: 'Move a section beside another section or group, also into its group',
  tag,
  body: MoveBody,
  bodyRequired: false,
  reply: SiteSection,
})

export const listSiteSectionGroups = endpoint('listSiteSectionGroups', 'GET', `${site}/section-groups`, {
  summary: 'The groups of sections of the site, those in other groups included',
  tag,
  query: ListQuery,
  large: true,
  reply: ListOf(SiteSectionGroup),
})

export const addSiteSectionGroup = endpoint('addSectionGroupToSite', 'POST', `${site}/section-groups`, {
  summary: 'Gather sections in a group',
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
  summary: 'Change a group of sections',
  tag,
  body: Type.Object({
    title: Type.Optional(GroupTitle),
    icon: Type.Optional(Icon),
    parentSectionGroupId: Type.Optional(
      NullableString({ maxLength: 64, description: 'The group to move it into; null for none.' }),
    ),
  }),
  bodyRequired: false,
  large: true,
  reply: SiteSectionGroup,
})

export const deleteSiteSectionGroup = endpoint('deleteSiteSectionGroupById', 'DELETE', oneGroup, {
  summary: 'Remove a group; what is inside takes its place',
  tag,
  success: 205,
})

export const addSectionToGroup = endpoint('addSectionToGroup', 'POST', `${oneGroup}/sections`, {
  summary: 'Put a section at the end of the group, wherever it was',
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
  { summary: 'Take a section out of the group; it stands behind the group then', tag, success: 205 },
)

export const moveSiteSectionGroup = endpoint('moveSiteSectionGroup', 'POST', `${oneGroup}/move`, {
  summary: 'Move a group beside another section or group, also into its group',
  tag,
  body: MoveBody,
  bodyRequired: false,
  large: true,
  reply: SiteSectionGroup,
})

export const listSiteSpaces = endpoint('listSiteSpaces', 'GET', `${site}/site-spaces`, {
  summary: 'The spaces that the site shows',
  tag,
  query: listQueryWith({ shareKey: ShareKey, default: Type.Optional(Type.Boolean()) }),
  reply: ListOf(SiteSpace),
})

export const addSiteSpace = endpoint('addSpaceToSite', 'POST', `${site}/site-spaces`, {
  summary: 'Show a space on the site, in the default section where no other is named',
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
  summary: 'Change how the site shows a space, or show another space in its place',
  tag,
  body: Type.Object({
    path: Type.Optional(PathSegment),
    condition: Type.Optional(Condition),
    spaceId: Type.Optional(Identifier),
    title: Type.Optional(
      NullableString({ minLength: 2, maxLength: 128, description: 'Null for that of the space.' }),
    ),
    draft: Type.Optional(Draft),
    hidden: Type.Optional(Type.Boolean({ description: 'True leaves it out of menus, search and feeds.' })),
  }),
  bodyRequired: false,
  reply: SiteSpace,
})

export const deleteSiteSpace = endpoint('deleteSiteSpaceById', 'DELETE', oneSpace, {
  summary: 'Show a space no longer; the space itself stays',
  tag,
  success: 205,
})

export const moveSiteSpace = endpoint('moveSiteSpace', 'POST', `${oneSpace}/move`, {
  summary: 'Move a space beside another, also into its section',
  tag,
  body: MoveBody,
  bodyRequired: false,
  reply: SiteSpace,
})
