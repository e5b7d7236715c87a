/** Resolves the cover images of many pages, and the URLs of link pages, in one batch. */
import { isAbsoluteUrl } from '../../core/links/resolve.js'
import { summaryFile } from '../../core/pages/paths.js'
import { runTogether } from '../../core/merkle/steps.js'
import type { PageNode } from '../../core/pages/read.js'
import { type Target, resolveTargets } from '../../core/pages/targets.js'
import type { ContentContext } from './content.js'
import { targetKey } from './present.js'

export async function collectPageTargets(
  content: ContentContext,
  nodes: readonly PageNode[],
): Promise<ReadonlyMap<string, Target>> {
  const { snapshot } = content.revision
  const wanted: { from: string; file: string; urls: string[] }[] = []
  const walk = ({ page, children }: PageNode): void => {
    if (page.type === 'document' && page.cover !== undefined) {
      const urls = [page.cover.src, page.cover.srcDark].filter((url) => url !== undefined)
      if (urls.length > 0) wanted.push({ from: page.id, file: page.file, urls })
    }
    if (page.type === 'link' && !isAbsoluteUrl(page.url))
      wanted.push({ from: page.id, file: summaryFile(snapshot.config), urls: [page.url] })
    for (const child of children) walk(child)
  }
  for (const node of nodes) walk(node)
  if (wanted.length === 0) return new Map()

  const steps = wanted.map(({ file, urls }) => resolveTargets(snapshot, file, urls))
  const resolved = await content.run(runTogether(...steps))
  const targets = new Map<string, Target>()
  for (const [index, { from }] of wanted.entries()) {
    for (const [url, target] of resolved[index]!) targets.set(targetKey(from, url), target)
  }
  return targets
}
