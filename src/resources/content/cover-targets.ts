/** Resolves the cover images of many pages in one batch. */
import { runTogether } from '../../core/merkle/steps.js'
import type { PageNode } from '../../core/pages/read.js'
import { type Target, resolveTargets } from '../../core/pages/targets.js'
import type { ContentContext } from './content.js'
import { coverTargetKey } from './present.js'

export async function collectCoverTargets(
  content: ContentContext,
  nodes: readonly PageNode[],
): Promise<ReadonlyMap<string, Target>> {
  const wanted: { file: string; urls: string[] }[] = []
  const walk = ({ page, children }: PageNode): void => {
    if (page.type === 'document' && page.cover !== undefined) {
      const urls = [page.cover.src, page.cover.srcDark].filter((url) => url !== undefined)
      if (urls.length > 0) wanted.push({ file: page.file, urls })
    }
    for (const child of children) walk(child)
  }
  for (const node of nodes) walk(node)
  if (wanted.length === 0) return new Map()

  const steps = wanted.map(({ file, urls }) => resolveTargets(content.revision.snapshot, file, urls))
  const resolved = await content.run(runTogether(...steps))
  const targets = new Map<string, Target>()
  for (const [index, { file }] of wanted.entries()) {
    for (const [url, target] of resolved[index]!) targets.set(coverTargetKey(file, url), target)
  }
  return targets
}
