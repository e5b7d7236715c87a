/** Pages, files and tags of a revision. */
import Type, { type Static } from 'typebox'
import { Timestamp, Words, shape } from './shapes.js'

export const pageTypes = ['document', 'group', 'link', 'computed'] as const

export const Git = Type.Object({ oid: Type.String(), path: Type.String() })

export const ContentRef = shape(
  'ContentRef',
  Type.Object(
    { kind: Type.String({ maxLength: 32 }) },
    { additionalProperties: true, description: 'Target of a link.' },
  ),
)

export const PageLayout = shape(
  'PageLayout',
  Type.Object({
    width: Words(['default', 'wide']),
    cover: Type.Boolean(),
    coverSize: Words(['hero', 'full']),
    coverMask: Words(['none', 'radial']),
    title: Type.Boolean(),
    description: Type.Boolean(),
    tableOfContents: Type.Boolean(),
    outline: Type.Boolean(),
    pagination: Type.Boolean(),
    metadata: Type.Boolean(),
    tags: Type.Boolean(),
    actions: Type.Boolean(),
    anchors: Type.Boolean(),
  }),
)

/** A tag that a page carries, by its name. */
export interface PageTag {
  tag: { kind: 'tag'; tag: string }
  primary?: boolean
}

export interface Page {
  id: string
  title: string
  type: (typeof pageTypes)[number]
  kind?: 'sheet' | 'group' | 'link'
  emoji?: string
  icon?: string
  createdAt?: string
  updatedAt?: string
  slug?: string
  path?: string
  file?: string
  description?: string
  linkTitle?: string
  tags?: readonly PageTag[]
  condition?: string
  documentId?: string
  pages?: Page[]
  childCount?: number
  hidden?: boolean
  noIndex?: boolean
  noRobotsIndex?: boolean
  layout?: Static<typeof PageLayout>
  cover?: { ref?: object; refDark?: object; yPos: number; height?: number }
  variables?: Readonly<Record<string, string | number | boolean>>
  git?: { oid: string; path: string }
  urls?: { app: string }
  target?: object
  href?: string
  computed?: object
  computedSeed?: string
  markdown?: string
  document?: object
}

/** JSON Schema for the OpenAPI document; pages are serialised without it, for speed. */
export const Page = shape(
  'Page',
  Type.Unsafe<Page>({
    type: 'object',
    required: ['id', 'title', 'type'],
    properties: {
      id: { type: 'string' },
      title: { type: 'string' },
      type: { type: 'string', enum: [...pageTypes] },
      kind: { type: 'string', enum: ['sheet', 'group', 'link'], deprecated: true },
      emoji: { type: 'string' },
      icon: { type: 'string' },
      createdAt: Timestamp,
      updatedAt: Timestamp,
      slug: { type: 'string' },
      path: { type: 'string' },
      file: {
        type: 'string',
        description: 'Of a document: where an export writes its text; relative links lead there.',
      },
      description: { type: 'string' },
      linkTitle: { type: 'string' },
      tags: {
        type: 'array',
        items: {
          type: 'object',
          required: ['tag'],
          properties: { tag: ContentRef, primary: { type: 'boolean' } },
        },
      },
      condition: { type: 'string' },
      documentId: { type: 'string' },
      pages: { type: 'array', items: { type: 'object', description: 'A page below this one.' } },
      childCount: {
        type: 'integer',
        description: 'Number of pages directly below this one; returned by parts of a page tree.',
      },
      hidden: { type: 'boolean' },
      noIndex: { type: 'boolean' },
      noRobotsIndex: { type: 'boolean' },
      layout: PageLayout,
      cover: {
        type: 'object',
        properties: {
          ref: ContentRef,
          refDark: ContentRef,
          yPos: { type: 'number' },
          height: { type: 'number' },
        },
      },
      variables: { type: 'object' },
      git: Git,
      urls: { type: 'object', properties: { app: { type: 'string' } } },
      target: ContentRef,
      href: { type: 'string' },
      computed: { type: 'object' },
      computedSeed: { type: 'string' },
      markdown: {
        type: 'string',
        description: 'The stored text; returned if `format` is "markdown" or absent.',
      },
      document: {
        type: 'object',
        description: 'The text as a tree of blocks; returned if `format` is "document" or absent.',
      },
    },
  }),
)

/** Members of a page that a list of pages returns on request; the others are always returned, or never. */
export const pageFields = [
  'slug',
  'path',
  'file',
  'emoji',
  'icon',
  'hidden',
  'childCount',
  'kind',
  'createdAt',
  'updatedAt',
  'description',
  'linkTitle',
  'tags',
  'condition',
  'variables',
  'documentId',
  'noIndex',
  'noRobotsIndex',
  'layout',
  'cover',
  'urls',
  'target',
  'href',
  'computed',
  'computedSeed',
] as const satisfies readonly (keyof Page)[]
export type PageField = (typeof pageFields)[number]
/** Members that are always returned; lists of fields may name them. */
export const requiredPageFields = ['id', 'title', 'type'] as const satisfies readonly (keyof Page)[]

export const File = shape(
  'File',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    path: Type.String({ description: 'Where an export writes it; relative links lead there.' }),
    contentType: Type.String(),
    downloadURL: Type.String({
      description:
        'Address of the bytes, which needs no header. It is valid for six to twelve hours, while the session or API token of the caller is valid and the caller may read the space.',
    }),
    size: Type.Integer(),
    dimensions: Type.Optional(Type.Object({ width: Type.Integer(), height: Type.Integer() })),
    git: Type.Optional(Git),
  }),
)
export type File = Static<typeof File>

export const tagColors = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
  '$tint',
] as const

export const Tag = shape(
  'RevisionTag',
  Type.Object({
    slug: Type.String({ description: 'The name with which pages refer to the tag.' }),
    label: Type.String(),
    color: Words(tagColors),
    icon: Type.Optional(Type.String()),
  }),
)
export type Tag = Static<typeof Tag>
