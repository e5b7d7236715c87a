/**
 * Whether destinations lead somewhere, among things that are at hand. The one rule for what an import reports and for
 * the lists of links.
 */
import type { ContentConfig } from '../config.js'
import type { Reference } from '../document/types.js'
import { type Resolved, resolveReference } from '../links/resolve.js'
import { nameOf } from './paths.js'
import { type KnownThings, type Target, targetAmong } from './targets.js'

/** What is known of a text that links lead into. */
export interface TextParts {
  readonly references: readonly Pick<Reference, 'kind' | 'url'>[]
  /** Fragments that lead into it. */
  readonly anchors: readonly string[]
}

export interface Judged {
  readonly target: Target
  /** `no-part`: the page is there and has no such part; `no-page`: a text that readers cannot open. */
  readonly verdict: 'whole' | 'missing' | 'no-part' | 'no-page'
}

export interface LinkJudge {
  judge(file: string, kind: Reference['kind'], reading: Resolved): Judged
  /** True unless it is known that the text in this file has no such part. */
  hasPart(file: string, fragment: string): boolean
}

/** Returns what judges; `textAt` answers what is known of the text in a file, undefined where nothing is yet. */
export function createLinkJudge(
  known: KnownThings,
  config: ContentConfig,
  textAt: (file: string) => TextParts | undefined,
): LinkJudge {
  const readme = nameOf(config.readme)
  const anchors = new Map<string, ReadonlySet<string> | undefined>()

  /** Undefined for a text that has parts which are made elsewhere: nobody can tell which. */
  function anchorsOf(file: string): ReadonlySet<string> | undefined {
    if (anchors.has(file)) return anchors.get(file)
    const text = textAt(file)
    if (text === undefined) return undefined
    const shown = [...shownIn(file, text)].map(textAt)
    const isOpen = text.references.some(({ kind }) => kind === 'openapi')
    const found = isOpen ? undefined : new Set([text, ...shown].flatMap((one) => one?.anchors ?? []))
    // A text of which nothing is known yet may be known later.
    if (!shown.includes(undefined)) anchors.set(file, found)
    return found
  }

  /** A text may be shown many times, and have many parts. */
  function shownIn(file: string, { references }: TextParts): ReadonlySet<string> {
    const shown = new Set<string>()
    for (const { kind, url } of references) {
      if (kind !== 'reusable-content') continue
      const target = targetAmong(known, resolveReference(file, url, { readme }), config)
      if (target.kind === 'text') shown.add(target.path)
    }
    return shown
  }

  function hasPart(file: string, fragment: string): boolean {
    return fragment === '' || (anchorsOf(file)?.has(fragment) ?? true)
  }

  function verdictOn(file: string, kind: Reference['kind'], target: Target): Judged['verdict'] {
    switch (target.kind) {
      case 'broken':
        return 'missing'
      case 'anchor': {
        // A reusable content may mean a part of whatever page it is shown in.
        const entry = known.entryAt(file)
        const isShownElsewhere = entry !== undefined && 'text' in entry
        return isShownElsewhere || hasPart(file, target.fragment) ? 'whole' : 'no-part'
      }
      case 'page': {
        const { page, fragment = '' } = target
        const isFound = page.type !== 'document' || page.text === undefined || hasPart(page.file, fragment)
        return isFound ? 'whole' : 'no-part'
      }
      case 'text': {
        const isOffered = kind === 'reusable-content' || kind === 'file'
        return !isOffered && /\.(?:md|markdown)$/i.test(target.path) ? 'no-page' : 'whole'
      }
      default:
        return 'whole'
    }
  }

  return {
    hasPart,
    judge(file, kind, reading) {
      const target = targetAmong(known, reading, config)
      return { target, verdict: verdictOn(file, kind, target) }
    },
  }
}
