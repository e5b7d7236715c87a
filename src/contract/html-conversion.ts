/** Conversion for pasting: HTML or Markdown that a program has put into the clipboard, as a part of a page. */
import Type, { type Static } from 'typebox'
import type { SourceBlock, SourceFootnote } from '../core/editing/source-blocks.js'
import type { HtmlPage } from '../core/html/convert.js'
import { type BasePath, basePathOf, endpointAt } from './endpoint.js'
import { limits } from './limits.js'
import { SourceFootnotes, TextBlock } from './page-text.js'
import type { TagName } from './tags.js'

const ConvertBody = Type.Object({
  html: Type.Optional(
    Type.String({ maxLength: limits.bodyBytes, description: 'The `text/html` of a clipboard.' }),
  ),
  markdown: Type.Optional(
    Type.String({ maxLength: limits.bodyBytes, description: 'A text in Markdown, instead of `html`.' }),
  ),
})
export type ConvertBody = Static<typeof ConvertBody>

export interface ConvertedHtml extends Pick<HtmlPage, 'markdown' | 'droppedImages' | 'lost'> {
  readonly blocks: readonly SourceBlock[]
  readonly footnotes: readonly SourceFootnote[]
}

const DroppedImage = Type.Object({
  scheme: Type.String({ description: 'Scheme of its address: `data`, `cid`, `file`, `blob` and the like.' }),
  contentType: Type.Optional(Type.String({ description: 'Of a `data:` address.' })),
  name: Type.Optional(Type.String({ description: 'The last part of the address.' })),
})

const Converted = Type.Unsafe<ConvertedHtml>(
  Type.Object({
    markdown: Type.String(),
    blocks: Type.Array(TextBlock, { description: 'The blocks of the Markdown, with their positions in it.' }),
    footnotes: SourceFootnotes,
    droppedImages: Type.Array(DroppedImage, {
      description:
        'Images that only the machine knows from which they were copied. Upload and insert them apart.',
    }),
    lost: Type.Array(Type.String(), { description: 'What else Markdown cannot represent, in words.' }),
  }),
)

function convertEndpoint<Params extends string>(
  place: BasePath<Params>,
  operationId: string,
  { tag, noun }: { readonly tag: TagName; readonly noun: 'space' | 'change request' },
) {
  return endpointAt(place, operationId, 'POST', '/convert', {
    summary: `Convert HTML or Markdown for a ${noun}`,
    description:
      'Returns HTML, such as that of a clipboard, or Markdown, as Markdown with its blocks: a part of a page, in which a title is a heading. Nothing is written. Scripts and styles are dropped.',
    tag,
    body: ConvertBody,
    reads: true,
    reply: Converted,
    large: true,
  })
}

export const convertForSpace = convertEndpoint(basePathOf('/spaces/:spaceId/content'), 'convertHtml', {
  tag: 'Content',
  noun: 'space',
})

export const convertForChangeRequest = convertEndpoint(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId/content'),
  'convertHtmlInChangeRequest',
  { tag: 'Content', noun: 'change request' },
)
