/**
 * API reference at `/docs/api`: the document of `/openapi.json` for people, rendered like the API blocks of sites. It
 * has a page for each operation and each chapter, rendered with its first request and cached.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createBudget, pageLimits } from '../../core/budget.js'
import type { Document, OpenAPIBlock } from '../../core/document/types.js'
import { readOperation } from '../../core/openapi/operation.js'
import { requestOf } from '../../core/openapi/request.js'
import { writeSamples } from '../../core/openapi/samples.js'
import { wholeSpecification } from '../../core/openapi/specification.js'
import { groupBy } from '../../core/group.js'
import type { Endpoint } from '../../contract/endpoint.js'
import type { RenderContext } from '../../site/blocks/context.js'
import { createPageFragments, renderFragment } from '../../site/blocks/fragments.js'
import { renderDocument } from '../../site/blocks/render.js'
import { type Html, html } from '../../site/html.js'
import { notFoundPage } from '../../site/layout/message-pages.js'
import { renderPage } from '../../site/layout/page.js'
import type { NavigationNode, SiteView } from '../../site/layout/view.js'
import type { Caches } from '../../store/cache/caches.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { type EncodedAnswer, encodeFor, encodedAnswerOf, weightOfEncoded } from '../http/compression.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'
import { assetAddresses } from '../sites/assets.js'
import { productFrame } from '../sites/product-frame.js'

const home = '/docs/api'
/** Limits for an operation with its schemas, which are all our own. */
const viewLimits = { ...pageLimits, steps: 800_000 }

const pageKind = cacheKind<EncodedAnswer>('page of the API reference', weightOfEncoded)

interface Chapter {
  readonly tag: string
  readonly title: string
  readonly href: string
  readonly endpoints: readonly Endpoint[]
}

export interface ReferenceOptions {
  readonly endpoints: readonly Endpoint[]
  /** Returns the OpenAPI document of the endpoints, the same object each time. */
  readonly describe: () => object
  readonly caches: Caches
}

/** Mounts the pages. */
export function mountReference(
  server: FastifyInstance,
  { endpoints, describe, caches }: ReferenceOptions,
): void {
  const chapters = chaptersOf(endpoints)
  const byName = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]))

  async function operationPage(endpoint: Endpoint): Promise<string> {
    const [path, method] = [pathOf(endpoint), endpoint.method.toLowerCase()]
    const name = { kind: 'operation', path, method } as const
    const operation = readOperation(wholeSpecification(describe()), name, createBudget(viewLimits))!
    const block: OpenAPIBlock = {
      type: 'openapi-operation',
      path,
      method,
      blocks: [],
      span: { start: 0, end: 0 },
    }
    const samples = await writeSamples(requestOf(operation))
    const body = await renderBody({ blocks: [block] }, endpoint.summary, { operation, samples })
    const chapter = chapters.find(({ tag }) => tag === endpoint.tag)!
    const at = chapter.endpoints.indexOf(endpoint)
    const [previous, next] = [chapter.endpoints[at - 1], chapter.endpoints[at + 1]]
    return page(endpoint.summary, body, {
      current: endpoint,
      description: endpoint.operationId,
      breadcrumbs: [
        { title: 'API', href: home },
        { title: chapter.title, href: chapter.href },
      ],
      ...(previous !== undefined && { previous: linkTo(previous) }),
      ...(next !== undefined && { next: linkTo(next) }),
    })
  }

  async function page(
    title: string,
    body: Html,
    { current, ...more }: { current?: Endpoint | Chapter } & Partial<Parameters<typeof renderPage>[0]>,
  ): Promise<string> {
    return renderPage({
      // Pages other than operations and chapters have the search form.
      site: await frame({ hasForm: current === undefined }),
      title,
      body,
      outline: [],
      navigation: navigationOf(chapters, current),
      ...more,
    })
  }

  function searchPage(words: string): Promise<string> {
    const queryWords = words
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, 8)
    const matching = endpoints.filter((endpoint) => {
      const { method, operationId, summary } = endpoint
      const text = `${method} ${pathOf(endpoint)} ${operationId} ${summary}`.toLowerCase()
      return queryWords.every((word) => text.includes(word))
    })
    const results =
      matching.length === 0 ? html`<p>No operation has all of these words.</p>` : listOf(matching)
    return page(`Operations with “${words}”`, html`${searchForm(words)}${results}`, {})
  }

  const start = (): Promise<string> =>
    page(
      'The API of this server',
      html`<p>Everything that Octavo does is done through these ${endpoints.length} operations, below <code>/v1</code>. They speak JSON, and take a token in the header <code>Authorization</code>. Programs find the same in <a href="/openapi.json">openapi.json</a>.</p>
      ${searchForm('')}
      ${chapters.map(({ title, href, endpoints: inside }) => html`<h2><a href="${href}">${title}</a></h2>${listOf(inside)}`)}`,
      { description: 'Each operation with what it takes and answers, and code that asks it.' },
    )

  const pages = new Map<string, () => Promise<string>>([
    ['', start],
    ...chapters.map(
      (chapter) =>
        [
          chapter.href.slice(home.length + 1),
          () => page(chapter.title, listOf(chapter.endpoints), { current: chapter }),
        ] as const,
    ),
    ...[...byName].map(([id, endpoint]) => [id, () => operationPage(endpoint)] as const),
  ])

  function encode(body: string, status: number): EncodedAnswer {
    const answer = { status, contentType: 'text/html; charset=utf-8', body, isIndexed: status === 200 }
    return encodedAnswerOf(readyAnswer(answer, 'public', 'compressed'))
  }

  async function answer(name: string, query: unknown): Promise<EncodedAnswer> {
    const { q } = query as { q?: unknown }
    if (name === '' && typeof q === 'string' && q.trim() !== '')
      return encode(await searchPage(q.slice(0, 200)), 200)
    if (!pages.has(name)) return encode(notFoundPage(await productFrame()), 404)
    const cached = caches.find(pageKind, name)
    if (cached !== undefined) return cached
    const rendered = encode(await pages.get(name)!(), 200)
    caches.put(pageKind, name, rendered)
    return rendered
  }

  async function handler(
    request: FastifyRequest<{ Params: { name?: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const name = request.params.name ?? ''
    const encoded = await answer(name, request.query)
    const ready = await encodeFor(encoded, request.raw.headers['accept-encoding'])
    caches.reweigh(pageKind, name, encoded)
    return sendAnswer(request, reply, ready)
  }

  server.route({ method: ['GET', 'HEAD'], url: home, handler })
  server.route({ method: ['GET', 'HEAD'], url: `${home}/:name`, handler })
}

async function frame({ hasForm }: { readonly hasForm: boolean }): Promise<SiteView> {
  const site = await productFrame()
  const { referenceStylesheet } = await assetAddresses()
  const stylesheets = [...site.stylesheets, referenceStylesheet, ...(hasForm ? [site.plainStylesheet] : [])]
  return { ...site, title: 'Octavo API', href: home, stylesheets }
}

async function renderBody(
  document: Document,
  title: string,
  view: ReturnType<NonNullable<RenderContext['specification']>>,
): Promise<Html> {
  const fragments = createPageFragments()
  const context: RenderContext = {
    link: (href) => ({ href, external: true }),
    file: () => undefined,
    include: () => undefined,
    evaluate: () => undefined,
    specification: () => view,
    title,
    fragments,
    language: 'en',
  }
  const rendered = renderDocument(document, context)
  if (fragments.deferred.size === 0) return rendered
  for (const [owner, fragment] of fragments.deferred)
    fragments.setResult(owner, await renderFragment(fragment))
  return renderDocument(document, context)
}

function chaptersOf(endpoints: readonly Endpoint[]): Chapter[] {
  return [...groupBy(endpoints, ({ tag }) => tag)].map(([tag, inside]) => ({
    tag,
    title: tag,
    href: `${home}/${tag.toLowerCase().replaceAll(' ', '-')}`,
    endpoints: inside,
  }))
}

const pathOf = ({ path }: Endpoint): string => `/v1${path.replace(/:(\w+)/g, '{$1}')}`
const linkTo = ({ summary, operationId }: Endpoint) => ({ title: summary, href: `${home}/${operationId}` })

/** Lists the operations of the current chapter below it. */
function navigationOf(
  chapters: readonly Chapter[],
  current: Endpoint | Chapter | undefined,
): NavigationNode[] {
  return chapters.map((chapter) => {
    const { title, href, endpoints } = chapter
    const isOpen = chapter === current || endpoints.includes(current as Endpoint)
    return {
      kind: 'page',
      title,
      href,
      ...(chapter === current && { current: true }),
      ...(isOpen && {
        children: endpoints.map((one) => ({
          kind: 'page' as const,
          ...linkTo(one),
          ...(one === current && { current: true }),
        })),
      }),
    }
  })
}

function listOf(endpoints: readonly Endpoint[]): Html {
  return html`<ul>
    ${endpoints.map((one) => html`<li id="${one.operationId}"><a href="${linkTo(one).href}">${one.summary}</a><br><code>${one.method} ${pathOf(one)}</code></li>`)}
  </ul>`
}

function searchForm(words: string): Html {
  return html`<form class="search-large" action="${home}" role="search">
    <input type="search" name="q" value="${words}" aria-label="Find an operation" placeholder="Find an operation" autocomplete="off" maxlength="200"><button type="submit" class="button primary">Find</button>
  </form>`
}
