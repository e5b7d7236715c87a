/**
 * All pages of a revision, as JSON. Ten thousand of them are several megabytes, so they are written page by page,
 * with turns for others in between, and kept as bytes under the revision's name.
 */
import { type PageNode, pageTree } from '../../core/pages/read.js'
import { type Written, writeOnce } from '../../access/route/written.js'
import type { Services } from '../../access/route/scope.js'
import { kindOf } from '../../store/cache/kinds.js'
import { takeTurns } from '../../store/content/turns.js'
import type { ContentHere } from './content.js'
import { openingOf, readerKey } from './visibility.js'
import { type PageContext, presentPage } from './present.js'
import { collectTargets } from './targets.js'

const pagesKind = kindOf<Uint8Array>('pages', (json) => json.length)

export function writePages(content: ContentHere, services: Services): Promise<Written> {
  return writeOnce(services, pagesKind, content.revision.id + readerKey(content), async () => {
    const all = await content.run(pageTree(content.revision.snapshot))
    const nodes = (await openingOf(content))?.nodes(all) ?? all
    const targets = await collectTargets(content, nodes)
    const context = { addresses: services.addresses, spaceId: content.spaceId, targets }
    return `{"pages":${await writeTree(nodes, context)}}`
  })
}

/** A page ends with the list of its subpages, which is where they are put. */
const withoutPages = '[]}'

async function writeTree(nodes: readonly PageNode[], context: PageContext): Promise<string> {
  const pieces: string[] = []
  const turn = takeTurns()
  async function write(siblings: readonly PageNode[]): Promise<void> {
    pieces.push('[')
    for (const [index, { page, children }] of siblings.entries()) {
      const rest = turn()
      if (rest !== undefined) await rest
      if (index > 0) pieces.push(',')
      const text = JSON.stringify(presentPage(page, [], context))
      if (children.length === 0) pieces.push(text)
      else {
        pieces.push(text.slice(0, -withoutPages.length))
        await write(children)
        pieces.push('}')
      }
    }
    pieces.push(']')
  }
  await write(nodes)
  return pieces.join('')
}
