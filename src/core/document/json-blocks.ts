/** Serializes blocks as the API's JSON, one case per type; the compiler reports a missing one. */
import type { DocumentJson, JsonWriter } from './json-node.js'
import { inlinesJson, namedRef, refJson } from './json-inlines.js'
import { tableJson } from './json-table.js'
import type { Block, Image, Inline, Span } from './types.js'

/** Returns a fragment with one line of text, such as a caption. */
function lineFragment(
  name: string,
  type: string,
  inlines: readonly Inline[],
  key: string,
  writer: JsonWriter,
): DocumentJson {
  const paragraph = {
    object: 'block',
    type: 'paragraph',
    key: `${key}.${name}.0`,
    isVoid: false,
    data: {},
    nodes: inlinesJson(inlines, `${key}.${name}.0`, writer),
  }
  return { object: 'fragment', type, fragment: type, key: `${key}.${name}`, nodes: [paragraph] }
}

/** Returns `data` without the members that are undefined. */
function definedOnly(data: { readonly [key: string]: DocumentJson[string] | undefined }): DocumentJson {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as DocumentJson
}

/** Marks a block without child nodes. */
const isVoid = { isVoid: true }

/** Returns the JSON of one block; `key` is its position in the document. */
export function blockJson(block: Block, key: string, writer: JsonWriter): DocumentJson {
  const placeJson = ({ start, end }: Span): DocumentJson => (writer.spans ? { span: { start, end } } : {})
  const of = (
    data: Parameters<typeof definedOnly>[0],
    content: DocumentJson,
    type: string = block.type,
  ): DocumentJson => ({
    object: 'block',
    type,
    key,
    isVoid: false,
    ...placeJson(block.span),
    data: definedOnly(data),
    ...content,
  })
  const inner = (blocks: readonly Block[]): DocumentJson => ({ nodes: writer.blocks(blocks, key) })
  const meta = (anchor: string): DocumentJson => ({ meta: { id: anchor } })
  const part = (
    type: string,
    index: number,
    data: Parameters<typeof definedOnly>[0],
    { span, blocks }: { readonly span: Span; readonly blocks: readonly Block[] },
    more: DocumentJson = {},
  ): DocumentJson => ({
    object: 'block',
    type,
    key: `${key}.${index}`,
    isVoid: false,
    ...placeJson(span),
    data: definedOnly(data),
    ...more,
    nodes: writer.blocks(blocks, `${key}.${index}`),
  })
  switch (block.type) {
    case 'paragraph':
      return of({ align: block.align }, { nodes: inlinesJson(block.children, key, writer) })
    case 'heading':
      return of(
        { id: block.anchor, align: block.align },
        { ...meta(block.anchor), nodes: inlinesJson(block.children, key, writer) },
        `heading-${block.level}`,
      )
    case 'list':
      return of(
        { start: block.kind === 'ordered' && block.start !== 1 ? block.start : undefined },
        {
          nodes: block.items.map((item, index) => part('list-item', index, { checked: item.checked }, item)),
        },
        `list-${block.kind}`,
      )
    case 'divider':
      return of({}, isVoid)
    case 'blockquote':
      return of({}, inner(block.blocks))
    case 'hint':
      return of({ style: block.style, icon: block.icon }, inner(block.blocks))
    case 'code': {
      const { syntax, title, overflow, lineNumbers, fullWidth, expandable } = block
      return of(
        { syntax, title, overflow, lineNumbers, fullWidth, expandable },
        { nodes: codeLines(block.code, block.highlighted ?? [], key) },
      )
    }
    case 'math':
      return of({ formula: block.formula }, isVoid)
    case 'images':
      return of(
        { align: block.align, fullWidth: block.fullWidth, withFrame: block.withFrame },
        { nodes: block.images.map((image, index) => imageJson(image, `${key}.${index}`, writer)) },
      )
    case 'file':
      return of(
        { ref: namedRef(block.src, 'file', 'file', writer) },
        { ...isVoid, ...captionJson(block.caption, key, writer) },
      )
    case 'drawing':
      return of({ ref: refJson(block.src, 'image', writer), alt: block.alt }, isVoid)
    case 'embed':
      return of(
        { url: block.url, fullWidth: block.fullWidth },
        { ...isVoid, ...captionJson(block.caption, key, writer) },
      )
    case 'content-ref':
      return of({ ref: refJson(block.url, 'content-ref', writer) }, isVoid)
    case 'reusable-content':
      return of({ ref: namedRef(block.src, 'reusable-content', 'reusableContent', writer) }, isVoid)
    case 'expandable':
      return of(
        { defaultExpanded: block.open || undefined },
        {
          ...isVoid,
          ...meta(block.anchor),
          fragments: [
            lineFragment('title', 'expandable-title', block.title, key, writer),
            {
              object: 'fragment',
              type: 'expandable-body',
              fragment: 'expandable-body',
              key: `${key}.body`,
              nodes: writer.blocks(block.blocks, `${key}.body`),
            },
          ],
        },
      )
    case 'tabs':
      return of(
        { fullWidth: block.fullWidth },
        {
          nodes: block.tabs.map((tab, index) =>
            part('tabs-item', index, { title: tab.title, icon: tab.icon }, tab, meta(tab.anchor)),
          ),
        },
      )
    case 'stepper':
      return of(
        {},
        {
          nodes: block.steps.map((step, index) => part('stepper-step', index, { icon: step.icon }, step)),
        },
      )
    case 'columns':
      return of(
        { fullWidth: block.fullWidth },
        {
          nodes: block.columns.map((column, index) =>
            part(
              'column',
              index,
              { width: widthJson(column.width), verticalAlignment: column.verticalAlignment },
              column,
            ),
          ),
        },
      )
    case 'table':
      return { ...tableJson(block, key, writer), ...placeJson(block.span) }
    case 'if':
      return of({ expression: block.expression }, inner(block.blocks))
    case 'updates':
      return of(
        { format: block.format },
        {
          nodes: block.updates.map((update, index) =>
            part(
              'update',
              index,
              { date: timestampOf(update.date), tags: update.tags?.map((tag) => ({ kind: 'tag', tag })) },
              update,
              meta(update.anchor),
            ),
          ),
        },
      )
    case 'prompt': {
      const { description, icon, openInAIProviders, defaultExpanded } = block
      const code = {
        object: 'block',
        type: 'code',
        key: `${key}.0`,
        isVoid: false,
        data: {},
        nodes: codeLines(block.text, [], `${key}.0`),
      }
      return of({ description, icon, openInAIProviders, defaultExpanded }, { nodes: [code] })
    }
    case 'swagger':
    case 'openapi-operation':
    case 'openapi-schemas':
    case 'openapi-webhook': {
      const { path, method, name, schemas, grouped } = block
      const ref = block.src
        ? refJson(block.src, 'openapi', writer)
        : { kind: 'openapi', spec: block.spec ?? '' }
      return of({ ref, path, method, name, schemas, grouped }, { ...isVoid, ...inner(block.blocks) })
    }
    case 'integration':
      return of(
        { integration: block.integration, block: block.block, props: block.props, url: block.props.url },
        isVoid,
      )
    case 'html':
      // The API has no block for HTML: it is returned as a code block with the source.
      return of({ syntax: 'html' }, { nodes: codeLines(block.html, [], key) }, 'code')
  }
}

function captionJson(caption: readonly Inline[], key: string, writer: JsonWriter): DocumentJson {
  return { fragments: caption.length > 0 ? [lineFragment('caption', 'caption', caption, key, writer)] : [] }
}

/** Each line node costs two hundred bytes besides its text: all lines beyond this share the last node, line breaks included. */
const maxCodeLines = 20_000

function codeLines(code: string, highlighted: readonly number[], key: string): readonly DocumentJson[] {
  const marked = new Set(highlighted)
  const lines = code.split('\n', maxCodeLines)
  if (lines.length === maxCodeLines) {
    const before = lines.slice(0, -1).reduce((length, line) => length + line.length + 1, 0)
    lines[maxCodeLines - 1] = code.slice(before)
  }
  return lines.map((text, index) => ({
    object: 'block',
    type: 'code-line',
    key: `${key}.${index}`,
    isVoid: false,
    data: marked.has(index) ? { highlighted: true } : {},
    nodes: [{ object: 'text', key: `${key}.${index}.0`, leaves: [{ object: 'leaf', text, marks: [] }] }],
  }))
}

function imageJson(image: Image, key: string, writer: JsonWriter): DocumentJson {
  return {
    object: 'block',
    type: 'image',
    key,
    data: definedOnly({
      ref: refJson(image.src, 'image', writer),
      refDark: image.srcDark ? refJson(image.srcDark, 'image', writer) : undefined,
      width: sizeJson(image.width),
      height: sizeJson(image.height),
      alt: image.alt,
    }),
    ...isVoid,
    ...captionJson(image.caption ?? [], key, writer),
  }
}

/** A date as a timestamp of its start; an invalid date stays as written. */
function timestampOf(date: string | undefined): string | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? date : new Date(time).toISOString()
}

function sizeJson(size: string | undefined): number | string | undefined {
  return size !== undefined && /^\d{1,6}(?:px)?$/.test(size) ? Number.parseInt(size, 10) : size
}

function widthJson(width: string | undefined): number | DocumentJson | undefined {
  const match = /^(\d{1,6}(?:\.\d{1,6})?)(%|px)?$/.exec(width ?? '')
  if (!match) return undefined
  return match[2] ? { value: Number(match[1]), unit: match[2] } : Number(match[1])
}
