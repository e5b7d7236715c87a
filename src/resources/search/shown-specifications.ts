/** What ordinary pages of a space show of specifications, for its index: which versions and files, and their words. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createBudget } from '../../core/budget.js'
import { addressOf } from '../../core/document/openapi.js'
import type { Hash, OrganizationId, PageId } from '../../core/ids.js'
import { diff, getMany, range } from '../../core/merkle/map.js'
import type { Step } from '../../core/merkle/types.js'
import { viewLimits, viewOfBlock } from '../../core/openapi/block-view.js'
import {
  type NamedBlock,
  type ShownWords,
  findShown,
  listShownSpecifications,
  nameShown,
  wordsOfOperations,
} from '../../core/openapi/shown-words.js'
import type { SpecificationOutline } from '../../core/openapi/outline.js'
import { wordsOfView } from '../../core/openapi/view-words.js'
import { linkKey, linksPrefix, readLinkKey, specificationTarget } from '../../core/pages/keys.js'
import { resolveTargets } from '../../core/pages/targets.js'
import type { FileRecord, Snapshot } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { hashOf } from '../../store/content/encoding.js'
import type { Db } from '../../store/db/database.js'
import type { ContentHere } from '../content/content.js'
import { readFileSpecification } from '../openapi-specs/from-file.js'
import {
  type ToldVersion,
  findLatestFrom,
  findLatestVersions,
  findOutlines,
} from '../openapi-specs/outlines.js'
import { type PartedText, openVersion, readInParts } from '../openapi-specs/parts.js'

/** Of one space; pages are not found by what they show of further ones. */
const mostSpecifications = 50
/** Outlines are some megabytes. */
const mostKept = 3
/** Pages that are looked up one by one. */
const fewPages = 100
/** Milliseconds between two looks at a file that is being read. */
const patience = 1_000
/** Files of which pages are found by what they show. */
const fileName = /\.(?:json|ya?ml)$/i

/** Something of which a page shows a part, by the id of the version or the hash of the file. */
export interface ShownSource {
  readonly id: string
}

/** A version, and how texts name the specification that it is of: by its slug, or by its address. */
export interface NamedVersion extends ToldVersion {
  readonly name: string
}

export interface ShownSpecifications {
  /** Names the versions; empty where no page shows anything of a specification. */
  readonly key: string
  readonly versions: readonly NamedVersion[]
  /** True where there is a version of each that is named. */
  readonly isComplete: boolean
  /** Returns the files that the blocks of a text name, in the order of their hashes. */
  files(text: PageText): Promise<readonly ShownSource[]>
  /** Returns what the blocks of a text show of these versions and files. */
  words(text: PageText, reading: WordsReading): Promise<ShownWords>
}

export interface PageText {
  readonly markdown: string
  /** Its file path, from which its blocks name others. */
  readonly file: string
}

export interface WordsReading {
  readonly services: Pick<Services, 'files' | 'caches' | 'specifications' | 'background'>
  readonly signal: AbortSignal
}

/** Returns the versions that the pages of the content show now. */
export async function findShownSpecifications(db: Db, content: ContentHere): Promise<ShownSpecifications> {
  const { organizationId } = content
  const { snapshot } = (content.written ?? content).revision
  const shown = await content.run(listShownSpecifications(snapshot, mostSpecifications))
  const versions = await findNamed(db, organizationId, shown)
  const names = versions.map(({ name, id }) => `${name} ${id}`).toSorted()
  const kept = new Map<string, ReadonlyMap<string, string>>()

  async function outlineWords({ slug, id }: ToldVersion): Promise<ReadonlyMap<string, string>> {
    const known = kept.get(id)
    if (known !== undefined) return known
    const text = (await findOutlines(db, organizationId, [id])).get(id)
    const words =
      text === undefined
        ? new Map<string, string>()
        : wordsOfOperations(slug, JSON.parse(text) as SpecificationOutline)
    for (const first of [...kept.keys()].slice(0, kept.size + 1 - mostKept)) kept.delete(first)
    kept.set(id, words)
    return words
  }

  function versionOf({ spec, src }: NamedBlock): NamedVersion | undefined {
    const said = spec?.toLowerCase() ?? addressOf({ src })
    return versions.find(({ name }) => name === said)
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
    key: shown.length === 0 ? '' : hashOf(Buffer.from(names.join('\n'))),
    versions,
    isComplete: versions.length === shown.length,
    async files({ markdown, file }) {
      const files = await filesOf(findShown(markdown), file)
      const hashes = new Set([...files.values()].map(({ hash }) => hash))
      return [...hashes].toSorted().map((id) => ({ id }))
    },
    async words({ markdown, file }, reading) {
      const told: Record<string, string> = {}
      const blocks = findShown(markdown)
      const files = await filesOf(blocks, file)
      const whole = createBudget(viewLimits)
      // What is too large to be kept is read once for all blocks of the page.
      const texts = new Map<Hash, PartedText | undefined>()
      for (const block of blocks) {
        const name = nameShown(block)
        if (name === undefined || Object.hasOwn(told, name)) continue
        const version = versionOf(block)
        if (version !== undefined && block.type !== 'openapi-schemas') {
          // Its outline knows it by its slug.
          const words = (await outlineWords(version)).get(nameShown({ ...block, spec: version.slug })!)
          if (words !== undefined) told[name] = words
          continue
        }
        const named = version ?? files.get(block.src ?? '')
        if (named === undefined) continue
        const { hash } = named
        if (!texts.has(hash)) {
          const text = 'slug' in named ? openVersion(reading.services, hash) : readFile(reading, named)
          texts.set(hash, await text)
        }
        const text = texts.get(hash)
        if (text === undefined) continue
        await nextTurn()
        const view = await readInParts(text, (specification) =>
          viewOfBlock(specification, block, whole.share({ steps: Math.floor(whole.left('steps') / 2) })),
        )
        told[name] = wordsOfView(view)
      }
      return told
    },
  }
}

/** Returns the latest versions of specifications that texts name. */
async function findNamed(
  db: Db,
  organizationId: OrganizationId,
  names: readonly string[],
): Promise<readonly NamedVersion[]> {
  const addresses = names.filter((name) => addressOf({ src: name }) !== undefined)
  const slugs = names.filter((name) => !addresses.includes(name))
  const [known, fetched] = [
    await findLatestVersions(db, organizationId, slugs),
    await findLatestFrom(db, organizationId, addresses),
  ]
  return [
    ...known.map((version) => ({ ...version, name: version.slug })),
    ...fetched.map(({ address, ...version }) => ({ ...version, name: address })),
  ]
}

/** Returns the specification in a file as soon as it is read; undefined where it holds none. */
async function readFile(
  { services, signal }: WordsReading,
  file: FileRecord,
): Promise<PartedText | undefined> {
  for (;;) {
    signal.throwIfAborted()
    const over = new AbortController()
    const late = sleep(patience, undefined, { signal: over.signal, ref: false }).catch(() => {})
    try {
      const read = await readFileSpecification(services, file, late)
      if (read !== 'waiting') return read === undefined || 'problem' in read ? undefined : read
      // Nobody began to read it where too many are read at once.
      await late
    } finally {
      over.abort()
    }
  }
}

/** Answers the pages whose links lead to files that differ between two snapshots, and may be specifications. */
export function* findShowingFiles(before: Snapshot, after: Snapshot): Step<ReadonlySet<PageId>> {
  const changes = yield* diff(before.files, after.files)
  const files = changes.flatMap((change) => [change.before, change.after]) as unknown[]
  return yield* findLinking(after, files.filter((file) => file !== undefined) as FileRecord[])
}

/** Answers the pages whose links lead to any file that may be a specification. */
export function* findLinkingToSpecifications(snapshot: Snapshot): Step<ReadonlySet<PageId>> {
  const files = (yield* range(snapshot.files)).map(([, file]) => file as unknown as FileRecord)
  return yield* findLinking(snapshot, files)
}

function* findLinking({ links }: Snapshot, files: readonly FileRecord[]): Step<ReadonlySet<PageId>> {
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

/** Answers which versions each of the pages shows something of, as it was written; of all pages, where none are named. */
export function* findShowing(
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
