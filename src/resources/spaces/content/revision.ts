/** A whole revision, and its page tree: what clients read to know everything at once. */
import { count } from '../../../core/merkle/map.js'
import { loadTexts } from '../../../core/merkle/steps.js'
import { parseVariables, type Variables } from '../../../core/markdown/variables.js'
import { entryAt, listFiles, listNames, pageTree } from '../../../core/pages/read.js'
import { joinPath, nameOf } from '../../../core/pages/paths.js'
import type { Services } from '../../../access/route/scope.js'
import type { Asker } from '../../../contract/addresses.js'
import type { Page, Revision } from '../../../contract/content.js'
import type { ContentHere } from './content.js'
import { presentFile, presentTree } from './present.js'
import { collectTargets } from './targets.js'

export async function readPages(content: ContentHere, { addresses }: Services): Promise<Page[]> {
  const nodes = await content.run(pageTree(content.revision.snapshot))
  const targets = await collectTargets(content, nodes)
  return presentTree(nodes, { addresses, spaceId: content.spaceId, targets })
}

export async function readRevision(
  content: ContentHere,
  services: Services,
  asker: Asker,
): Promise<Revision> {
  const { revision, spaceId } = content
  const { addresses } = services
  const files = await content.run(
    listFiles(revision.snapshot, { limit: await content.run(count(revision.snapshot.files)) }),
  )
  const variables = await readVariables(content)
  return {
    object: 'revision',
    id: revision.id,
    type: revision.type,
    parents: [...revision.parents],
    pages: await readPages(content, services),
    files: files.map((file) => presentFile(addresses, file, content, asker)),
    reusableContents: await listReusableContents(content),
    ...(Object.keys(variables).length > 0 && { variables: { ...variables } }),
    createdAt: new Date(revision.createdAt).toISOString(),
    ...(revision.mergedFrom !== null && { mergedFrom: { id: revision.mergedFrom } }),
    urls: { app: addresses.app(`/s/${spaceId}/~/revisions/${revision.id}/`) },
  }
}

/** Returns the variables of the content, empty when it declares none. */
export async function readVariables(content: ContentHere): Promise<Variables> {
  const { snapshot } = content.revision
  const entry = await content.run(entryAt(snapshot, joinPath(snapshot.config.root, '.gitbook/vars.yaml')))
  if (entry === undefined || !('text' in entry)) return {}
  const [text] = await content.run(loadTexts([entry.text]))
  return parseVariables(text!).variables
}

async function listReusableContents({ run, revision }: ContentHere): Promise<Revision['reusableContents']> {
  const folder = joinPath(revision.snapshot.config.root, '.gitbook/includes/')
  const names = await run(listNames(revision.snapshot, folder))
  return names.flatMap(([path, entry]) => {
    if (!('text' in entry) || entry.id === undefined) return []
    return [{ id: entry.id, title: nameOf(path).replace(/\.md$/i, ''), document: entry.text }]
  })
}
