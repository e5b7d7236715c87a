/** Batch changes of content: pages, files and what else a space contains. One batch makes one revision. */
import Type, { type Static } from 'typebox'
import { limits } from './limits.js'
import { File, PageLayout, tagColors } from './pages.js'
import { QueryFlag, Url, Words, shape } from './shapes.js'

const BatchName = Type.String({ minLength: 1, maxLength: 256 })
/** An id, or the name that the batch gave to a new page or file. */
const Reference = Type.String({ maxLength: 256 })
const PageText = Type.Object({ markdown: Type.String({ maxLength: limits.bodyBytes }) })
export interface ContentTarget {
  readonly kind: 'url' | 'page' | 'anchor' | 'file'
  readonly url?: string
  readonly page?: string
  readonly anchor?: string
  readonly file?: string
}

/** A reference in the form in which pages have it; ids may be names of this batch. */
function targetOf<Kind extends ContentTarget['kind']>(kinds: readonly Kind[], description: string) {
  const id = { type: 'string', minLength: 1, maxLength: 256 }
  const members = { url: { ...id, maxLength: 2048 }, page: id, anchor: id, file: id }
  return {
    type: 'object' as const,
    description,
    required: ['kind'],
    properties: { kind: { type: 'string', enum: [...kinds] }, ...members },
  }
}

/** Settings of documents, in the front matter. */
const documentSettings = {
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      description: 'The slugs of all tags of the page.',
    }),
  ),
  cover: Type.Optional(
    Type.Unsafe<{
      readonly ref?: ContentTarget | null
      readonly refDark?: ContentTarget | null
      readonly yPos?: number
      readonly height?: number | null
    } | null>({
      type: ['object', 'null'],
      description: 'The picture above the page; null for none. Absent members stay.',
      properties: {
        ref: {
          ...targetOf(['file', 'url'], 'A file of the content, or an address.'),
          type: ['object', 'null'],
        },
        refDark: { ...targetOf(['file', 'url'], 'The same in dark mode.'), type: ['object', 'null'] },
        yPos: { type: 'number', minimum: -10_000, maximum: 10_000 },
        height: { type: ['number', 'null'], minimum: 1, maximum: 10_000 },
      },
    }),
  ),
  layout: Type.Optional(
    Type.Partial(PageLayout, {
      description: 'Those members of the layout that change; a page begins with everything shown.',
    }),
  ),
}
const target = Type.Optional(
  Type.Unsafe<ContentTarget>(
    targetOf(
      ['url', 'page', 'anchor', 'file'],
      'Where a link page leads: an address, a page, a part of one, or a file.',
    ),
  ),
)

const pageMembers = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  linkTitle: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'What menus and links call the page where that is not its title; of documents only. Empty: they use the title.',
    }),
  ),
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  emoji: Type.Optional(Type.String({ maxLength: 50 })),
  icon: Type.Optional(Type.String({ maxLength: 50 })),
  description: Type.Optional(Type.String({ maxLength: 300 })),
  hidden: Type.Optional(Type.Boolean()),
  noIndex: Type.Optional(Type.Boolean()),
  noRobotsIndex: Type.Optional(Type.Boolean()),
  condition: Type.Optional(Type.String({ maxLength: 1024 })),
  at: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Index among the siblings; the end when absent.' }),
  ),
}

const VariableValue = { type: ['string', 'number', 'boolean'], maxLength: 256 }
const PageVariables = Type.Record(Type.String(), Type.Unsafe<string | number | boolean>(VariableValue), {
  maxProperties: 200,
  description: 'Variables of the page, by name.',
})
/** Null removes. */
const VariableChanges = Type.Record(
  Type.String(),
  Type.Unsafe<string | number | boolean | null>({
    ...VariableValue,
    type: [...VariableValue.type, 'null'],
  }),
  {
    maxProperties: 200,
    description: 'Values by name; null removes a variable, those that are absent stay.',
  },
)

/** The source of a computed page, returned where computed pages are not expanded. */
const Computed = Type.Object(
  {
    type: Type.Literal('builtin:openapi'),
    props: Type.Optional(
      Type.Object({
        models: Type.Optional(Type.Boolean({ description: 'Whether the schemas get a page.' })),
        grouping: Type.Optional(
          Words(['tag', 'operation'], { description: 'What gets a page of its own; "tag" by default.' }),
        ),
      }),
    ),
    dependencies: Type.Object({
      spec: Type.Object({
        ref: Type.Union([
          Type.Object({
            kind: Type.Literal('openapi'),
            spec: Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$' }),
          }),
          Type.Object({
            kind: Type.Literal('file'),
            file: Type.String({
              minLength: 1,
              maxLength: 1024,
              description:
                'A file of the space: its path relative to the folder of the table of contents, its id, or the `ref` of a file of this batch.',
            }),
          }),
        ]),
      }),
    }),
  },
  { description: 'The OpenAPI specification that pages are generated from.' },
)

export const InsertPage = shape(
  'InsertPage',
  Type.Object({
    operation: Type.Literal('insert_page'),
    type: Type.Optional(
      Words(['document', 'computed', 'group', 'link'], {
        description: 'A group has a title, a link page a title and a `target`; others need no type.',
      }),
    ),
    document: Type.Optional(PageText),
    computed: Type.Optional(Computed),
    target,
    ...pageMembers,
    ...documentSettings,
    variables: Type.Optional(PageVariables),
    into: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'The parent: its id, or the `ref` of a page of this batch.',
      }),
    ),
    ref: Type.Optional(BatchName),
  }),
)
export const UpdatePage = shape(
  'UpdatePage',
  Type.Object({
    operation: Type.Literal('update_page'),
    page: Reference,
    base: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'What the change was made on: a revision, or the hash of an earlier text of the page (SHA-256, base64url). What was written since is merged; 409 with both versions where that changed the same. Absent: the change replaces what is there.',
      }),
    ),
    type: Type.Optional(
      Words(['document'], {
        description: 'Turns a group into a page with the same subpages; `document` is its text.',
      }),
    ),
    document: Type.Optional(PageText),
    computed: Type.Optional(Computed),
    target,
    ...pageMembers,
    ...documentSettings,
    variables: Type.Optional(VariableChanges),
    into: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 256,
        description: 'The new parent; null for the top level.',
      }),
    ),
  }),
)
export const DeletePage = shape(
  'DeletePage',
  Type.Object({ operation: Type.Literal('delete_page'), page: Reference }),
)
export const RevertPage = shape(
  'RevertPage',
  Type.Object({
    operation: Type.Literal('revert_page'),
    page: Reference,
    revision: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The revision to revert to; the base of the change request when absent.',
      }),
    ),
  }),
)
export const InsertFiles = shape(
  'InsertFiles',
  Type.Object({
    operation: Type.Literal('insert_files'),
    files: Type.Array(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 256 }),
        ref: Type.Optional(BatchName),
        contentType: Type.Optional(Type.String({ maxLength: 255 })),
        url: Type.Optional(Url),
        base64: Type.Optional(
          Type.String({ maxLength: 1_400_000, description: 'The bytes of the file, at most 1 MB.' }),
        ),
      }),
      { minItems: 1, maxItems: 20 },
    ),
  }),
)

const FileReference = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The id of a file, or the `ref` of a file of this batch.',
})
export const UpdateFile = shape(
  'UpdateFile',
  Type.Object({
    operation: Type.Literal('update_file'),
    file: FileReference,
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'A new name in the same folder; links to the file follow.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'A new path, with its folders, in place of `name`; links to the file follow.',
      }),
    ),
  }),
)
export const DeleteFile = shape(
  'DeleteFile',
  Type.Object({ operation: Type.Literal('delete_file'), file: FileReference }),
)

const ReusableContentReference = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The id of a reusable content, or the `ref` of one of this batch.',
})
const reusableContentTitle = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: '\\S',
    description: 'Kept in the front matter of the text; one that is there already takes precedence.',
  }),
)
export const InsertReusableContent = shape(
  'InsertReusableContent',
  Type.Object({
    operation: Type.Literal('insert_reusable_content'),
    title: reusableContentTitle,
    document: PageText,
    ref: Type.Optional(BatchName),
  }),
)
export const UpdateReusableContent = shape(
  'UpdateReusableContent',
  Type.Object({
    operation: Type.Literal('update_reusable_content'),
    reusableContent: ReusableContentReference,
    base: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'What the change was made on: a revision, or the hash of an earlier text, as of `update_page`.',
      }),
    ),
    title: reusableContentTitle,
    document: Type.Optional(PageText),
  }),
)
export const DeleteReusableContent = shape(
  'DeleteReusableContent',
  Type.Object({
    operation: Type.Literal('delete_reusable_content'),
    reusableContent: ReusableContentReference,
  }),
)

export const UpdateVariables = shape(
  'UpdateVariables',
  Type.Object({ operation: Type.Literal('update_variables'), variables: VariableChanges }),
)

const TagReference = Type.String({ minLength: 1, maxLength: 100, description: 'The slug of a tag.' })
const tagMembers = {
  color: Type.Optional(Words(tagColors)),
  icon: Type.Optional(Type.String({ maxLength: 50, description: 'Name of an icon; empty for none.' })),
  at: Type.Optional(Type.Integer({ minimum: 0, description: 'Index among the tags; the end when absent.' })),
}
const TagLabel = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
export const InsertTag = shape(
  'InsertTag',
  Type.Object({
    operation: Type.Literal('insert_tag'),
    label: TagLabel,
    slug: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The name with which pages refer to the tag; made from the label when absent.',
      }),
    ),
    ...tagMembers,
  }),
)
export const UpdateTag = shape(
  'UpdateTag',
  Type.Object({
    operation: Type.Literal('update_tag'),
    tag: TagReference,
    label: Type.Optional(TagLabel),
    ...tagMembers,
  }),
)
export const DeleteTag = shape(
  'DeleteTag',
  Type.Object({ operation: Type.Literal('delete_tag'), tag: TagReference }),
)

const operations = [
  InsertPage,
  UpdatePage,
  DeletePage,
  RevertPage,
  InsertFiles,
  UpdateFile,
  DeleteFile,
  InsertReusableContent,
  UpdateReusableContent,
  DeleteReusableContent,
  UpdateVariables,
  InsertTag,
  UpdateTag,
  DeleteTag,
] as const
export const Change = Type.Union([...operations])
export type Change = Static<(typeof operations)[number]>
/** The change with this name. */
export type ChangeOf<Operation extends Change['operation']> = Extract<Change, { operation: Operation }>

/** Discriminated by `operation`, so that errors name the wrong member instead of "matches no alternative". */
export const ChangesBody = Type.Object({
  changes: Type.Unsafe<Change[]>({
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: {
      type: 'object',
      required: ['operation'],
      discriminator: { propertyName: 'operation' },
      oneOf: [...operations],
    },
  }),
})
export const ChangesQuery = Type.Object({
  compat: QueryFlag({ default: true, description: 'False returns the result of each change as well.' }),
})

export const ChangeOutcome = Type.Object({
  object: Words([
    'created_page',
    'updated_page',
    'deleted_page',
    'updated_file',
    'deleted_file',
    'created_reusable_content',
    'updated_reusable_content',
    'deleted_reusable_content',
    'updated_variables',
    'created_tag',
    'updated_tag',
    'deleted_tag',
  ]),
  ref: Type.Optional(Type.String()),
  page: Type.Optional(
    Type.Unsafe<string | { object: 'page'; id: string; urls: { location: string } }>({
      type: ['string', 'object'],
    }),
  ),
  file: Type.Optional(Type.String({ description: 'The id of a file.' })),
  reusableContent: Type.Optional(Type.String({ description: 'The id of a reusable content.' })),
  tag: Type.Optional(Type.String({ description: 'The slug of a tag.' })),
  usedBy: Type.Optional(
    Type.Array(
      Type.Object({
        page: Type.Optional(Type.String()),
        reusableContent: Type.Optional(Type.String()),
        site: Type.Optional(Type.String()),
      }),
      {
        description:
          'The ids of what still refers to what was deleted, at most 100: broken links, sites with a deleted file, or pages with the tag.',
      },
    ),
  ),
})
export type ChangeOutcome = Static<typeof ChangeOutcome>

/** A file of a change, with the name that the batch gave it. */
export const InsertedFile = Type.Object({ ...File.properties, ref: Type.Optional(Type.String()) })
