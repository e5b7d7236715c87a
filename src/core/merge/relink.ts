/**
 * Links of a text, read where its author wrote it and written for the place where it comes to stand.
 *
 * Each version of a text is resolved in its own tree and pointed into the merged one before anything is
 * compared; so a page renamed on one side never disagrees with a sentence edited on the other, and a new
 * link to a page that moved meanwhile leads to its new place. Only characters of destinations change.
 */
import type { Reference } from '../document/types.js'
import type { Hash } from '../ids.js'
import { retarget } from '../links/relative.js'
import { replaceDestinations } from '../links/replace.js'
import { getMany } from '../merkle/map.js'
import { loadTexts } from '../merkle/steps.js'
import type { Step } from '../merkle/types.js'
import type { Describe } from '../pages/describe.js'
import { readingsOf } from '../pages/describe.js'
import { nameOf } from '../pages/paths.js'
import type { Snapshot } from '../pages/types.js'
import { splitUrl } from '../links/resolve.js'

export type Version = 'base' | 'ours' | 'theirs'

export interface Relink {
  /** File path in one version's tree → file path in the merged tree, for what moves between the two. */
  readonly moves: Readonly<Record<Version, Map<string, string>>>
  /** Answers the stored text as it is to read in the file `to` of the merged tree. */
  text(version: Version, text: Hash, from: string, to: string): Step<string>
  /** Answers the stored text with each destination replaced by what it leads to: for comparing, not for storing. */
  meaning(version: Version, text: Hash, from: string): Step<string>
}

/** Returns the reader of links in three trees; nothing has moved until `moves` says so. */
export function relinkOf(trees: Readonly<Record<Version, Snapshot>>, describe: Describe): Relink {
  const moves = { base: new Map(), ours: new Map(), theirs: new Map() }

  function* read(version: Version, hash: Hash, from: string): Step<ReadText> {
    const text = (yield* loadTexts([hash]))[0]!
    const { names, config } = trees[version]
    const { references } = describe(text, hash)
    const readings = references.map(({ url }) => readingsOf(from, url, config))
    const paths = [...new Set(readings.flat())].filter((path) => !path.startsWith('/')).toSorted()
    const entries = paths.length === 0 ? [] : yield* getMany(names, paths)
    const found = new Map(paths.map((path, index) => [path, entries[index]]))
    const links = references.flatMap((reference, index): FoundLink[] => {
      const [literal] = readings[index]!
      if (literal === undefined || literal.startsWith('/')) return []
      const target = readings[index]!.find((path) => found.get(path) !== undefined)
      return [{ reference, target: target ?? literal, entry: found.get(target ?? literal) }]
    })
    return { text, links }
  }

  return {
    moves,
    *text(version, hash, from, to) {
      if (from === to && moves[version].size === 0) return (yield* loadTexts([hash]))[0]!
      const { text, links } = yield* read(version, hash, from)
      const { config } = trees[version]
      const replacements = links.flatMap(({ reference, target }) => {
        const wanted = moves[version].get(target) ?? target
        if (wanted === target && reaches(reference, to, config, target, from)) return []
        return [{ ...reference, url: retarget(reference.url, to, wanted, nameOf(config.readme)) }]
      })
      return replacements.length === 0 ? text : replaceDestinations(text, replacements)
    },
    *meaning(version, hash, from) {
      const { text, links } = yield* read(version, hash, from)
      let meaning = ''
      let at = 0
      for (const { reference, target, entry } of links.toSorted(bySpan)) {
        const fragment = reference.url.slice(splitUrl(reference.url).path.length)
        meaning += `${text.slice(at, reference.span.start)}\u0000${JSON.stringify(entry ?? target)}${fragment}`
        at = reference.span.end
      }
      return meaning + text.slice(at)
    },
  }
}

interface ReadText {
  readonly text: string
  readonly links: readonly FoundLink[]
}

interface FoundLink {
  readonly reference: Reference
  /** The file path it leads to, or the most literal one when it leads nowhere. */
  readonly target: string
  readonly entry: unknown
}

function bySpan(a: FoundLink, b: FoundLink): number {
  return a.reference.span.start - b.reference.span.start
}

/** Whether the destination, as written, means the same path at its new place. */
function reaches(
  { url }: Reference,
  to: string,
  config: Snapshot['config'],
  target: string,
  from: string,
): boolean {
  return (
    from === to ||
    readingsOf(to, url, config).indexOf(target) === readingsOf(from, url, config).indexOf(target)
  )
}
