/**
 * Generates reference pages: ordinary Markdown, in which operations are ordinary API blocks. Each text is generated
 * twice, for readers, and for the search index with its search terms.
 *
 * An operation takes hundreds of elements of HTML, and up to two thousand. So those of a large tag have pages of their own, below a page that
 * lists them; its headings have the anchors that the operations would have on it.
 */
import { chunks } from '../group.js'
import { escapeInlineDestination } from '../links/replace.js'
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
  /** Returns its text; `hrefOf` returns the link destination of a page below it, by its key. */
  readonly markdown: (hrefOf: HrefOf) => string
  readonly searched: string
  readonly doc: 'operations' | 'models'
  readonly pages: readonly ReferencePage[]
}

/** Returns undefined for a page that does not exist. */
export type HrefOf = (key: string) => string | undefined

export const referenceLimits = {
  /** Operations on the page of their tag: as many as one resource usually has. */
  operations: 5,
  /** Operations, and schemas, on one page, where the others follow on the next. */
  operationsPerPage: 10,
  schemasPerPage: 50,
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
  const isLarge = ({ operations }: OutlineGroup): boolean =>
    wanted.grouping === 'operation' || operations.length > referenceLimits.operations
  const ownPages = outline.groups.filter(isLarge).flatMap(({ operations }) => operations)
  // Thousands of operations continue on numbered pages of their tags.
  const hasOwnPages = outline.groups.length + ownPages.length <= referenceLimits.pages
  let left: number = referenceLimits.pages
  const pagesBelow = (parent: string | undefined): ReferencePage[] =>
    (below.get(parent) ?? []).flatMap((group) => groupPages(group))

  function groupPages(group: OutlineGroup): ReferencePage[] {
    const title = group.title ?? (group.name || (outline.groups.length > 1 ? 'Other' : 'Operations'))
    const slug = group.name || 'operations'
    const isList = hasOwnPages && isLarge(group)
    const parts = isList ? [group.operations] : pagesOf(group.operations, referenceLimits.operationsPerPage)
    const pages: ReferencePage[] = []
    for (const [index, operations] of parts.entries()) {
      if (left-- <= 0) break
      const number = index === 0 ? '' : ` ${index + 1}`
      const head = headOf(index === 0 ? group : {})
      const own = isList ? operationPages(operations) : []
      pages.push({
        key: `operations ${group.name}${number}`,
        title: title + number,
        slug: slug + number,
        doc: 'operations',
        markdown: (hrefOf) =>
          joined([...head, ...operations.map((one) => sectionOf(wanted.named, one, hrefOf))]),
        // The pages of the operations are found by their words.
        searched: joined([...head, ...(isList ? [] : operations.map(searchedSectionOf))]),
        pages: index === 0 ? [...own, ...pagesBelow(group.name)] : [],
      })
    }
    return pages
  }

  function operationPages(operations: readonly OutlineOperation[]): ReferencePage[] {
    return operations.flatMap((operation): ReferencePage[] => {
      if (left-- <= 0) return []
      return [
        {
          key: keyOf(operation),
          title: titleOf(operation),
          slug: operation.id ?? operationKey(operation),
          doc: 'operations',
          markdown: () => joined([blockOf(wanted.named, operation)]),
          searched: joined([escapeInline(searchTextOf(operation))]),
          pages: [],
        },
      ]
    })
  }

  const pages = pagesBelow(undefined)
  if (!wanted.hasModels || outline.schemas.length === 0) return pages
  const models = pagesOf(outline.schemas, referenceLimits.schemasPerPage).map(
    (schemas, index): ReferencePage => {
      const number = index === 0 ? '' : ` ${index + 1}`
      const markdown = `${formatOpenAPI({ type: 'openapi-schemas', ...wanted.named, schemas, grouped: true })}\n{% endopenapi-schemas %}\n`
      return {
        key: `models${number}`,
        title: `Models${number}`,
        slug: `models${number}`,
        doc: 'models',
        markdown: () => markdown,
        searched: schemas.map((name) => `## ${escapeInline(name)}\n`).join('\n'),
        pages: [],
      }
    },
  )
  return [...pages, ...models]
}

const joined = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`

const keyOf = (operation: OutlineOperation): string => `operation ${operationKey(operation)}`

const titleOf = (operation: OutlineOperation): string =>
  operation.title ?? operation.id ?? operationKey(operation)

/** Front matter and introduction of a tag. */
function headOf({ description, icon }: Pick<OutlineGroup, 'description' | 'icon'>): readonly string[] {
  return [
    ...(icon === undefined ? [] : [`---\nicon: ${JSON.stringify(icon)}\n---`]),
    ...(description === undefined ? [] : [plainMarkdown(description)]),
  ]
}

const headingOf = (operation: OutlineOperation): string =>
  escapeInline(titleOf(operation).replace(/\s+/g, ' '))

/** An operation on the page of its tag: all of it, or what it is with a link to its own page. */
function sectionOf(named: BlockName, operation: OutlineOperation, hrefOf: HrefOf): string {
  const [heading, href] = [headingOf(operation), hrefOf(keyOf(operation))]
  return href === undefined
    ? `## ${heading}\n\n${blockOf(named, operation)}`
    : `## [${heading}](${escapeInlineDestination(href)})\n\n${codeOf(operationKey(operation))}`
}

function searchedSectionOf(operation: OutlineOperation): string {
  return `## ${headingOf(operation)}\n\n${escapeInline(searchTextOf(operation))}`
}

function codeOf(text: string): string {
  const inert = text.replace(/\s+|``+/g, ' ').replace(/\{(?=[%{])/g, '{ ')
  return inert.includes('`') ? `\`\` ${inert} \`\`` : `\`${inert}\``
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
function pagesOf<Item>(items: readonly Item[], perPage: number): readonly (readonly Item[])[] {
  return items.length === 0 ? [[]] : [...chunks(items, perPage)]
}
