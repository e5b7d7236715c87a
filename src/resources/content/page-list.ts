/**
 * The page tree of a revision as JSON: whole, or a part of it with chosen members. Ten thousand pages are several
 * megabytes, so they are serialized page by page, yielding to the event loop in between, and cached as bytes under the
 * revision's id.
 */
import type { PageId } from '../../core/ids.js'
import { type PageNode, pageTree } from '../../core/pages/read.js'
import { countChildren, subtree } from '../../core/pages/subtree.js'
import type { Target } from '../../core/pages/targets.js'
import type { PageRecord } from '../../core/pages/types.js'
import {
  type CachedJson,
  type RouteResponse,
  cachedJson,
  conditionalJson,
} from '../../access/route/responses.js'
import type { Services } from '../../access/route/scope.js'
import type { PagesQuery } from '../../contract/content.js'
import { type Page, type PageField, pageFields, requiredPageFields } from '../../contract/pages.js'
import { ApiError } from '../../contract/errors.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { yieldToEventLoop } from '../../store/content/yield-to-event-loop.js'
import type { ContentContext } from './content.js'
import { visibilityFilterOf, viewerCacheKey } from './visibility.js'
import { presentPage } from './present.js'
import { collectPageTargets } from './page-targets.js'

const pagesKind = cacheKind<Uint8Array>('pages', (json) => json.length)

export function writePages(content: ContentContext, services: Services): Promise<RouteResponse<CachedJson>> {
  return cachedJson(services, pagesKind, content.revision.id + viewerCacheKey(content), async () => {
    const all = await content.run(pageTree(content.revision.snapshot))
    const nodes = (await visibilityFilterOf(content))?.nodes(all) ?? all
    const targets = await collectPageTargets(content, nodes)
    const context = { addresses: services.addresses, spaceId: content.spaceId, targets }
    return `{"pages":${await writeTree(nodes, ({ page }) => presentPage(page, [], context))}}`
  })
}

/** Which part of the tree is returned. */
interface TreePart {
  /** The page below which it begins; null for the top level. */
  readonly parent: PageId | null
  readonly depth: number | undefined
  /** The members of its pages besides those that are always returned; undefined for all. */
  readonly fields: ReadonlySet<PageField> | undefined
}

/** Returns whether a query asks for a part of the tree. */
export function isTreePart({ fields, depth, below }: PagesQuery): boolean {
  return fields !== undefined || depth !== undefined || below !== undefined
}

/** Returns the members that a list of names stands for; throws 400 for one that pages do not have. */
export function readPageFields(names: string | undefined): ReadonlySet<PageField> | undefined {
  if (names === undefined) return undefined
  const wanted = names.split(',').map((name) => name.trim())
  const known: readonly string[] = [...requiredPageFields, ...pageFields]
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const problem = `The member "query.fields" holds "${unknown}": it must be one or more of ${known.join(', ')}, with commas in between.`
    throw new ApiError('invalid_request', { problem })
  }
  return new Set(pageFields.filter((name) => wanted.includes(name)))
}

/** Members that depend on other pages and files of the content. */
const resolvedFields: readonly PageField[] = ['cover', 'target', 'href']

/** Returns a part of the tree; its entity tag depends on the returned bytes alone. */
export function writeTreePart(
  content: ContentContext,
  { parent, depth, fields }: TreePart,
  services: Services,
): Promise<RouteResponse<CachedJson>> {
  const part = [parent ?? '', depth ?? '', fields === undefined ? '*' : [...fields].join(',')]
  const key = `${content.revision.id} ${part.join(' ')}${viewerCacheKey(content)}`
  return conditionalJson(services, pagesKind, key, async () => {
    const { nodes, childCounts } = await readTreePart(content, parent, depth)
    const isResolved = fields === undefined || resolvedFields.some((name) => fields.has(name))
    const targets = isResolved ? await collectPageTargets(content, nodes) : new Map<string, Target>()
    const context = { addresses: services.addresses, spaceId: content.spaceId, targets }
    const present = ({ page, children }: PageNode): Page => {
      const childCount = childCounts?.get(page.id) ?? children.length
      return chosenMembers(presentPage(withoutUnused(page, fields), [], context), childCount, fields)
    }
    return `{"pages":${await writeTree(nodes, present, depth)}}`
  })
}

interface ReadPart {
  readonly nodes: readonly PageNode[]
  /** Of the pages of the last level, where their subpages were not read. */
  readonly childCounts?: ReadonlyMap<PageId, number>
}

async function readTreePart(
  content: ContentContext,
  parent: PageId | null,
  depth: number | undefined,
): Promise<ReadPart> {
  const { snapshot } = content.revision
  const filter = await visibilityFilterOf(content)
  if (depth === undefined) {
    const all = await content.run(parent === null ? pageTree(snapshot) : subtree(snapshot, parent))
    return { nodes: filter?.nodes(all) ?? all }
  }
  // A reader's counts are of the pages that they may see, so these are read.
  if (filter !== undefined)
    return { nodes: filter.nodes(await content.run(subtree(snapshot, parent, depth + 1))) }
  const nodes = await content.run(subtree(snapshot, parent, depth))
  return { nodes, childCounts: await content.run(countChildren(snapshot, pagesAtLevel(nodes, depth))) }
}

function pagesAtLevel(nodes: readonly PageNode[], level: number): PageRecord[] {
  if (level === 1) return nodes.map(({ page }) => page)
  return nodes.flatMap(({ children }) => pagesAtLevel(children, level - 1))
}

/** Leaves out the text where nothing asks for its signed id, which is most of the work for a page. */
function withoutUnused(page: PageRecord, fields: TreePart['fields']): PageRecord {
  if (page.type !== 'document' || fields?.has('documentId') !== false) return page
  const { text: _, ...rest } = page
  return rest
}

/** Returns the chosen members of a page, with `pages` last where it may have subpages. */
function chosenMembers(page: Page, childCount: number, fields: TreePart['fields']): Page {
  const { pages, ...members } = page
  const counted: Page = pages === undefined ? members : { ...members, childCount }
  if (fields === undefined) return pages === undefined ? counted : { ...counted, pages }
  const { id, title, type } = counted
  const chosen: Partial<Page> = {}
  for (const name of fields) if (counted[name] !== undefined) chosen[name] = counted[name] as never
  // A slug right after its title: compressed, a list is a tenth smaller.
  return { id, title, ...chosen, type, ...(pages !== undefined && { pages }) }
}

/** The end of a serialized page that may have subpages, where they are inserted. */
const withoutPages = '"pages":[]}'

/** Serializes the tree; the pages of the last level of the depth have no list of subpages. */
async function writeTree(
  nodes: readonly PageNode[],
  present: (node: PageNode) => Page,
  depth: number = Infinity,
): Promise<string> {
  const pieces: string[] = []
  const pauseIfDue = yieldToEventLoop()
  async function write(siblings: readonly PageNode[], level: number): Promise<void> {
    pieces.push('[')
    for (const [index, node] of siblings.entries()) {
      const pause = pauseIfDue()
      if (pause !== undefined) await pause
      if (index > 0) pieces.push(',')
      const text = JSON.stringify(present(node))
      if (!text.endsWith(withoutPages)) pieces.push(text)
      else if (level >= depth) pieces.push(text.slice(0, -withoutPages.length - 1), '}')
      else if (node.children.length === 0) pieces.push(text)
      else {
        pieces.push(text.slice(0, -'[]}'.length))
        await write(node.children, level + 1)
        pieces.push('}')
      }
    }
    pieces.push(']')
  }
  await write(nodes, 1)
  return pieces.join('')
}
