/**
 * Clipboard. What is copied has the nodes with their attributes, so that it is pasted as it was, also on another page; a
 * block that is cut and pasted in the editor that it came from keeps the bytes of its source. Markup from elsewhere is
 * converted by the server; where that is not possible, ProseMirror takes from it what it knows.
 */
import { DOMParser, DOMSerializer, type Node as ProseNode, Slice } from 'prosemirror-model'
import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { EditedBlock } from '../../../core/editing/source-blocks.js'
import { blockTypeOf } from '../construct.js'
import { blockNodes, documentSchema } from '../schema.js'
import { setLink } from '../commands/text-commands.js'

export interface ClipboardOptions {
  /** Names this editor in what it copies. */
  readonly editor: string
  /** Converts markup or Markdown to blocks; undefined where that is not possible. */
  readonly convert: (
    content: { readonly html: string } | { readonly markdown: string },
  ) => Promise<readonly EditedBlock[] | undefined>
  /** Stores a file; returns its path. */
  readonly upload: (file: File) => Promise<string | undefined>
  /** Returns the title and destination of an address of the app; undefined for any other. */
  readonly describeAddress: (
    address: string,
  ) => Promise<{ readonly url: string; readonly title: string } | undefined>
  readonly nodesOf: (blocks: readonly EditedBlock[]) => readonly ProseNode[]
}

const serializer = DOMSerializer.fromSchema(documentSchema)

/** Serializes nodes with their attributes. */
function clipboardSerializer(editor: string): DOMSerializer {
  const nodes = { ...serializer.nodes }
  for (const name of blockNodes.keys()) {
    const write = nodes[name]!
    nodes[name] = (node) => {
      const { dom, contentDOM } = DOMSerializer.renderSpec(document, write(node))
      const target = dom as HTMLElement
      target.setAttribute('data-block', blockTypeOf(node))
      target.setAttribute('data-attributes', JSON.stringify(node.attrs['attributes']))
      target.setAttribute('data-key', `${editor}:${node.attrs['key']}`)
      return contentDOM ? { dom: target, contentDOM } : { dom: target }
    }
  }
  return new DOMSerializer(nodes, serializer.marks)
}

/** Parses what an editor copied; `key` only where it was this one. */
function clipboardParser(editor: string): DOMParser {
  const own = [...blockNodes.keys()].map((name) => ({
    tag: `[data-block="${name.replaceAll('_', '-')}"]`,
    node: name,
    priority: 100,
    ...(documentSchema.nodes[name]!.spec.code && { preserveWhitespace: 'full' as const }),
    getAttrs: (element: HTMLElement) => {
      const attributes = parseAttributes(element.getAttribute('data-attributes'))
      const [source, key] = (element.getAttribute('data-key') ?? '').split(':')
      return (
        attributes && {
          attributes,
          key: source === editor && key !== undefined && /^\d+$/.test(key) ? Number(key) : null,
        }
      )
    },
  }))
  return new DOMParser(documentSchema, [...own, ...DOMParser.fromSchema(documentSchema).rules])
}

function parseAttributes(json: string | null): object | false {
  try {
    const value: unknown = JSON.parse(json ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : false
  } catch {
    return false
  }
}

export function clipboardPlugin(options: ClipboardOptions): Plugin {
  return new Plugin({
    props: {
      clipboardSerializer: clipboardSerializer(options.editor),
      clipboardParser: clipboardParser(options.editor),
      // Lines are paragraphs where a blank line is between them, as in Markdown.
      clipboardTextParser: (text, $context) => textSlice(text, $context.parent.type.spec.code === true),
      handlePaste: (view, event) => paste(view, event, options),
      handleDrop(view, event, _, isMoved) {
        const files = isMoved ? [] : picturesOf(event.dataTransfer)
        if (files.length === 0) return false
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
        void insertFiles(view, files, options, place?.pos)
        return true
      },
    },
  })
}

function textSlice(text: string, isCode: boolean): Slice {
  const { nodes } = documentSchema
  const lines = text.replaceAll('\r\n', '\n')
  if (isCode)
    return new Slice(documentSchema.nodes['code']!.create(null, documentSchema.text(lines)).content, 0, 0)
  const paragraphs = lines.split(/\n{2,}/).map((part) => {
    const content = part
      .split('\n')
      .flatMap((line, index) => [
        ...(index > 0 ? [nodes['hard_break']!.create()] : []),
        ...(line === '' ? [] : [documentSchema.text(line)]),
      ])
    return nodes['paragraph']!.create(null, content)
  })
  return new Slice(nodes['doc']!.create(null, paragraphs).content, 1, 1)
}

function paste(view: EditorView, event: ClipboardEvent, options: ClipboardOptions): boolean {
  const data = event.clipboardData
  if (!data || view.state.selection.$from.parent.type.spec.code) return false
  const html = data.getData('text/html')
  const text = data.getData('text/plain')
  const isOwn = html.includes('data-pm-slice')
  if (isOwn) return false
  if (/^https?:\/\/\S+$/.test(text.trim()) && !/<(?:img|table)\b/i.test(html)) {
    void pasteAddress(view, text.trim(), options)
    return true
  }
  // A spreadsheet has both: a table and a picture of it.
  const files = /<table\b/i.test(html) ? [] : picturesOf(data)
  if (files.length > 0) {
    void insertFiles(view, files, options)
    return true
  }
  if (html === '' && !looksLikeMarkdown(text)) return false
  void pasteConverted(view, html === '' ? { markdown: text } : { html }, { html, text }, options)
  return true
}

/** An address becomes the destination of the selected words, or a link with the title of the page that it leads to. */
async function pasteAddress(
  view: EditorView,
  address: string,
  { describeAddress }: ClipboardOptions,
): Promise<void> {
  const target = await describeAddress(address).catch(() => undefined)
  if (view.isDestroyed) return
  setLink(target?.url ?? address, target?.title)(view.state, view.dispatch)
}

/** Signs of Markdown at the start of a line, links, and tags of the dialect. */
function looksLikeMarkdown(text: string): boolean {
  if (/^(?:#{1,6} |[-*+] |\d{1,9}[.)] |> |```|\||\{% |\$\$|<(?:details|figure)>)/m.test(text)) return true
  return /\[[^\][]{1,200}\]\([^()]{1,200}\)|\*\*[^*]{1,200}\*\*/.test(text)
}

async function pasteConverted(
  view: EditorView,
  content: { readonly html: string } | { readonly markdown: string },
  { html, text }: { readonly html: string; readonly text: string },
  { convert, nodesOf }: ClipboardOptions,
): Promise<void> {
  const blocks = await convert(content).catch(() => undefined)
  if (view.isDestroyed) return
  if (blocks === undefined) {
    if (html !== '') view.pasteHTML(html)
    else view.pasteText(text)
    return
  }
  const nodes = nodesOf(blocks)
  if (nodes.length === 0) return
  const isInline = nodes.length === 1 && nodes[0]!.type.name === 'paragraph'
  const ends = nodes.map((node) => Number(node.type.name === 'paragraph'))
  const children = documentSchema.nodes['doc']!.create(null, nodes).content
  const slice = isInline ? new Slice(nodes[0]!.content, 0, 0) : new Slice(children, ends[0]!, ends.at(-1)!)
  view.dispatch(
    view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'),
  )
}

function picturesOf(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])]
}

async function insertFiles(
  view: EditorView,
  files: readonly File[],
  { upload, nodesOf }: ClipboardOptions,
  position?: number,
): Promise<void> {
  for (const file of files) {
    const src = await upload(file).catch(() => undefined)
    if (src === undefined || view.isDestroyed) continue
    const block: EditedBlock = file.type.startsWith('image/')
      ? { type: 'images', attributes: { images: [{ src }] } }
      : { type: 'file', attributes: { src, caption: [] } }
    const place = Math.min(position ?? view.state.selection.to, view.state.doc.content.size)
    const $place = view.state.doc.resolve(place)
    const target = $place.depth > 0 ? $place.after(1) : place
    view.dispatch(view.state.tr.insert(target, [...nodesOf([block])]).scrollIntoView())
  }
}
