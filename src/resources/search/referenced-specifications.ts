/** Specifications referenced by blocks of written pages, for the search index: their versions, files and text. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createBudget } from '../../core/budget.js'
import { type NamedBlock, specificationUrl } from '../../core/document/openapi.js'
import type { Hash, OrganizationId, PageId } from '../../core/ids.js'
import { diff, getMany, range } from '../../core/merkle/map.js'
import type { Step } from '../../core/merkle/types.js'
import { viewLimits, viewOfBlock } from '../../core/openapi/block-view.js'
import {
  type BlockWords,
  findApiBlocks,
  listEmbeddedSpecifications,
  blockKey,
  wordsOfOperations,
} from '../../core/openapi/block-words.js'
import type { SpecificationOutline } from '../../core/openapi/outline.js'
import { wordsOfView } from '../../core/openapi/view-words.js'
import { linkKey, linksPrefix, readLinkKey, specificationTarget } from '../../core/pages/keys.js'
import { resolveTargets } from '../../core/pages/targets.js'
import type { FileRecord, Snapshot } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { hashOf } from '../../store/content/encoding.js'
import type { Db } from '../../store/db/database.js'
import type { ContentContext } from '../content/content.js'
import { readFileSpecification } from '../openapi-specs/file-specification.js'
import {
  type OutlinedVersion,
  findLatestByAddress,
  findLatestVersions,
  findOutlines,
} from '../openapi-specs/outlined-versions.js'
import { type IndexedText, openVersionText, readPartially } from '../openapi-specs/partial-reads.js'

/** Specifications per space; text of further ones is not indexed. */
const maxSpecifications = 50
/** Parsed outlines in memory: each is some megabytes. */
const maxCachedOutlines = 3
/** Up to this number of pages are looked up individually. */
const fewPages = 100
/** Milliseconds between two polls of a file that is being parsed. */
const pollInterval = 1_000
/** Files that may be specifications. */
const fileName = /\.(?:json|ya?ml)$/i

/** A referenced specification: the id of the version or the hash of the file. */
export interface SpecificationSource {
  readonly id: string
}

/** A version, and the name by which texts reference its specification: slug or URL. */
export interface NamedVersion extends OutlinedVersion {
  readonly name: string
}

export interface ReferencedSpecifications {
  /** Hash of the versions; empty when no page references a specification. */
  readonly key: string
  readonly versions: readonly NamedVersion[]
  /** True when each referenced specification has a version. */
  readonly isComplete: boolean
  /** Returns the files that the blocks of a text reference, ordered by hash. */
  files(text: PageText): Promise<readonly SpecificationSource[]>
  /** Returns the text that the blocks of a page render from these versions and files. */
  words(text: PageText, reading: SpecificationTextContext): Promise<BlockWords>
}

export interface PageText {
  readonly markdown: string
  /** Its path, which links of its blocks are relative to. */
  readonly file: string
}

export interface SpecificationTextContext {
  readonly services: Pick<Services, 'files' | 'caches' | 'specifications' | 'background'>
  readonly signal: AbortSignal
}

/** Returns the current versions that pages of the content reference. */
export async function findReferencedSpecifications(
  db: Db,
  content: ContentContext,
): Promise<ReferencedSpecifications> {
  const { organizationId } = content
  const { snapshot } = content.writtenRevision
  const referenced = await content.run(listEmbeddedSpecifications(snapshot, maxSpecifications))
  const versions = await findNamedVersions(db, organizationId, referenced)
  const names = versions.map(({ name, id }) => `${name} ${id}`).toSorted()
  const outlineCache = new Map<string, ReadonlyMap<string, string>>()

  async function outlineWords({ slug, id }: OutlinedVersion): Promise<ReadonlyMap<string, string>> {
    const known = outlineCache.get(id)
    if (known !== undefined) return known
    const text = (await findOutlines(db, organizationId, [id])).get(id)
    const words =
      text === undefined
        ? new Map<string, string>()
        : wordsOfOperations(slug, JSON.parse(text) as SpecificationOutline)
    for (const first of [...outlineCache.keys()].slice(0, outlineCache.size + 1 - maxCachedOutlines))
      outlineCache.delete(first)
    outlineCache.set(id, words)
    return words
  }

  function versionOf({ spec, src }: NamedBlock): NamedVersion | undefined {
    const reference = spec?.toLowerCase() ?? specificationUrl({ src })
    return versions.find(({ name }) => name === reference)
  }

  async function filesOf(blocks: readonly NamedBlock[], from: string): Promise<Map<string, FileRecord>> {
    const named = blocks.flatMap((block) =>
      block.src === undefined || versionOf(block) !== undefined ? [] : [block.src],
    )
    if (named.length === 0) return new Map()
    const targets = await content.run(resolveTargets(snapshot, from, named))
    return new Map(
      [...targets].flatMap(([src, target]): [string, FileRecord][] =>
        target.kind === 'file' && fileName.test(target.file.path) ? [[src, target.file]] : [],
      ),
    )
  }

  return {
    key: referenced.length === 0 ? '' : hashOf(Buffer.from(names.join('\n'))),
    versions,
    isComplete: versions.length === referenced.length,
    async files({ markdown, file }) {
      const files = await filesOf(findApiBlocks(markdown), file)
      const hashes = new Set([...files.values()].map(({ hash }) => hash))
      return [...hashes].toSorted().map((id) => ({ id }))
    },
    async words({ markdown, file }, reading) {
      const textByName: Record<string, string> = {}
      const blocks = findApiBlocks(markdown)
      const files = await filesOf(blocks, file)
      const whole = createBudget(viewLimits)
      // A specification that is too large to cache is opened once for all blocks of the page.
      const texts = new Map<Hash, IndexedText | undefined>()
      for (const block of blocks) {
        const name = blockKey(block)
        if (name === undefined || Object.hasOwn(textByName, name)) continue
        const version = versionOf(block)
        if (version !== undefined && block.type !== 'openapi-schemas') {
          // The outline is keyed by slug.
          const words = (await outlineWords(version)).get(blockKey({ ...block, spec: version.slug })!)
          if (words !== undefined) textByName[name] = words
          continue
        }
        const named = version ?? files.get(block.src ?? '')
        if (named === undefined) continue
        const { hash } = named
        if (!texts.has(hash)) {
          const text = 'slug' in named ? openVersionText(reading.services, hash) : readFile(reading, named)
          texts.set(hash, await text)
        }
        const text = texts.get(hash)
        if (text === undefined) continue
        await nextTurn()
        const view = await readPartially(text, (specification) =>
          viewOfBlock(specification, block, whole.share({ steps: Math.floor(whole.left('steps') / 2) })),
        )
        textByName[name] = wordsOfView(view)
      }
      return textByName
    },
  }
}

/** Returns the latest versions of specifications with these slugs or URLs. */
async function findNamedVersions(
  db: Db,
  organizationId: OrganizationId,
  names: readonly string[],
): Promise<readonly NamedVersion[]> {
  const addresses = names.filter((name) => specificationUrl({ src: name }) !== undefined)
  const slugs = names.filter((name) => !addresses.includes(name))
  const [known, fetched] = [
    await findLatestVersions(db, organizationId, slugs),
    await findLatestByAddress(db, organizationId, addresses),
  ]
  return [
    ...known.map((version) => ({ ...version, name: version.slug })),
    ...fetched.map(({ address, ...version }) => ({ ...version, name: address })),
  ]
}

/** Waits for the specification of a file to be parsed; undefined when the file contains none. */
async function readFile(
  { services, signal }: SpecificationTextContext,
  file: FileRecord,
): Promise<IndexedText | undefined> {
  for (;;) {
    signal.throwIfAborted()
    const controller = new AbortController()
    const timeout = sleep(pollInterval, undefined, { signal: controller.signal, ref: false }).catch(() => {})
    try {
      const read = await readFileSpecification(services, file, timeout)
      if (read !== 'waiting') return read === undefined || 'problem' in read ? undefined : read
      // Parsing has not started yet when too many files are being parsed.
      await timeout
    } finally {
      controller.abort()
    }
  }
}

/** Returns the pages that link to files which differ between two snapshots and may be specifications. */
export function* findPagesLinkingChangedFiles(before: Snapshot, after: Snapshot): Step<ReadonlySet<PageId>> {
  const changes = yield* diff(before.files, after.files)
  const files = changes.flatMap((change) => [change.before, change.after]) as unknown[]
  return yield* findPagesLinking(after, files.filter((file) => file !== undefined) as FileRecord[])
}

/** Returns the pages that link to any file that may be a specification. */
export function* findPagesLinkingSpecificationFiles(snapshot: Snapshot): Step<ReadonlySet<PageId>> {
  const files = (yield* range(snapshot.files)).map(([, file]) => file)
  return yield* findPagesLinking(snapshot, files)
}

function* findPagesLinking({ links }: Snapshot, files: readonly FileRecord[]): Step<ReadonlySet<PageId>> {
  const pages = new Set<PageId>()
  for (const { id, path } of files) {
    if (!fileName.test(path)) continue
    for (const target of [path, `/files/${id}`]) {
      for (const [key] of yield* range(links, { prefix: linksPrefix(target) })) {
        const { source } = readLinkKey(key)
        if ('page' in source) pages.add(source.page)
      }
    }
  }
  return pages
}

/** Returns the versions that each of the pages references as written; for all pages when none are passed. */
export function* findPagesReferencing(
  { links }: Snapshot,
  versions: readonly NamedVersion[],
  pages?: readonly PageId[],
): Step<ReadonlyMap<PageId, readonly NamedVersion[]>> {
  const showing = new Map<PageId, NamedVersion[]>()
  const add = (page: PageId, version: NamedVersion): void => {
    showing.set(page, [...(showing.get(page) ?? []), version])
  }
  for (const version of versions) {
    const target = specificationTarget(version.name)
    if (pages !== undefined && pages.length <= fewPages) {
      const sorted = pages.toSorted()
      const found = yield* getMany(
        links,
        sorted.map((page) => linkKey(target, { page })),
      )
      for (const [at, page] of sorted.entries()) if (found[at] !== undefined) add(page, version)
      continue
    }
    for (const [key] of yield* range(links, { prefix: linksPrefix(target) })) {
      const { source } = readLinkKey(key)
      if ('page' in source) add(source.page, version)
    }
  }
  return showing
}
