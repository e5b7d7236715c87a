/** Where a page or a file is linked: the index of the revision says which texts to look at. */
import { findSources, pageNames } from '../../core/pages/link-touch.js'
import { joinPath, nameOf } from '../../core/pages/paths.js'
import type { FileRecord, PageRecord } from '../../core/pages/types.js'
import type { ContentLocation } from '../../contract/links.js'
import type { ContentHere } from '../content/content.js'
import { cutPage, encodeCursor, resumeList } from './cursor.js'
import type { Asking } from './elsewhere.js'
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
  const judged = await judgeLinks(content, services, linking)
  const links = linking.flatMap((one, index) => {
    const nodes = judged[index]!.flatMap(({ target, item }) => {
      if (!leadsTo(target, linked)) return []
      return item.nodes.length === 0 ? [[]] : item.nodes.map((node) => [node])
    })
    return nodes.map((own, at) => ({ place: one.place, at, linking: one, nodes: own }))
  })
  const { items, last } = cutPage(links, after, limit)
  return {
    ...(last !== undefined && { next: { page: encodeCursor(contents, last) } }),
    count: links.length,
    items: await showLocations(asking, { ...place, content }, items),
  }
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
