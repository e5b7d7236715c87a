/** What ordinary pages of a space show of specifications, for its index: which versions, and their words. */
import type { PageId } from '../../core/ids.js'
import { getMany, range } from '../../core/merkle/map.js'
import type { Step } from '../../core/merkle/types.js'
import {
  type ShownWords,
  findShown,
  listShownSpecifications,
  nameShown,
  wordsOfOperations,
} from '../../core/openapi/shown-words.js'
import type { SpecificationOutline } from '../../core/openapi/outline.js'
import { linkKey, linksPrefix, readLinkKey, specificationTarget } from '../../core/pages/keys.js'
import type { Snapshot } from '../../core/pages/types.js'
import { hashOf } from '../../store/content/encoding.js'
import type { Db } from '../../store/db/database.js'
import type { ContentHere } from '../content/content.js'
import { type ToldVersion, findLatestVersions, findOutlines } from '../openapi-specs/outlines.js'

/** Of one space; pages are not found by what they show of further ones. */
const mostSpecifications = 50
/** Outlines are some megabytes. */
const mostKept = 3
/** Pages that are looked up one by one. */
const fewPages = 100

export interface ShownSpecifications {
  /** Names the versions; empty where no page shows anything of a specification. */
  readonly key: string
  readonly versions: readonly ToldVersion[]
  /** True where there is a version of each that is named. */
  readonly isComplete: boolean
  /** Returns what the blocks of a text show of these versions. */
  words(markdown: string): Promise<ShownWords>
}

/** Returns the versions that the pages of the content show now. */
export async function findShownSpecifications(db: Db, content: ContentHere): Promise<ShownSpecifications> {
  const { organizationId } = content
  const { snapshot } = (content.written ?? content).revision
  const slugs = await content.run(listShownSpecifications(snapshot, mostSpecifications))
  const versions = await findLatestVersions(db, organizationId, slugs)
  const names = versions.map(({ slug, id }) => `${slug} ${id}`).toSorted()
  const kept = new Map<string, ReadonlyMap<string, string>>()

  async function wordsOf({ slug, id }: ToldVersion): Promise<ReadonlyMap<string, string>> {
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

  return {
    key: slugs.length === 0 ? '' : hashOf(Buffer.from(names.join('\n'))),
    versions,
    isComplete: versions.length === slugs.length,
    async words(markdown) {
      const shown: Record<string, string> = {}
      for (const block of findShown(markdown)) {
        const name = nameShown(block)
        const version = versions.find(({ slug }) => slug === block.spec?.toLowerCase())
        if (name === undefined || version === undefined) continue
        const words = (await wordsOf(version)).get(name)
        if (words !== undefined) shown[name] = words
      }
      return shown
    },
  }
}

/** Answers which versions each of the pages shows something of, as it was written; of all pages, where none are named. */
export function* findShowing(
  { links }: Snapshot,
  versions: readonly ToldVersion[],
  pages?: readonly PageId[],
): Step<ReadonlyMap<PageId, readonly ToldVersion[]>> {
  const showing = new Map<PageId, ToldVersion[]>()
  const add = (page: PageId, version: ToldVersion): void => {
    showing.set(page, [...(showing.get(page) ?? []), version])
  }
  for (const version of versions) {
    const target = specificationTarget(version.slug)
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
