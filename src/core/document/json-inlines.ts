/** Serializes inlines as the API's JSON: runs of text are `leaves` of one `text` node. */
import type { DocumentJson, JsonOptions, JsonWriter } from './json-node.js'
import type { Inline, Mark, Reference, Text } from './types.js'

/** Returns the resolved content reference of a destination, else its URL. */
export function refJson(url: string, kind: Reference['kind'], { resolve }: JsonOptions): DocumentJson {
  return resolve(url, kind) ?? { kind: 'url', url }
}

/** The same where clients expect one kind of reference: an unresolved destination has its path as the name. */
export function namedRef(
  url: string,
  kind: 'file' | 'reusable-content',
  member: 'file' | 'reusableContent',
  { resolve }: JsonOptions,
): DocumentJson {
  const ref = resolve(url, kind)
  return ref === undefined || ref['kind'] === 'url' ? { kind, [member]: url } : ref
}

/** Returns the nodes of a list of inlines; always at least one text node, as editors expect. */
export function inlinesJson(
  inlines: readonly Inline[],
  key: string,
  writer: JsonWriter,
): readonly DocumentJson[] {
  const nodes: DocumentJson[] = []
  let leaves: DocumentJson[] = []
  const flush = (): void => {
    if (leaves.length > 0) nodes.push({ object: 'text', key: `${key}.${nodes.length}`, leaves })
    leaves = []
  }
  for (const inline of inlines) {
    if (inline.type === 'text') leaves.push(leafJson(inline))
    else if (inline.type === 'break') leaves.push({ object: 'leaf', text: '\n', marks: [] })
    else if (inline.type === 'anchor') continue
    else if (inline.type === 'inline-html') leaves.push({ object: 'leaf', text: inline.html, marks: [] })
    else {
      flush()
      nodes.push(inlineJson(inline, `${key}.${nodes.length}`, writer))
    }
  }
  if (nodes.length === 0 && leaves.length === 0) leaves.push({ object: 'leaf', text: '', marks: [] })
  flush()
  return nodes
}

/** The API has no underline mark. */
function leafJson({ text, marks = [] }: Text): DocumentJson {
  return { object: 'leaf', text, marks: marks.filter(({ type }) => type !== 'underline').map(markJson) }
}

function markJson(mark: Mark): DocumentJson {
  if (mark.type !== 'color') return { object: 'mark', type: mark.type }
  return {
    object: 'mark',
    type: 'color',
    data: { text: mark.text ?? 'default', background: mark.background ?? 'default' },
  }
}

function inlineJson(
  inline: Exclude<Inline, { type: 'text' | 'break' | 'anchor' | 'inline-html' }>,
  key: string,
  writer: JsonWriter,
): DocumentJson {
  const of = (data: DocumentJson, more: DocumentJson = { isVoid: true }): DocumentJson => ({
    object: 'inline',
    type: inline.type,
    key,
    data,
    ...more,
  })
  switch (inline.type) {
    case 'link': {
      const ref = refJson(inline.url, 'link', writer)
      if (inline.mention) return { ...of({ ref }), type: 'mention' }
      return of({ ref }, { isVoid: false, nodes: inlinesJson(inline.children, key, writer) })
    }
    case 'emoji':
      return of({ code: inline.code })
    case 'icon':
      return of({ icon: inline.icon, ...(inline.color ? { color: inline.color } : {}) })
    case 'expression':
      return of({ expression: inline.expression })
    case 'inline-math':
      return of({ formula: inline.formula })
    case 'inline-image':
      return of({
        ref: refJson(inline.src, 'image', writer),
        ...(inline.srcDark ? { refDark: refJson(inline.srcDark, 'image', writer) } : {}),
        ...(inline.alt ? { alt: inline.alt } : {}),
        ...(inline.size ? { size: inline.size } : {}),
      })
    case 'annotation':
      return of(
        {},
        {
          isVoid: false,
          nodes: inlinesJson(inline.children, key, writer),
          fragments: [
            {
              object: 'fragment',
              type: 'annotation-body',
              fragment: 'body',
              nodes: writer.blocks(inline.body, `${key}.body`),
            },
          ],
        },
      )
    case 'button':
      return of({
        label: inline.label,
        kind: inline.kind,
        ...(inline.icon ? { icon: inline.icon } : {}),
        ...(inline.url ? { ref: refJson(inline.url, 'link', writer) } : {}),
        ...(inline.action
          ? { action: { action: inline.action, ...(inline.query ? { query: inline.query } : {}) } }
          : {}),
      })
  }
}
