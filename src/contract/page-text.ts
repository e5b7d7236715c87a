/**
 * Text of a page for editors: read with its blocks and their spans, written by splices. Offsets count UTF-16 units, as
 * strings of JavaScript do.
 */
import Type, { type Static } from 'typebox'
import type { SourceChange } from '../core/editing/changed-blocks.js'
import type { SourceBlock, SourceDocument } from '../core/editing/source-blocks.js'
import { type BasePath, basePathOf, endpointAt } from './endpoint.js'
import { limits } from './limits.js'
import { shape } from './shapes.js'
import type { TagName } from './tags.js'

const Offset = Type.Integer({ minimum: 0 })

export const TextSpan = shape(
  'TextSpan',
  Type.Object(
    { start: Offset, end: Offset },
    { description: 'A half-open range of offsets in the text, in UTF-16 units.' },
  ),
)

/** SHA-256 of the UTF-8 bytes, base64url. */
export const TextHash = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: `${description}: SHA-256, base64url.`,
    examples: ['47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'],
  })

/** A block of a text; its members are documented in `docs/api/editing.md`. */
export const TextBlock = shape(
  'TextBlock',
  Type.Unsafe<SourceBlock>({
    type: 'object',
    required: ['type', 'span', 'attributes'],
    properties: {
      type: { type: 'string' },
      span: TextSpan,
      attributes: { type: 'object', description: 'Members of the block besides its content.' },
      inlines: {
        type: 'array',
        items: { type: 'object' },
        description: 'The content of a paragraph or heading.',
      },
      blocks: {
        type: 'array',
        items: { type: 'object' },
        description: 'Blocks inside, or the items, tabs, rows or cells of a group.',
      },
    },
  }),
)

export const SourceFootnotes = Type.Array(
  Type.Object({ identifier: Type.String(), span: TextSpan, blocks: Type.Array(TextBlock) }),
)

const TextTitle = Type.Object(
  {
    text: Type.String(),
    span: TextSpan,
    line: TextSpan,
  },
  {
    description:
      'The heading that is the title of the page: its words and their span, and the whole heading.',
  },
)

export const PageText = shape(
  'PageText',
  Type.Object({
    text: Type.String({ description: 'The Markdown of the page, as it is stored.' }),
    hash: TextHash('Of the text; the `ETag` of this response, and the base of an edit'),
    frontMatter: Type.Optional(TextSpan),
    title: Type.Optional(TextTitle),
    blocks: Type.Array(TextBlock),
    footnotes: SourceFootnotes,
  }),
)
export type PageText = SourceDocument & Pick<Static<typeof PageText>, 'text' | 'hash'>

const TextSplice = shape(
  'TextSplice',
  Type.Object(
    { start: Offset, end: Offset, text: Type.String({ maxLength: limits.bodyBytes }) },
    { description: 'Replaces the range from `start` to `end` by `text`.' },
  ),
)
const Splices = (description: string) => Type.Array(TextSplice, { maxItems: limits.textSplices, description })

export const TextEdit = shape(
  'TextEdit',
  Type.Object({
    base: TextHash('Of the text that the splices were made on'),
    splices: Splices('Ordered by offset, without overlaps; offsets are those of the base.'),
    client: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9_.:-]+$',
      description: 'A name that the client has chosen at random for itself, such as one for each editor.',
    }),
    seq: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Number of the edit, counted by the client for this page. An edit that is sent again with its number is made once, and answered as it was then.',
    }),
    canonical: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{16}$',
        examples: ['c2f4a1b09d3e7f58'],
        description:
          'Hash of the document that the editor means: where the text after the splices has another one, `wider` is tried, or else the blocks are returned in `asSource`.',
      }),
    ),
    wider: Type.Optional(
      Type.Array(Splices('The same edit.'), {
        maxItems: 2,
        description:
          'The same edit, with more of what is around it written anew: the next larger block, and so on.',
      }),
    ),
  }),
)
export type TextEdit = Static<typeof TextEdit>

const BlockChange = shape(
  'TextBlockChange',
  Type.Unsafe<SourceChange>(
    Type.Object(
      {
        path: Type.Array(Type.Integer(), {
          description: 'Positions of the containers around; empty for the page.',
        }),
        index: Type.Integer(),
        remove: Type.Integer(),
        blocks: Type.Array(TextBlock),
        shift: Type.Integer(),
      },
      {
        description:
          'Replaces `remove` blocks from `index` on by `blocks`, and moves those behind, and the ends of what is around, by `shift`.',
      },
    ),
  ),
)

const TextEdited = shape(
  'TextEdited',
  Type.Object({
    hash: TextHash('Of the text that is stored now: the base of the next edit'),
    revision: Type.String({ description: 'The revision that contains it.' }),
    path: Type.String({ description: 'The path of the page, which may have moved meanwhile.' }),
    came: Type.Array(TextSplice, {
      description:
        'What others did since the base, in offsets of the base after the own splices: applied there, they give the stored text.',
    }),
    frontMatter: Type.Optional(TextSpan),
    title: Type.Optional(TextTitle),
    blocks: Type.Optional(
      Type.Array(BlockChange, {
        description:
          'What changed in the blocks of the base, to be applied in this order. Absent where the response of an earlier request is repeated and its texts are no longer known: read the text again.',
      }),
    ),
    footnotes: Type.Optional(
      Type.Array(BlockChange, { description: 'The same for footnotes, as blocks of the type `footnote`.' }),
    ),
    width: Type.Optional(
      Type.Integer({
        description:
          'With `canonical`: which splices were taken: 0 for `splices`, then those of `wider`. Absent where no text has that document.',
      }),
    ),
    asSource: Type.Optional(
      Type.Array(TextSpan, {
        description: 'Blocks that are not what the editor means, to be displayed as their source.',
      }),
    ),
  }),
)
export type TextEdited = Static<typeof TextEdited>

function textEditEndpoint<Params extends string>(
  place: BasePath<Params>,
  name: string,
  { tag, noun }: { readonly tag: TagName; readonly noun: string },
) {
  return endpointAt(place, name, 'PATCH', '/page/:pageId/text', {
    summary: `Edit the text of a page of a ${noun}`,
    description:
      'Replaces ranges of the Markdown of a page. Edits of others since the base are merged; 409 with all versions where both changed the same, or where the base is not known.',
    tag,
    body: TextEdit,
    reply: TextEdited,
    large: true,
  })
}

export const editSpaceText = textEditEndpoint(basePathOf('/spaces/:spaceId/content'), 'updatePageTextById', {
  tag: 'Content',
  noun: 'space',
})
export const editChangeRequestText = textEditEndpoint(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  'updatePageTextInChangeRequestById',
  { tag: 'Content', noun: 'change request' },
)
