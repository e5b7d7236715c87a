/**
 * Relinking: rewrites the relative links of a text from its version's tree to the merged tree.
 *
 * Each version is resolved in its own tree and relinked before texts are compared; so a page renamed on one side never
 * conflicts with a sentence edited on the other, and a new link to a page that moved meanwhile points to its new path.
 * Only characters of destinations change.
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
import { summaryFile } from '../pages/paths.js'
import type { Snapshot } from '../pages/types.js'
import { splitUrl } from '../links/resolve.js'

export type Version = 'base' | 'ours' | 'theirs'

export interface Relink {
  /** File path in one version's tree → file path in the merged tree, for files that move. */
  readonly moves: Readonly<Record<Version, Map<string, string>>>
  /** Returns the stored text as written in the file `to` of the merged tree. */
  text(version: Version, text: Hash, from: string, to: string): Step<string>
  /** Returns the URL of a link page, relative to the table of contents or to a file, for the merged tree. */
  url(version: Version, url: string, from?: string): Step<string>
  /** Returns the stored text with each destination replaced by its target: for comparing, not for storing. */
  textWithTargets(version: Version, text: Hash, from: string): Step<string>
}

/** Returns the relinker of three trees; `moves` is empty and filled by its caller. */
export function createRelink(trees: Readonly<Record<Version, Snapshot>>, describe: Describe): Relink {
  const moves = { base: new Map(), ours: new Map(), theirs: new Map() }

  function* read(version: Version, hash: Hash, from: string): Step<LinkedText> {
    const text = (yield* loadTexts([hash]))[0]!
    const { references } = describe(text, hash)
    return { text, links: yield* resolve(version, references, from) }
  }

  function* resolve<Link extends Pick<Reference, 'url'>>(
    version: Version,
    references: readonly Link[],
    from: string,
  ): Step<ResolvedLink<Link>[]> {
    const { names, config } = trees[version]
    const readings = references.map(({ url }) => readingsOf(from, url, config))
    const paths = [...new Set(readings.flat())].filter((path) => !path.startsWith('/')).toSorted()
    const entries = paths.length === 0 ? [] : yield* getMany(names, paths)
    const found = new Map(paths.map((path, index) => [path, entries[index]]))
    return references.flatMap((reference, index): ResolvedLink<Link>[] => {
      const [literal] = readings[index]!
      if (literal === undefined || literal.startsWith('/')) return []
      const target = readings[index]!.find((path) => found.get(path) !== undefined)
      return [{ reference, target: target ?? literal, entry: found.get(target ?? literal) }]
    })
  }

  return {
    moves,
    *text(version, hash, from, to) {
      if (from === to && moves[version].size === 0) return (yield* loadTexts([hash]))[0]!
      const { text, links } = yield* read(version, hash, from)
      const { config } = trees[version]
      const replacements = links.flatMap(({ reference, target }) => {
        const wanted = moves[version].get(target) ?? target
        if (wanted === target && keepsTarget(reference, to, config, target, from)) return []
        return [{ ...reference, url: retarget(reference.url, to, wanted) }]
      })
      return replacements.length === 0 ? text : replaceDestinations(text, replacements)
    },
    *url(version, url, file = summaryFile(trees[version].config)) {
      if (moves[version].size === 0) return url
      const [link] = yield* resolve(version, [{ url }], file)
      const wanted = link && moves[version].get(link.target)
      return wanted === undefined ? url : retarget(url, file, wanted)
    },
    *textWithTargets(version, hash, from) {
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

interface LinkedText {
  readonly text: string
  readonly links: readonly ResolvedLink<Reference>[]
}

interface ResolvedLink<Link> {
  readonly reference: Link
  /** The file path of its target, or the literal path of a broken link. */
  readonly target: string
  readonly entry: unknown
}

function bySpan(a: ResolvedLink<Reference>, b: ResolvedLink<Reference>): number {
  return a.reference.span.start - b.reference.span.start
}

/** Whether the destination, as written, resolves to the same path from its new file. */
function keepsTarget(
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
