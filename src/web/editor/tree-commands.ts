/** Commands of the page tree of a change request. Each is one commit; moves and deletions can be taken back for a while. */
import { getChangeRequest } from '../../contract/change-requests.js'
import type { Change, ChangeOf } from '../../contract/changes.js'
import { changeRequestContent } from '../../contract/content.js'
import { changePages } from '../api/change-pages.js'
import { api } from '../api/client.js'
import {
  type ChangeSource,
  contentKey,
  pagesQuery,
  queryClient,
  refresh,
  spaceQuery,
} from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath, spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { type PageNode, pageNodeOf, wayTo } from '../space/page-node.js'
import type { TreeMove } from '../tree/drag-rows.js'
import { reportFailure, showToast } from '../ui/toast.js'
import { batchesOf, movePages } from './page-changes.js'

/** Where a new page goes; undefined is the end of the top level. */
export type NewPlace = Pick<TreeMove, 'target' | 'place'> | undefined

/** The most pages that are duplicated at once: what one commit takes. */
const maxDuplicated = 50

export type TreeCommands = ReturnType<typeof createTreeCommands>

export function createTreeCommands(source: ChangeSource, nodes: readonly PageNode[]) {
  const apply = async (changes: readonly Change[]) => {
    for (const batch of batchesOf(changes)) await changePages(source, batch)
    await refresh(...contentKey(source))
  }
  const undoable = (words: string, undo: readonly Change[]) =>
    showToast(words, {
      action: { name: text.common.undo, run: () => void reportFailure(apply(undo)) },
    })
  /** The parent and the position of a new page. */
  const placeOf = (place: NewPlace): { readonly into?: string; readonly at?: number } => {
    if (place === undefined) return {}
    if (place.place === 'into') return { into: place.target }
    const way = wayTo(nodes, place.target)
    const parent = way.at(-2)
    const at = (parent?.children ?? nodes).findIndex(({ id }) => id === place.target)
    return { ...(parent !== undefined && { into: parent.id }), at: at + (place.place === 'after' ? 1 : 0) }
  }

  return {
    async insertPage(title: string, place: NewPlace): Promise<void> {
      const [outcome] = await changePages(source, {
        operation: 'insert_page',
        title,
        document: { markdown: '' },
        ...placeOf(place),
      })
      await refresh(...contentKey(source))
      const page = outcome?.page
      const id = typeof page === 'object' ? page.id : page
      if (id !== undefined) await openCreated(source, id)
    },
    insertGroup: (title: string, place: NewPlace) =>
      apply([{ operation: 'insert_page', type: 'group', title, ...placeOf(place) }]),
    insertLink: (title: string, url: string, place: NewPlace) =>
      apply([
        { operation: 'insert_page', type: 'link', title, target: { kind: 'url', url }, ...placeOf(place) },
      ]),
    editLink: (page: string, title: string, url: string) =>
      apply([{ operation: 'update_page', page, title, target: { kind: 'url', url } }]),
    rename: ({ id }: PageNode, title: string) => apply([{ operation: 'update_page', page: id, title }]),
    setIcon: ({ id }: PageNode, icon: { readonly emoji: string; readonly icon: string }) =>
      apply([{ operation: 'update_page', page: id, ...icon }]),
    setHidden: (targets: readonly PageNode[], hidden: boolean) =>
      apply(targets.map(({ id }) => ({ operation: 'update_page', page: id, hidden }))),

    /** Moves pages; false where they would be below themselves, or stay where they are. */
    async move(move: Omit<TreeMove, 'target'> & { readonly target: string | undefined }): Promise<boolean> {
      const planned = movePages(nodes, move)
      if (planned === undefined) return false
      await apply(planned.changes)
      undoable(text.change.moved(planned.changes.length), planned.undo)
      return true
    },

    async remove(targets: readonly PageNode[]): Promise<void> {
      // What is deleted is taken from the revision before.
      const { revision } = await api.call(getChangeRequest, {
        params: { spaceId: source.space, changeRequestId: source.change },
      })
      await apply(targets.map(({ id }) => ({ operation: 'delete_page', page: id })))
      const all = targets.flatMap(withBelow)
      undoable(
        text.change.deleted(all.length),
        all.map(({ id }) => ({ operation: 'revert_page', page: id, revision })),
      )
    },

    /** Copies pages with those below them, each after its original. */
    async duplicate(targets: readonly PageNode[]): Promise<void> {
      const all = targets.flatMap(withBelow)
      if (all.length > maxDuplicated) throw new Error(text.change.tooManyToDuplicate(maxDuplicated))
      const changes: Change[] = []
      for (const [at, node] of targets.entries()) {
        const { into, at: position } = placeOf({ target: node.id, place: 'after' })
        // Copies before this one on the same level have moved it down.
        const moved = targets.slice(0, at).filter(({ id }) => wayTo(nodes, id).at(-2)?.id === into).length
        changes.push(
          ...(await copyOf(source, node, {
            title: text.change.copyOf(node.title),
            ...(into !== undefined && { into }),
            at: position! + moved,
          })),
        )
      }
      await apply(changes)
    },

    /** Opens the page as it is published, or as the app displays it to readers of the space. */
    async viewAsReader({ path }: PageNode): Promise<void> {
      const { urls } = await queryClient.fetchQuery(spaceQuery(source.space))
      const address =
        urls.published === undefined
          ? spacePath(source.space, path)
          : `${urls.published.replace(/\/$/, '')}/${path}`
      window.open(address, '_blank', 'noopener')
    },
  }
}

const withBelow = (node: PageNode): readonly PageNode[] => [node, ...node.children.flatMap(withBelow)]

type NewPage = ChangeOf<'insert_page'>

/** Returns the changes that insert a copy of a page and of those below it. */
async function copyOf(
  source: ChangeSource,
  node: PageNode,
  place: Pick<NewPage, 'title' | 'into' | 'at'>,
): Promise<readonly Change[]> {
  const page = await api.call(changeRequestContent.page, {
    params: { spaceId: source.space, changeRequestId: source.change, pageId: node.id },
    query: { format: 'markdown', metadata: false, computed: false },
  })
  const ref = `copy-${node.id}`
  const common = { operation: 'insert_page', ref, title: page.title, ...place } as const
  const own: NewPage =
    page.type === 'document'
      ? { ...common, document: { markdown: page.markdown ?? '' } }
      : page.type === 'link'
        ? { ...common, type: 'link', target: page.target as NonNullable<NewPage['target']> }
        : page.type === 'computed'
          ? { ...common, type: 'computed', computed: page.computed as NonNullable<NewPage['computed']> }
          : { ...common, type: 'group' }
  // The heading of the text would be the title otherwise.
  const below: Change[] =
    place.title === undefined ? [] : [{ operation: 'update_page', page: ref, title: place.title }]
  for (const child of node.children) below.push(...(await copyOf(source, child, { into: ref })))
  return [own, ...below]
}

/** Opens a page that was created: its path is known with the next list of pages. */
async function openCreated(source: ChangeSource, id: string): Promise<void> {
  const pages = await queryClient.fetchQuery({ ...pagesQuery(source), staleTime: 0 })
  const node = wayTo(pages.map(pageNodeOf), id).at(-1)
  if (node !== undefined) navigate(changePath(source.space, source.change, node.path))
}
