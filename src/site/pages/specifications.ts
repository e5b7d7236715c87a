/** What the API blocks of a page show of the organization's specifications, as they were when the site was found. */
import { setTimeout as pause } from 'node:timers/promises'
import { createBudget } from '../../core/budget.js'
import type { Block } from '../../core/document/types.js'
import { addressOf, isOpenAPI } from '../../core/document/openapi.js'
import { visitBlocks } from '../../core/document/visit.js'
import { isCutView, viewLimits, viewOfBlock } from '../../core/openapi/block-view.js'
import { requestOf } from '../../core/openapi/request.js'
import { writeSamples } from '../../core/openapi/samples.js'
import type { NamedBlock } from '../../core/openapi/shown-words.js'
import { originsOf, triedServers } from '../../core/openapi/try-it-servers.js'
import type { SpecificationView } from '../../core/openapi/view.js'
import type { FileRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { readFileSpecification } from '../../resources/openapi-specs/from-file.js'
import { type PartedText, openVersion, readInParts } from '../../resources/openapi-specs/parts.js'
import type { LatestVersion } from '../../resources/openapi-specs/store.js'

/** API blocks of a page that are looked up; further ones say what their writer says. */
const mostBlocks = 100

/** Returns the API blocks of documents, each once. */
export function collectAsked(documents: Iterable<{ readonly blocks: readonly Block[] }>): NamedBlock[] {
  const found = new Map<string, NamedBlock>()
  for (const document of documents) {
    visitBlocks(document, (block) => {
      if (!isOpenAPI(block) || found.size >= mostBlocks) return
      const { type, spec, src, path, method, name, schemas } = block
      const asked = { type, spec, src, path, method, name, schemas } as NamedBlock
      found.set(nameAsked(asked), asked)
    })
  }
  return [...found.values()]
}

/** Two blocks of one name show the same. */
export function nameAsked({ type, spec, src, path, method, name, schemas }: NamedBlock): string {
  return JSON.stringify([type, spec, src, path, method, name, schemas])
}

/** Milliseconds that a page waits for the files that it names to be read. */
const patience = 1_000

/** Where the specifications are that blocks may name. */
export interface Shelf {
  readonly versions: readonly LatestVersion[]
  /** Returns the file of the space that a destination on the page means. */
  file(src: string): FileRecord | undefined
  /** Returns where readers of the page read all of a version, if they may. */
  whole(version: LatestVersion): Promise<SpecificationView['whole']>
}

type AskedServices = Pick<Services, 'files' | 'caches' | 'specifications' | 'background'>

/** Returns the views of those blocks whose specification there is, by the names of the blocks. */
export async function readAsked(
  services: AskedServices,
  shelf: Shelf,
  asked: readonly NamedBlock[],
): Promise<ReadonlyMap<string, SpecificationView>> {
  const views = new Map<string, SpecificationView>()
  const whole = createBudget(viewLimits)
  const over = new AbortController()
  const late = pause(patience, undefined, { signal: over.signal, ref: false }).catch(() => {})
  // What is too large to be kept is read once for all blocks of the page.
  const texts = new Map<string, Awaited<ReturnType<typeof findText>>>()
  try {
    for (const block of asked) {
      const name = JSON.stringify([block.spec, block.src])
      if (!texts.has(name)) texts.set(name, await findText(services, shelf, block, late))
      const found = texts.get(name)
      if (found === undefined) continue
      if ('unread' in found) {
        views.set(nameAsked(block), found)
        continue
      }
      const view = await readInParts(found.text, (specification) =>
        viewOfBlock(specification, block, whole.share({ steps: Math.floor(whole.left('steps') / 2) })),
      )
      const all = found.version && isCutView(view) ? await shelf.whole(found.version) : undefined
      views.set(nameAsked(block), { ...(await withSamples(view)), ...(all && { whole: all }) })
    }
  } finally {
    over.abort()
  }
  return views
}

interface FoundText {
  readonly text: PartedText
  /** Absent where it is a file of the space. */
  readonly version?: LatestVersion
}

/** Returns the text of what a block names: a specification of the organization, or a file of the space. */
async function findText(
  services: AskedServices,
  { versions, file }: Shelf,
  { spec, src }: NamedBlock,
  late: Promise<unknown>,
): Promise<FoundText | Pick<Required<SpecificationView>, 'unread'> | undefined> {
  // What is shown was named where the text was written, where it is judged who may show it.
  const said = addressOf({ src })
  const version = versions.find(
    ({ slug, address }) =>
      (spec !== undefined && slug === spec.toLowerCase()) || (said !== undefined && address === said),
  )
  if (version !== undefined) {
    const text = await openVersion(services, version.hash)
    return text && { text, version }
  }
  const named = src === undefined ? undefined : file(src)
  const read = named && (await readFileSpecification(services, named, late))
  if (read === undefined) return undefined
  return read === 'waiting' || 'problem' in read ? { unread: read } : { text: read }
}

/** True when another time more is known of some. */
export function isAnyWaiting(views: ReadonlyMap<string, SpecificationView>): boolean {
  return [...views.values()].some(({ unread }) => unread === 'waiting')
}

/** Origins that a content policy names: more would make a header that servers in between refuse. */
const mostOrigins = 30

/** Returns the origins of the servers at which the operations of a page may be tried. */
export function connectsOf(views: Iterable<SpecificationView>): readonly string[] {
  const servers = [...views].flatMap(({ operation }) =>
    operation === undefined ? [] : triedServers(operation),
  )
  return originsOf(servers).slice(0, mostOrigins)
}

async function withSamples(view: SpecificationView): Promise<SpecificationView> {
  const { operation } = view
  if (operation === undefined || operation.samples === false || operation.kind === 'webhook') return view
  return { ...view, samples: operation.samples ?? (await writeSamples(requestOf(operation))) }
}
