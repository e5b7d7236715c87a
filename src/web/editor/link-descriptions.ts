/**
 * What the links of a page lead to, in words: titles of pages and reusable contents, names of sites. It is worked out once
 * for each destination, while the document is displayed already.
 */
import { getEmbedInSpace } from '../../contract/embeds.js'
import { folderOf, joinPath, splitUrl, decodePercent } from '../../core/links/resolve.js'
import { api } from '../api/client.js'
import { queryClient } from '../api/queries.js'
import type { LinkDescription } from '../document/construct.js'
import { type EditedPage, reusableContentsQuery } from './choices.js'
import { describeAddress, fetchLinkablePages, linkTargetsQuery } from './page-links.js'

export interface LinkDescriptions {
  /** Returns what is known; otherwise `onKnown` is called when it is. */
  describe(url: string, onKnown: () => void): LinkDescription | undefined
  destroy(): void
}

export function createLinkDescriptions(edited: EditedPage): LinkDescriptions {
  const known = new Map<string, LinkDescription>()
  const waiting = new Map<string, (() => void)[]>()
  let isGone = false
  const find = async (url: string) => {
    const description = await describe(edited, url).catch(() => undefined)
    const listeners = waiting.get(url) ?? []
    waiting.delete(url)
    if (isGone || description === undefined) return
    known.set(url, description)
    for (const listener of listeners) listener()
  }
  return {
    describe(url, onKnown) {
      const description = known.get(url)
      if (description !== undefined || url === '') return description
      const listeners = waiting.get(url)
      if (listeners) listeners.push(onKnown)
      else {
        waiting.set(url, [onKnown])
        void find(url)
      }
      return undefined
    },
    destroy() {
      isGone = true
    },
  }
}

async function describe(edited: EditedPage, url: string): Promise<LinkDescription | undefined> {
  const { source, page } = edited
  if (/^https?:\/\//i.test(url)) {
    const target = await describeAddress(source, page, url).catch(() => undefined)
    if (target !== undefined) return { title: target.title, icon: 'file-text' }
    const { title, site } = await api.call(getEmbedInSpace, {
      params: { spaceId: source.space },
      query: { url },
    })
    return { title, detail: site }
  }
  // Of the stored text; what was chosen since then is found by its path.
  const stored = (await queryClient.fetchQuery(linkTargetsQuery(source, page))).get(url)
  if (stored?.title !== undefined) return stored
  const pages = await fetchLinkablePages(source)
  const own = pages.find(({ id }) => id === page)
  const path = joinPath(folderOf(own?.file ?? ''), decodePercent(splitUrl(url).path))
  const target = pages.find(({ file }) => file === path)
  if (target !== undefined) return { title: target.title }
  const contents = await queryClient.fetchQuery(reusableContentsQuery(source))
  const content = contents.find((one) => one.path === path)
  return content === undefined ? stored : { title: content.title }
}
