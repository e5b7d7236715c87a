/** A whole revision, and its page tree: what clients read to know everything at once. */
import { parseSpaceTags } from '../../core/markdown/space-tags.js'
import { listReusableContents, pageTree } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import type { Asker } from '../../contract/addresses.js'
import { type Page, tagColors } from '../../contract/pages.js'
import type { Revision } from '../../contract/content.js'
import type { ContentHere } from './content.js'
import { type Asking, describeRevisions } from './line.js'
import { presentFile, presentReusableContent, presentToReaders, presentTree } from './present.js'
import { listOpenFiles } from './open-files.js'
import { openingOf } from './opening.js'
import { readSetting, readVariables } from './settings.js'
import { collectTargets } from './targets.js'

export async function readPages(content: ContentHere, { addresses }: Services): Promise<Page[]> {
  const all = await content.run(pageTree(content.revision.snapshot))
  const nodes = (await openingOf(content))?.nodes(all) ?? all
  const targets = await collectTargets(content, nodes)
  return presentTree(nodes, { addresses, spaceId: content.spaceId, targets })
}

export async function readRevision(
  content: ContentHere,
  asking: Asking & { asker: Asker },
): Promise<Revision> {
  const { revision, spaceId } = content
  const { services, asker } = asking
  const { addresses } = services
  const files = await listOpenFiles(content)
  const variables = await readVariables(content)
  const reusable = await content.run(listReusableContents(revision.snapshot))
  const context = { addresses, spaceId }
  const [said] = content.isForReaders
    ? [presentToReaders(revision)]
    : await describeRevisions(content, [revision], asking)
  return {
    ...said!,
    pages: await readPages(content, services),
    files: files.map((file) => presentFile(addresses, file, content, asker)),
    reusableContents: reusable.map((one) => presentReusableContent(one, context)),
    tags: await readTags(content),
    ...(Object.keys(variables).length > 0 && { variables: { ...variables } }),
    urls: { app: addresses.app(`/s/${spaceId}/~/revisions/${revision.id}/`) },
  }
}

/** Returns the tags that the content declares, in their order. */
async function readTags(content: ContentHere): Promise<Revision['tags']> {
  const text = await readSetting(content, 'tags.yaml')
  const { tags } = parseSpaceTags(text ?? '')
  return tags.map(({ tag, label, icon, color }) => ({
    slug: tag,
    label,
    color: tagColors.find((known) => known === color) ?? 'default',
    ...(icon !== undefined && { icon }),
  }))
}
