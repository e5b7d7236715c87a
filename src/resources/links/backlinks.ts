/**
 * Where a page or a file is linked: the index of the revision says which texts of its own content to look at, rows that
 * follow the heads which of other spaces.
 */
import { findSources, pageNames } from '../../core/pages/link-touch.js'
import { joinPath, nameOf } from '../../core/pages/paths.js'
import type { FileRecord, PageRecord } from '../../core/pages/types.js'
import type { ContentLocation } from '../../contract/links.js'
import type { ContentHere } from '../content/content.js'
import { cutPage, encodeCursor, resumeList } from './cursor.js'
import type { Asking } from './elsewhere.js'
import { type NamingBlock, findNamingBlocks } from './from-elsewhere.js'
import { judgeLinks } from './judge.js'
import { type ShownPlace, showLocations } from './show.js'
import { findLinking } from './table.js'

export interface BacklinkList {
  next?: { page: string }
  count: number
  items: ContentLocation[]
}

/** What is linked. */
export type Linked = { readonly page: PageRecord } | { readonly file: FileRecord }

/** Returns the places from which a page or a file is linked: one for each block. */
export async function listBacklinks(
  asking: Asking,
  place: ShownPlace,
  linked: Linked,
  { page, limit }: { readonly page?: string; readonly limit: number },
): Promise<BacklinkList> {
  const { services } = asking
  const { contents, after } = await resumeList(page, [place.content], services)
  const [content] = contents as [ContentHere]
  const { snapshot } = content.revision
  const sources = await content.run(findSources(snapshot, new Set(namesOf(linked, content))))
  const linking = await content.run(findLinking(snapshot, [], sources))
  const judged = await judgeLinks(content, services, linking, (links) => links)
  const within = linking.flatMap((one, index) => {
    const nodes = judged[index]!.flatMap(({ target, item }) => {
      if (!leadsTo(target, linked)) return []
      return item.nodes.length === 0 ? [[]] : item.nodes.map((node) => [node])
    })
    return nodes.map((own, at) => ({ place: one.place, at, linking: one, nodes: own, elsewhere: undefined }))
  })
  const naming = 'page' in linked ? await findNamingBlocks(asking, content, linked.page) : []
  const links = [...within, ...inOrder(naming)]
  const { items, last } = cutPage(links, after, limit)
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count: links.length,
    items: await showLocations(asking, { ...place, content }, items),
  }
}

/** Behind what stands in the content itself: no path of a file begins so. */
const behindAll = '\uffff'

function inOrder(blocks: readonly NamingBlock[]) {
  const counts = new Map<string, number>()
  return blocks.map((block) => {
    const place = `${behindAll}${block.elsewhere?.space.id ?? ''} ${block.linking.place}`
    const at = counts.get(place) ?? 0
    counts.set(place, at + 1)
    return { ...block, place, at }
  })
}

/** Every name by which a link may mean it. */
function namesOf(linked: Linked, { revision: { snapshot } }: ContentHere): string[] {
  if ('file' in linked) return [linked.file.path, `/files/${linked.file.id}`]
  const { page } = linked
  if (page.type === 'link') return pageNames(page.id, '')
  if (page.type === 'document') return [page.file, ...pageNames(page.id, page.path)]
  const { config } = snapshot
  const folder = joinPath(config.root, page.path)
  return [folder, joinPath(folder, nameOf(config.readme)), ...pageNames(page.id, page.path)]
}

function leadsTo(target: { readonly kind: string }, linked: Linked): boolean {
  const { page, file } = target as { readonly page?: PageRecord; readonly file?: FileRecord }
  return 'page' in linked ? page?.id === linked.page.id : file?.id === linked.file.id
}
