/**
 * Link checker over records in memory: whether destinations exist. The same rule for import reports and for the lists
 * of links.
 */
import type { ContentConfig } from '../config.js'
import type { Reference } from '../document/types.js'
import { type Resolved, resolveReference } from '../links/resolve.js'
import { resolveOptions } from './paths.js'
import { type ContentIndex, type Target, resolveTarget } from './targets.js'

/** The anchors and references of a text that links point into. */
export interface TextParts {
  readonly references: readonly Pick<Reference, 'kind' | 'url'>[]
  /** Fragments that it defines. */
  readonly anchors: readonly string[]
}

export interface LinkVerdict {
  readonly target: Target
  /** `no-part`: the page exists and has no such section; `no-page`: a text that readers cannot open. */
  readonly verdict: 'whole' | 'missing' | 'no-part' | 'no-page'
}

export interface LinkChecker {
  check(file: string, kind: Reference['kind'], reading: Resolved): LinkVerdict
  /** True unless the text in this file is known to have no such section. */
  hasPart(file: string, fragment: string): boolean
}

/** Returns the link checker; `textAt` returns the text in a file, undefined while it is not loaded. */
export function createLinkChecker(
  known: ContentIndex,
  config: ContentConfig,
  textAt: (file: string) => TextParts | undefined,
): LinkChecker {
  const options = resolveOptions(config)
  const anchors = new Map<string, ReadonlySet<string> | undefined>()

  /** Undefined for a text with generated sections, whose anchors are unknown. */
  function anchorsOf(file: string): ReadonlySet<string> | undefined {
    if (anchors.has(file)) return anchors.get(file)
    const text = textAt(file)
    if (text === undefined) return undefined
    const included = [...includedFiles(file, text)].map(textAt)
    const hasUnknownAnchors = text.references.some(({ kind }) => kind === 'openapi')
    const found = hasUnknownAnchors
      ? undefined
      : new Set([text, ...included].flatMap((one) => one?.anchors ?? []))
    // A text that is not loaded yet may be loaded later.
    if (!included.includes(undefined)) anchors.set(file, found)
    return found
  }

  /** Files of the reusable contents that a text includes. */
  function includedFiles(file: string, { references }: TextParts): ReadonlySet<string> {
    const included = new Set<string>()
    for (const { kind, url } of references) {
      if (kind !== 'reusable-content') continue
      const target = resolveTarget(known, resolveReference(file, url, options), config)
      if (target.kind === 'text') included.add(target.path)
    }
    return included
  }

  function hasPart(file: string, fragment: string): boolean {
    return fragment === '' || (anchorsOf(file)?.has(fragment) ?? true)
  }

  function verdictOn(file: string, kind: Reference['kind'], target: Target): LinkVerdict['verdict'] {
    switch (target.kind) {
      case 'broken':
        return 'missing'
      case 'anchor': {
        // A fragment in a reusable content may belong to any page that includes it.
        const entry = known.entryAt(file)
        const isIncluded = entry !== undefined && 'text' in entry
        return isIncluded || hasPart(file, target.fragment) ? 'whole' : 'no-part'
      }
      case 'page': {
        const { page, fragment = '' } = target
        const isFound = page.type !== 'document' || page.text === undefined || hasPart(page.file, fragment)
        return isFound ? 'whole' : 'no-part'
      }
      case 'text': {
        const isEmbedded = kind === 'reusable-content' || kind === 'file'
        return !isEmbedded && /\.(?:md|markdown)$/i.test(target.path) ? 'no-page' : 'whole'
      }
      default:
        return 'whole'
    }
  }

  return {
    hasPart,
    check(file, kind, reading) {
      const target = resolveTarget(known, reading, config)
      return { target, verdict: verdictOn(file, kind, target) }
    },
  }
}
