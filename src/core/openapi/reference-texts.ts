/**
 * Generates reference pages: ordinary Markdown, in which operations are ordinary API blocks. Each text is generated
 * twice, for readers, and for the search index with its search terms.
 */
import { chunks } from '../group.js'
import { escapeInline } from '../markdown/plain-inline.js'
import { formatOpenAPI } from '../markdown/openapi.js'
import { operationKey, searchTextOf } from './block-words.js'
import type { OutlineGroup, OutlineOperation, SpecificationOutline } from './outline.js'

/** A page below the page of the specification. */
export interface ReferencePage {
  /** Identifies the page among those of its specification, whatever its title. */
  readonly key: string
  readonly title: string
  /** Base of its path. */
  readonly slug: string
  readonly markdown: string
  readonly searched: string
  readonly doc: 'operations' | 'models'
  readonly pages: readonly ReferencePage[]
}

export const referenceLimits = {
  /** Operations, and schemas, on one page; the others follow on the next. */
  perPage: 50,
  pages: 5_000,
} as const

/** The attribute by which blocks name their specification. */
export type BlockName = { readonly spec: string } | { readonly src: string }

interface ReferenceOptions {
  readonly named: BlockName
  readonly hasModels: boolean
  readonly grouping: 'tag' | 'operation'
}

/** Returns the pages of a specification, nested as its tags are. */
export function referencePages(
  outline: SpecificationOutline,
  wanted: ReferenceOptions,
): readonly ReferencePage[] {
  const below = new Map<string | undefined, OutlineGroup[]>()
  for (const group of outline.groups) {
    const siblings = below.get(group.parent)
    if (siblings === undefined) below.set(group.parent, [group])
    else siblings.push(group)
  }
  let left: number = referenceLimits.pages
  const pagesBelow = (parent: string | undefined): ReferencePage[] =>
    (below.get(parent) ?? []).flatMap((group) => groupPages(group))

  function groupPages(group: OutlineGroup): ReferencePage[] {
    const title = group.title ?? (group.name || (outline.groups.length > 1 ? 'Other' : 'Operations'))
    const slug = group.name || 'operations'
    const isApart = wanted.grouping === 'operation'
    const parts = isApart ? [[]] : pagesOf(group.operations)
    const pages: ReferencePage[] = []
    for (const [index, operations] of parts.entries()) {
      if (left-- <= 0) break
      const number = index === 0 ? '' : ` ${index + 1}`
      const own = isApart && index === 0 ? operationPages(group) : []
      pages.push({
        key: `operations ${group.name}${number}`,
        title: title + number,
        slug: slug + number,
        doc: 'operations',
        ...textsOf(wanted.named, index === 0 ? group : {}, operations),
        pages: index === 0 ? [...own, ...pagesBelow(group.name)] : [],
      })
    }
    return pages
  }

  function operationPages({ operations }: OutlineGroup): ReferencePage[] {
    return operations.flatMap((operation) => {
      if (left-- <= 0) return []
      const name = operationKey(operation)
      return [
        {
          key: `operation ${name}`,
          title: operation.title ?? operation.id ?? name,
          slug: operation.id ?? name,
          doc: 'operations' as const,
          ...textsOf(wanted.named, {}, [operation], false),
          pages: [],
        },
      ]
    })
  }

  const pages = pagesBelow(undefined)
  if (!wanted.hasModels || outline.schemas.length === 0) return pages
  const models = pagesOf(outline.schemas).map((schemas, index): ReferencePage => {
    const number = index === 0 ? '' : ` ${index + 1}`
    const markdown = `${formatOpenAPI({ type: 'openapi-schemas', ...wanted.named, schemas, grouped: true })}\n{% endopenapi-schemas %}\n`
    return {
      key: `models${number}`,
      title: `Models${number}`,
      slug: `models${number}`,
      doc: 'models',
      markdown,
      searched: schemas.map((name) => `## ${escapeInline(name)}\n`).join('\n'),
      pages: [],
    }
  })
  return [...pages, ...models]
}

function textsOf(
  named: BlockName,
  { description, icon }: Pick<OutlineGroup, 'description' | 'icon'>,
  operations: readonly OutlineOperation[],
  hasHeadings = true,
): Pick<ReferencePage, 'markdown' | 'searched'> {
  const head = [
    ...(icon === undefined ? [] : [`---\nicon: ${JSON.stringify(icon)}\n---`]),
    ...(description === undefined ? [] : [plainMarkdown(description)]),
  ]
  const parts = operations.map((operation) => {
    const name = operationKey(operation)
    const heading = hasHeadings
      ? [`## ${escapeInline((operation.title ?? operation.id ?? name).replace(/\s+/g, ' '))}`]
      : []
    return {
      markdown: [...heading, blockOf(named, operation)].join('\n\n'),
      searched: [...heading, escapeInline(searchTextOf(operation))].join('\n\n'),
    }
  })
  return {
    markdown: `${[...head, ...parts.map(({ markdown }) => markdown)].join('\n\n')}\n`,
    searched: `${[...head, ...parts.map(({ searched }) => searched)].join('\n\n')}\n`,
  }
}

function blockOf(named: BlockName, operation: OutlineOperation): string {
  const { method } = operation
  if ('path' in operation)
    return `${formatOpenAPI({ type: 'openapi-operation', ...named, path: operation.path, method })}\n{% endopenapi-operation %}`
  return `${formatOpenAPI({ type: 'openapi-webhook', ...named, name: operation.webhook, method })}\n{% endopenapi-webhook %}`
}

/** Escapes template tags, expressions and a front matter fence in foreign Markdown. */
export function plainMarkdown(text: string): string {
  return text.replace(/\{(?=[%{])/g, '&#123;').replace(/^(?=---)/, '\\')
}

/** One page at least. */
function pagesOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return items.length === 0 ? [[]] : [...chunks(items, referenceLimits.perPage)]
}
