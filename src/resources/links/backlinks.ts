/**
 * Backlinks: the texts that link to a page or file. The link index of the revision finds those of the same content,
 * the stored cross-space links those of other spaces.
 */
import { findSources, pageNames } from '../../core/pages/affected-links.js'
import { findSpecificationPages } from '../../core/openapi/expand-computed-pages.js'
import { folderReadme, joinPath, summaryFile } from '../../core/pages/paths.js'
import type { FileRecord, PageRecord } from '../../core/pages/types.js'
import type { ContentLocation } from '../../contract/links.js'
import { type ContentContext, asWritten } from '../content/content.js'
import { cutPage, encodeCursor, resumeList } from './cursor.js'
import type { LinkRequestContext } from './cross-space-links.js'
import { type LinkingBlock, findLinkingBlocks } from './cross-space-backlinks.js'
import { checkLinks } from './check-links.js'
import { type LinkedContent, showLocations } from './show.js'
import { findLinkingTexts } from './table.js'

export interface BacklinkList {
  next?: { page: string }
  count: number
  items: ContentLocation[]
}

/** The link target; a reusable content by its path. */
export type LinkedResource =
  | { readonly page: PageRecord }
  | { readonly file: FileRecord }
  | { readonly text: string }

/** Returns one location for each block that links to the target. */
export async function listBacklinks(
  context: LinkRequestContext,
  linkedContent: LinkedContent,
  linked: LinkedResource,
  { page, limit }: { readonly page?: string; readonly limit: number },
): Promise<BacklinkList> {
  const { services } = context
  const { contents, after } = await resumeList(page, [linkedContent.content], services)
  const [content] = contents as [ContentContext]
  const { snapshot } = content.revision
  const sources = await content.run(findSources(snapshot, new Set(namesOf(linked, content))))
  const linkingTexts = await content.run(findLinkingTexts(snapshot, [], sources))
  const checked = await checkLinks(content, services, linkingTexts, (links) => links)
  const within = linkingTexts.flatMap((one, index) => {
    const nodes = checked[index]!.flatMap(({ target, item }) => {
      if (!isTarget(target, linked)) return []
      return item.nodes.length === 0 ? [[]] : item.nodes.map((node) => [node])
    })
    return nodes.map((own, at) => ({
      place: one.place,
      at,
      linkingText: one,
      nodes: own,
      linkingSpace: undefined,
    }))
  })
  if ('file' in linked) within.push(...(await findComputedPages(content, linked.file)))
  const crossSpace = 'page' in linked ? await findLinkingBlocks(context, content, linked.page) : []
  const links = [...within, ...inOrder(crossSpace)]
  const { items, last } = cutPage(links, after, limit)
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count: links.length,
    items: await showLocations(context, { ...linkedContent, content }, items),
  }
}

/** Returns the computed pages that a file describes, as locations after the texts. */
async function findComputedPages(content: ContentContext, file: FileRecord) {
  const computed = await content.run(findSpecificationPages(asWritten(content).revision.snapshot))
  const { config } = content.revision.snapshot
  return computed
    .filter((one) => one.file?.id === file.id)
    .map(({ page }) => ({
      place: `${afterAllPaths}${page.id}`,
      at: 0,
      linkingText: {
        place: page.id,
        source: { page: page.id },
        file: summaryFile(config),
        text: { url: file.path },
      },
      nodes: [] as string[],
      linkingSpace: undefined,
    }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

/** Sorts cross-space backlinks after all paths of the content: no path begins with it. */
const afterAllPaths = '\uffff'

function inOrder(blocks: readonly LinkingBlock[]) {
  const counts = new Map<string, number>()
  return blocks.map((block) => {
    const place = `${afterAllPaths}${block.linkingSpace?.space.id ?? ''} ${block.linkingText.place}`
    const at = counts.get(place) ?? 0
    counts.set(place, at + 1)
    return { ...block, place, at }
  })
}

/** Returns every name by which a link may refer to the resource. */
function namesOf(linked: LinkedResource, { revision: { snapshot } }: ContentContext): string[] {
  if ('file' in linked) return [linked.file.path, `/files/${linked.file.id}`]
  if ('text' in linked) return [linked.text]
  const { page } = linked
  if (page.type === 'link') return pageNames(page.id, '')
  if (page.type === 'document') return [page.file, ...pageNames(page.id, page.path)]
  const { config } = snapshot
  const folder = joinPath(config.root, page.path)
  return [folder, joinPath(folder, folderReadme), ...pageNames(page.id, page.path)]
}

function isTarget(target: { readonly kind: string }, linked: LinkedResource): boolean {
  const { page, file, path } = target as {
    readonly page?: PageRecord
    readonly file?: FileRecord
    readonly path?: string
  }
  if ('text' in linked) return target.kind === 'text' && path === linked.text
  return 'page' in linked ? page?.id === linked.page.id : file?.id === linked.file.id
}
