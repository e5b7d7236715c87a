/** Specification views of a page's API blocks, from the organization's specifications as of the site's lookup or from files of the space. */
import { setTimeout as pause } from 'node:timers/promises'
import { createBudget } from '../../core/budget.js'
import type { Block } from '../../core/document/types.js'
import { type NamedBlock, isOpenAPI, namedBlockOf, specificationUrl } from '../../core/document/openapi.js'
import { visitBlocks } from '../../core/document/visit.js'
import { isCutView, viewLimits, viewOfBlock } from '../../core/openapi/block-view.js'
import { requestOf } from '../../core/openapi/request.js'
import { writeSamples } from '../../core/openapi/samples.js'
import { originsOf, triedServers } from '../../core/openapi/try-it-servers.js'
import type { SpecificationView } from '../../core/openapi/view.js'
import type { FileRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { readFileSpecification } from '../../resources/openapi-specs/file-specification.js'
import {
  type IndexedText,
  openVersionText,
  readPartially,
} from '../../resources/openapi-specs/partial-reads.js'
import type { LatestVersion } from '../../resources/openapi-specs/store.js'

/**
 * Distinct API blocks of a page whose details are read, and characters of their views as JSON: the block that goes past
 * them is whole, further ones say that theirs are left out.
 */
const [maxBlocks, longestViews] = [100, 600_000]

/** Returns the distinct API blocks of documents. */
export function collectSpecificationBlocks(
  documents: Iterable<{ readonly blocks: readonly Block[] }>,
): NamedBlock[] {
  const found = new Map<string, NamedBlock>()
  for (const document of documents) {
    visitBlocks(document, (block) => {
      if (!isOpenAPI(block)) return
      const apiBlock = namedBlockOf(block)
      found.set(blockKey(apiBlock), apiBlock)
    })
  }
  return [...found.values()]
}

/** Returns the key of a block: blocks with equal keys show the same. */
export function blockKey({ type, spec, src, path, method, name, schemas }: NamedBlock): string {
  return JSON.stringify([type, spec, src, path, method, name, schemas])
}

/** Milliseconds that a page waits for its specification files to be parsed. */
const fileTimeout = 1_000

/** The specifications that blocks may refer to. */
export interface SpecificationSources {
  readonly versions: readonly LatestVersion[]
  /** Returns the file of a destination on the page. */
  file(src: string): FileRecord | undefined
  /** Returns the download link of a version, where readers of the page may have it. */
  download(version: LatestVersion): Promise<SpecificationView['whole']>
}

type SpecificationServices = Pick<Services, 'files' | 'caches' | 'specifications' | 'background'>

/** Returns the views of the blocks that name a specification, by block key. */
export async function readSpecificationViews(
  services: SpecificationServices,
  sources: SpecificationSources,
  blocks: readonly NamedBlock[],
): Promise<ReadonlyMap<string, SpecificationView>> {
  const views = new Map<string, SpecificationView>()
  const whole = createBudget(viewLimits)
  const abort = new AbortController()
  const timeout = pause(fileTimeout, undefined, { signal: abort.signal, ref: false }).catch(() => {})
  // Texts too large for the cache are read once for all blocks of the page.
  const texts = new Map<string, Awaited<ReturnType<typeof findText>>>()
  const downloads = new Map<LatestVersion, Promise<SpecificationView['whole']>>()
  const download = (version: LatestVersion) => {
    const known = downloads.get(version) ?? sources.download(version)
    downloads.set(version, known)
    return known
  }
  let [blocksLeft, charactersLeft] = [maxBlocks, longestViews]
  try {
    for (const block of blocks) {
      const specification = block.spec ?? block.src
      // Older blocks describe an operation themselves.
      if (specification === undefined) continue
      const name = JSON.stringify([block.spec, block.src])
      if (blocksLeft === 0 || charactersLeft <= 0) {
        const version = versionOf(texts.get(name))
        const all = version && (await download(version))
        views.set(blockKey(block), { isLeftOut: true, ...(all && { whole: all }) })
        continue
      }
      blocksLeft -= 1
      if (!texts.has(name)) texts.set(name, await findText(services, sources, block, timeout))
      const found = texts.get(name)
      if (found === undefined) {
        views.set(blockKey(block), { missing: { kind: 'specification', names: [specification] } })
        continue
      }
      if ('unread' in found) {
        views.set(blockKey(block), found)
        continue
      }
      const view = await readPartially(found.text, (specification) =>
        viewOfBlock(specification, block, whole.share({ steps: Math.floor(whole.left('steps') / 2) })),
      )
      charactersLeft -= JSON.stringify(view).length
      const all = found.version && isCutView(view) ? await download(found.version) : undefined
      views.set(blockKey(block), { ...(await withSamples(view)), ...(all && { whole: all }) })
    }
  } finally {
    abort.abort()
  }
  return views
}

function versionOf(found: Awaited<ReturnType<typeof findText>>): LatestVersion | undefined {
  return found !== undefined && 'version' in found ? found.version : undefined
}

interface FoundText {
  readonly text: IndexedText
  /** Absent where it is a file of the space. */
  readonly version?: LatestVersion
}

/** Returns the specification text of a block: of the organization, or a file of the space. */
async function findText(
  services: SpecificationServices,
  { versions, file }: SpecificationSources,
  { spec, src }: NamedBlock,
  timeout: Promise<unknown>,
): Promise<FoundText | Pick<Required<SpecificationView>, 'unread'> | undefined> {
  // No access check here: which specification a text may use is authorized when it is written.
  const specAddress = specificationUrl({ src })
  const version = versions.find(
    ({ slug, address }) =>
      (spec !== undefined && slug === spec.toLowerCase()) ||
      (specAddress !== undefined && address === specAddress),
  )
  if (version !== undefined) {
    const text = await openVersionText(services, version.hash)
    return text && { text, version }
  }
  const named = src === undefined ? undefined : file(src)
  const read = named && (await readFileSpecification(services, named, timeout))
  if (read === undefined) return undefined
  return read === 'waiting' || 'problem' in read ? { unread: read } : { text: read }
}

/** True when some views are still being read, so a later result is more complete. */
export function hasPendingViews(views: ReadonlyMap<string, SpecificationView>): boolean {
  return [...views.values()].some(({ unread }) => unread === 'waiting')
}

/** Origins in the Content-Security-Policy header: proxies refuse longer headers. */
const maxOrigins = 30

/** Returns the origins of the servers at which the operations of a page may be called. */
export function collectConnectOrigins(views: Iterable<SpecificationView>): readonly string[] {
  const servers = [...views].flatMap(({ operation }) =>
    operation === undefined ? [] : triedServers(operation),
  )
  return originsOf(servers).slice(0, maxOrigins)
}

async function withSamples(view: SpecificationView): Promise<SpecificationView> {
  const { operation } = view
  if (operation === undefined || operation.samples === false || operation.kind === 'webhook') return view
  return { ...view, samples: operation.samples ?? (await writeSamples(requestOf(operation))) }
}
