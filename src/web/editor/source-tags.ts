/** Tags of the dialect as the source view completes them: their attributes, the values of these, and what is inserted. */
import { hintStyles } from '../../core/document/types.js'

export interface DialectTag {
  /** Values of the attributes; empty for those that take any text. */
  readonly attributes: Readonly<Record<string, readonly string[]>>
  /** What completing the tag inserts after `{% `, as a snippet of CodeMirror. */
  readonly snippet: string
}

const flag = ['true', 'false']
const operation = { spec: [], path: [], method: ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] }

/** The tags that are written today; those of older dialects are read, and not offered. */
export const dialectTags: Readonly<Record<string, DialectTag>> = {
  hint: {
    attributes: { style: hintStyles, icon: [] },
    snippet: 'hint style="${info}" %}\n${}\n{% endhint %}',
  },
  tabs: {
    attributes: { fullWidth: flag },
    snippet: 'tabs %}\n{% tab title="${Title}" %}\n${}\n{% endtab %}\n{% endtabs %}',
  },
  tab: { attributes: { title: [], icon: [] }, snippet: 'tab title="${Title}" %}\n${}\n{% endtab %}' },
  stepper: {
    attributes: { fullWidth: flag },
    snippet: 'stepper %}\n{% step %}\n${}\n{% endstep %}\n{% endstepper %}',
  },
  step: { attributes: { icon: [] }, snippet: 'step %}\n${}\n{% endstep %}' },
  columns: {
    attributes: { fullWidth: flag },
    snippet:
      'columns %}\n{% column %}\n${}\n{% endcolumn %}\n{% column %}\n${}\n{% endcolumn %}\n{% endcolumns %}',
  },
  column: {
    attributes: { width: [], verticalAlignment: ['top', 'middle', 'bottom'] },
    snippet: 'column %}\n${}\n{% endcolumn %}',
  },
  code: {
    attributes: {
      title: [],
      overflow: ['scroll', 'wrap'],
      lineNumbers: flag,
      expandable: flag,
      fullWidth: flag,
    },
    snippet: 'code title="${name}" %}\n```${}\n```\n{% endcode %}',
  },
  'content-ref': {
    attributes: { url: [] },
    snippet: 'content-ref url="${}" %}\n{% endcontent-ref %}',
  },
  include: { attributes: {}, snippet: 'include "${}" %}' },
  if: { attributes: {}, snippet: 'if ${condition} %}\n${}\n{% endif %}' },
  else: { attributes: {}, snippet: 'else %}' },
  elif: { attributes: {}, snippet: 'elif ${condition} %}' },
  embed: { attributes: { url: [], fullWidth: flag }, snippet: 'embed url="${}" %}' },
  file: { attributes: { src: [] }, snippet: 'file src="${}" %}' },
  openapi: {
    attributes: { src: [], ...operation },
    snippet: 'openapi-operation spec="${}" path="${}" method="${get}" %}\n{% endopenapi-operation %}',
  },
  'openapi-operation': {
    attributes: operation,
    snippet: 'openapi-operation spec="${}" path="${}" method="${get}" %}\n{% endopenapi-operation %}',
  },
  'openapi-schemas': {
    attributes: { spec: [], schemas: [], grouped: flag },
    snippet: 'openapi-schemas spec="${}" schemas="${}" grouped="true" %}\n{% endopenapi-schemas %}',
  },
  'openapi-webhook': {
    attributes: { spec: [], name: [], method: operation.method },
    snippet: 'openapi-webhook spec="${}" name="${}" method="${post}" %}\n{% endopenapi-webhook %}',
  },
  updates: {
    attributes: { format: ['full', 'short', 'numeric'] },
    snippet:
      'updates format="full" %}\n{% update date="${2026-01-31}" %}\n${}\n{% endupdate %}\n{% endupdates %}',
  },
  update: {
    attributes: { date: [], tags: [] },
    snippet: 'update date="${2026-01-31}" %}\n${}\n{% endupdate %}',
  },
  prompt: {
    attributes: {
      description: [],
      icon: [],
      openInAIProviders: flag,
      defaultExpanded: ['hidden', 'partial', 'full'],
    },
    snippet: 'prompt description="${}" %}\n```\n${}\n```\n{% endprompt %}',
  },
}

/** Where the cursor is in a tag of its line, by the text before it. */
export type TagPlace =
  /** In the name: `from` is the offset of its first character. */
  | { readonly kind: 'name'; readonly from: number }
  | { readonly kind: 'attribute'; readonly from: number; readonly tag: string }
  | { readonly kind: 'value'; readonly from: number; readonly tag: string; readonly attribute: string }
  /** In an unnamed value, such as the path of an include, or in an expression. */
  | { readonly kind: 'rest'; readonly from: number; readonly tag: string }

/** Returns the place of the end of `before` in a tag; undefined when no tag is open there. */
export function tagPlaceOf(before: string): TagPlace | undefined {
  const start = before.lastIndexOf('{%')
  if (start < 0 || before.indexOf('%}', start) >= 0) return undefined
  const name = /^\{%-?[ \t]*(@?[\w@/.-]*)/.exec(before.slice(start))!
  const nameEnd = start + name[0].length
  if (nameEnd === before.length) return { kind: 'name', from: nameEnd - name[1]!.length }
  const tag = name[1]!
  const rest = before.slice(nameEnd)
  const isQuoted = (rest.match(/"/g)?.length ?? 0) % 2 === 1
  if (isQuoted) {
    const quote = before.lastIndexOf('"')
    const head = before.slice(nameEnd, quote).trimEnd()
    const attribute = head.endsWith('=') ? lastWordOf(head.slice(0, -1).trimEnd()) : undefined
    const from = quote + 1
    return attribute === undefined ? { kind: 'rest', from, tag } : { kind: 'value', from, tag, attribute }
  }
  const word = lastWordOf(rest)
  const from = before.length - word.length
  return tag === 'if' || tag === 'elif' ? { kind: 'rest', from, tag } : { kind: 'attribute', from, tag }
}

function lastWordOf(text: string): string {
  let start = text.length
  while (start > 0 && /[\w.-]/.test(text[start - 1]!)) start--
  return text.slice(start)
}

/** Returns the tags that are open at the end of a text, the innermost last. */
export function openTagsOf(before: string): readonly string[] {
  const open: string[] = []
  for (const [, end, name] of before.matchAll(/\{%-?[ \t]*(end)?([a-z][a-z-]*)/g)) {
    if (end === undefined) {
      // Others have no end tag.
      if (dialectTags[name!]?.snippet.includes(`{% end${name!} %}`) === true) open.push(name!)
    } else {
      const at = open.lastIndexOf(name!)
      if (at >= 0) open.length = at
    }
  }
  return open
}
