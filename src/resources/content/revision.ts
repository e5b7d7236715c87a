/** A whole revision, and its page tree: what clients read to know everything at once. */
import { createHash } from 'node:crypto'
import { parseSpaceTags } from '../../core/markdown/space-tags.js'
import { listReusableContents, pageTree } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import { type Written, writeOnce } from '../../access/route/written.js'
import type { Asker } from '../../contract/addresses.js'
import { type Page, tagColors } from '../../contract/pages.js'
import type { Revision } from '../../contract/content.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { ContentHere } from './content.js'
import { type Asking, describeRevisions } from './revision-list.js'
import { presentFile, presentReusableContent, presentToReaders, presentTree } from './present.js'
import { listOpenFiles } from './open-files.js'
import { openingOf, readerKey } from './visibility.js'
import { writePages } from './page-list.js'
import { readSetting, readVariables } from './settings.js'
import { collectTargets } from './targets.js'

const revisionKind = kindOf<Uint8Array>('revision and pages', (json) => json.length)

async function readPages(content: ContentHere, { addresses }: Services): Promise<Page[]> {
  const all = await content.run(pageTree(content.revision.snapshot))
  const nodes = (await openingOf(content))?.nodes(all) ?? all
  const targets = await collectTargets(content, nodes)
  return presentTree(nodes, { addresses, spaceId: content.spaceId, targets })
}

type Telling = Asking & { readonly asker: Asker }

export async function readRevision(content: ContentHere, telling: Telling): Promise<Revision> {
  const around = await readAround(content, telling)
  return { ...around, pages: await readPages(content, telling.services) }
}

/**
 * Returns the same, written. Pages are most of it, and are those of the list of pages; what stands around them is read
 * each time, for it says who wrote the revision, and holds addresses that open files for whoever asks.
 */
export async function writeRevision(content: ContentHere, telling: Telling): Promise<Written> {
  const { services } = telling
  const around = JSON.stringify(await readAround(content, telling))
  const digest = createHash('sha256').update(around).digest('base64url')
  const key = `${content.revision.id}${readerKey(content)} ${digest}`
  return writeOnce(services, revisionKind, key, async () => {
    const { json } = await writePages(content, services)
    return `${Buffer.from(json).toString().slice(0, -1)},${around.slice(1)}`
  })
}

/** Returns what a revision holds besides its pages. */
async function readAround(content: ContentHere, telling: Telling): Promise<Omit<Revision, 'pages'>> {
  const { revision, spaceId } = content
  const { services, asker } = telling
  const { addresses } = services
  const files = await listOpenFiles(content)
  const variables = await readVariables(content)
  const reusable = await content.run(listReusableContents(revision.snapshot))
  const context = { addresses, spaceId }
  const [said] = content.isForReaders
    ? [presentToReaders(revision)]
    : await describeRevisions(content, [revision], telling)
  return {
    ...said!,
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
