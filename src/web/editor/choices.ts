/** What the fields of forms suggest: files, reusable contents, variables, specifications with their operations, icons. */
import { queryOptions } from '@tanstack/react-query'
import { changeRequestComments, spaceComments } from '../../contract/comments.js'
import { changeRequestContent, spaceContent } from '../../contract/content.js'
import { getLatestSpecContent, listSpecs } from '../../contract/openapi-specs.js'
import { relativePath } from '../../core/links/relative.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import { type ContentSource, contentKey, queryClient, spaceQuery } from '../api/queries.js'
import type { FieldKind } from '../document/construct.js'
import { sharedContentsQuery } from '../space/shared-contents-query.js'
import type { Suggestion } from '../ui/suggest-field.js'
import { fileUrlsQuery } from './file-urls.js'
import { destinationOf, fetchLinkablePages, findPages } from './page-links.js'

/** The page that is edited. */
export interface EditedPage {
  readonly source: ContentSource
  readonly page: string
}

/** More are found by further words. */
const most = 50

export const reusableContentsQuery = (source: ContentSource) =>
  queryOptions({
    queryKey: [...contentKey(source), 'reusable-contents'],
    queryFn: async ({ signal }) => {
      const query = { limit: 1000 }
      const { items } = await api.call(
        ...contentRequest(source, spaceContent.reusableContents, changeRequestContent.reusableContents, {
          query,
          signal,
        }),
      )
      return items
    },
  })

const specificationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'specifications'],
    queryFn: async ({ signal }) =>
      (await api.call(listSpecs, { params: { organizationId }, query: { limit: 1000 }, signal })).items,
  })

const specificationQuery = (organizationId: string, specSlug: string) =>
  queryOptions({
    queryKey: ['organization', organizationId, 'specification', specSlug],
    queryFn: async ({ signal }) => {
      const { filesystem } = await api.call(getLatestSpecContent, {
        params: { organizationId, specSlug },
        signal,
      })
      const entry = filesystem.find(({ isEntrypoint }) => isEntrypoint) ?? filesystem[0]
      return (entry?.specification ?? {}) as SpecificationOutline
    },
    staleTime: 60_000,
  })

/** The members of a specification that are offered; its values are of any type. */
interface SpecificationOutline {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> }
  readonly definitions?: Readonly<Record<string, unknown>>
}

export const httpMethods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const

export interface Operation {
  readonly path: string
  readonly method: string
  readonly summary: string
}

/** Returns the operations below paths or webhooks, in the order of the specification. */
export function operationsOf(paths: SpecificationOutline['paths']): readonly Operation[] {
  return Object.entries(paths ?? {}).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item?.[method] as
        | { readonly summary?: unknown; readonly operationId?: unknown }
        | undefined
      if (typeof operation !== 'object' || operation === null) return []
      return [{ path, method, summary: String(operation.summary ?? operation.operationId ?? '') }]
    }),
  )
}

async function fetchSpecification({ source }: EditedPage, slug: string): Promise<SpecificationOutline> {
  const { organization } = await queryClient.fetchQuery(spaceQuery(source.space))
  return queryClient.fetchQuery(specificationQuery(organization, slug))
}

/** Keeps what has all words of a query in its name, value or detail. */
function having(query: string, suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return suggestions
    .filter(({ name, value, detail = '' }) => {
      const all = `${name} ${value} ${detail}`.toLowerCase()
      return words.every((word) => all.includes(word))
    })
    .slice(0, most)
}

const picturePattern = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)$/i

/** Languages of code that are offered; every other word is taken as well. */
const languages =
  'bash c cpp csharp css dart diff docker elixir go graphql haskell html http ini java javascript json jsx kotlin lua makefile markdown mermaid nginx objectivec perl php plaintext powershell python r ruby rust scala shell sql swift toml tsx typescript xml yaml zig'.split(
    ' ',
  )

/** Icons that are offered; every name of Font Awesome or Lucide is taken. */
const iconNames =
  'arrow-right bell bolt book bookmark bug calendar chart-line check circle-check circle-info circle-question circle-xmark clock cloud code comment credit-card database download envelope eye file filter flag flask folder gear gift github globe graduation-cap hammer heart house image key language layer-group lightbulb link list lock magnifying-glass map microchip mobile moon music newspaper paperclip pen phone play plug plus puzzle-piece rocket rss server shield shield-halved sliders star sun table tag terminal thumbs-up trash triangle-exclamation truck umbrella upload user users video wand-magic-sparkles wifi wrench'.split(
    ' ',
  )

const plain = (values: readonly string[]): readonly Suggestion[] =>
  values.map((value) => ({ value, name: value }))

/** Returns what a field suggests for a query; undefined for kinds that suggest nothing. */
export function suggestionsFor(
  kind: FieldKind,
  edited: EditedPage,
  specification: string,
): ((query: string) => Promise<readonly Suggestion[]>) | undefined {
  const { source, page } = edited
  switch (kind) {
    case 'language':
      return async (query) => having(query, plain(languages))
    case 'icon':
      return async (query) => having(query, plain(iconNames))
    case 'page':
      return async (query) => {
        const pages = await fetchLinkablePages(source)
        const own = pages.find(({ id }) => id === page)
        return findPages(pages, query)
          .slice(0, most)
          .map((one) => ({
            value: destinationOf(own, one),
            name: one.title,
            detail: one.above.join(' / '),
            icon: 'fileText',
            emoji: one.emoji,
          }))
      }
    case 'picture':
    case 'file':
      return async (query) => {
        const [files, from] = await Promise.all([
          queryClient.fetchQuery(fileUrlsQuery(source)),
          fileOf(edited),
        ])
        return having(
          query,
          [...files.keys()]
            .filter((path) => kind === 'file' || picturePattern.test(path))
            .map((path) => ({
              value: relativePath(from, path),
              name: path.slice(path.lastIndexOf('/') + 1),
              icon: kind === 'file' ? 'file' : 'image',
            })),
        )
      }
    case 'person':
      return async (query) => {
        const [first] = query.trim().split(/\s+/)
        const { items } = await api.call(
          ...contentRequest(source, spaceComments.commenters, changeRequestComments.commenters, {
            query: { limit: most, ...(first && { search: first }) },
          }),
        )
        return items.map(({ user }) => ({
          value: `/users/${user.id}`,
          name: user.displayName,
          detail: user.email,
          icon: 'user',
        }))
      }
    case 'reusable-content':
      return async (query) => {
        const [contents, from] = await Promise.all([
          queryClient.fetchQuery(reusableContentsQuery(source)),
          fileOf(edited),
        ])
        return having(
          query,
          contents.flatMap(({ title, path }) =>
            path === undefined ? [] : [{ value: relativePath(from, path), name: title, detail: path }],
          ),
        )
      }
    case 'expression':
      return async (query) => {
        const { variables } = await queryClient.fetchQuery(sharedContentsQuery(source))
        return having(
          query,
          Object.entries(variables).map(([name, value]) => ({
            value: `space.vars.${name}`,
            name: `space.vars.${name}`,
            detail: String(value),
          })),
        )
      }
    case 'specification':
      return async (query) => {
        const { organization } = await queryClient.fetchQuery(spaceQuery(source.space))
        const items = await queryClient.fetchQuery(specificationsQuery(organization))
        return having(query, plain(items.map(({ slug }) => slug)))
      }
    case 'operation':
      return async (query) =>
        having(
          query,
          operationsOf((await fetchSpecification(edited, specification)).paths).map(
            ({ path, method, summary }) => ({
              value: `${method} ${path}`,
              name: `${method.toUpperCase()} ${path}`,
              detail: summary,
            }),
          ),
        )
    case 'webhook':
      return async (query) =>
        having(query, plain(Object.keys((await fetchSpecification(edited, specification)).webhooks ?? {})))
    case 'schemas':
      return async (query) => {
        const { components, definitions } = await fetchSpecification(edited, specification)
        const last = query.slice(query.lastIndexOf(',') + 1).trim()
        const before = query.slice(0, query.length - last.length).trim()
        return having(last, plain(Object.keys(components?.schemas ?? definitions ?? {}))).map((one) => ({
          ...one,
          value: before === '' ? one.value : `${before} ${one.value}`,
        }))
      }
    default:
      return undefined
  }
}

/** The path of the file of the page that is edited. */
export async function fileOf({ source, page }: EditedPage): Promise<string> {
  return (await fetchLinkablePages(source)).find(({ id }) => id === page)?.file ?? ''
}
