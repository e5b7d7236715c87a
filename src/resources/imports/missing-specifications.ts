/**
 * Import check of API blocks and computed pages: whether the specification that they name exists, and the part of it.
 * Files of the import are parsed for it, which the first page that shows one of them would do otherwise.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type NamedBlock, specificationUrl } from '../../core/document/openapi.js'
import type { OrganizationId } from '../../core/ids.js'
import { findMissingPart } from '../../core/openapi/block-view.js'
import { readReferenceSource } from '../../core/openapi/reference-source.js'
import type { MissingPart } from '../../core/openapi/view.js'
import type { SnapshotPlan } from '../../core/pages/build.js'
import type { LinkCheck } from '../../core/pages/check-links.js'
import type { ImportProblem } from '../../core/pages/import-problems.js'
import { joinPath } from '../../core/pages/paths.js'
import type { FileRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { readFileSpecification } from '../openapi-specs/file-specification.js'
import {
  type OutlinedVersion,
  findLatestByAddress,
  findLatestVersions,
} from '../openapi-specs/outlined-versions.js'
import { type IndexedText, openVersionText, readPartially } from '../openapi-specs/partial-reads.js'
import { findSpec } from '../openapi-specs/store.js'
import type { ImportedTree } from './read-tree.js'

/** Specifications whose parts are checked, and milliseconds that parsing all their files may take. */
const [maxSpecifications, parseTimeout] = [50, 10_000]

export type SpecificationServices = Pick<
  Services,
  'database' | 'files' | 'caches' | 'specifications' | 'background'
>

interface CheckedImport {
  readonly services: SpecificationServices
  readonly organizationId: OrganizationId
  readonly plan: SnapshotPlan
  /** Files of the texts that are rendered. */
  readonly files: readonly string[]
  readonly texts: ImportedTree['texts']
  readonly check: Pick<LinkCheck, 'fileOf'>
}

/** The content of a specification, or why there is none; undefined while that is not known. */
type FoundSpecification = { readonly text: IndexedText } | { readonly problem: string } | undefined

/** Returns a problem for each block and computed page whose specification, or whose part of it, does not exist. */
export async function findMissingSpecifications(checked: CheckedImport): Promise<ImportProblem[]> {
  const { plan, files, texts } = checked
  const blocks = files.flatMap((path) =>
    (texts.get(path)?.apiBlocks ?? []).map(({ line, ...block }) => ({ path, line, block })),
  )
  const computed = plan.pages.flatMap((page) => {
    const source = page.type === 'computed' ? readReferenceSource(page.source) : undefined
    return source === undefined ? [] : ['file' in source ? { src: source.file } : source]
  })
  if (blocks.length + computed.length === 0) return []
  const summary = joinPath(plan.config.root, plan.config.summary)
  const stop = new AbortController()
  const timeout = sleep(parseTimeout, undefined, { signal: stop.signal, ref: false }).catch(() => {})
  const find = createFinder(checked, timeout)
  try {
    const problems: ImportProblem[] = []
    for (const name of computed) {
      const found = await find(summary, name)
      if (found !== undefined && 'problem' in found)
        problems.push({ kind: 'link', path: summary, message: found.problem })
    }
    for (const { path, line, block } of blocks) {
      const message = await problemOf(block, await find(path, block))
      if (message !== undefined) problems.push({ kind: 'link', path, line, message })
    }
    return problems
  } finally {
    stop.abort()
  }
}

async function problemOf(block: NamedBlock, found: FoundSpecification): Promise<string | undefined> {
  if (found === undefined || 'problem' in found) return found?.problem
  const missing = await readPartially(found.text, (specification) => findMissingPart(specification, block))
  return missing && sentenceOf(missing, block.spec ?? block.src ?? '')
}

function sentenceOf({ kind, names }: MissingPart, specification: string): string {
  return `There is no ${kind} ${names.join(', ')} in the specification ${specification}.`
}

type SpecificationName = Pick<NamedBlock, 'spec' | 'src'>

type FindSpecification = (file: string, name: SpecificationName) => Promise<FoundSpecification>

/** Returns a function that finds the specification that a file names; each is opened once. */
function createFinder(
  { services, organizationId, check }: CheckedImport,
  timeout: Promise<unknown>,
): FindSpecification {
  const db = services.database.read
  const opened = new Map<string, Promise<FoundSpecification>>()

  function once(key: string, find: () => Promise<FoundSpecification>): Promise<FoundSpecification> {
    let found = opened.get(key)
    if (found === undefined) {
      if (opened.size >= maxSpecifications) return Promise.resolve(undefined)
      opened.set(key, (found = find()))
    }
    return found
  }

  async function openVersion({ hash }: Pick<OutlinedVersion, 'hash'>): Promise<FoundSpecification> {
    const text = await openVersionText(services, hash)
    return text && { text }
  }

  async function findBySlug(slug: string): Promise<FoundSpecification> {
    const [version] = await findLatestVersions(db, organizationId, [slug])
    if (version !== undefined) return openVersion(version)
    // One that is still being processed has no version yet.
    if ((await findSpec(db, organizationId, slug)) !== undefined) return undefined
    return { problem: `There is no specification ${slug} in this organization.` }
  }

  async function findByAddress(address: string): Promise<FoundSpecification> {
    const [version] = await findLatestByAddress(db, organizationId, [address])
    if (version !== undefined) return openVersion(version)
    return { problem: `No specification of this organization is fetched from ${address}.` }
  }

  async function readFile(file: FileRecord, src: string): Promise<FoundSpecification> {
    const read = await readFileSpecification(services, file, timeout)
    if (read === undefined || read === 'waiting') return undefined
    return 'problem' in read ? { problem: `${src} is no specification. ${read.problem}.` } : { text: read }
  }

  return async (from, { spec, src }) => {
    const slug = spec?.toLowerCase()
    if (slug !== undefined) return once(`slug ${slug}`, () => findBySlug(slug))
    if (src === undefined) return undefined
    const address = specificationUrl({ src })
    if (address !== undefined) return once(`address ${address}`, () => findByAddress(address))
    // A link that leads nowhere is reported with the other links.
    const file = check.fileOf(from, src)
    return file && once(`file ${file.path}`, () => readFile(file, src))
  }
}
