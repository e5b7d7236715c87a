/**
 * Fragments of a page that libraries render: highlighted code, formulas, diagrams, raw HTML.
 *
 * The cost of a library cannot be counted from outside. So small fragments are rendered synchronously, up to an
 * allowance per page; the others are left as text and collected, rendered in worker threads with a deadline, and then
 * the page is rendered once more. The renderer itself finds them, so that no second traversal is needed.
 */
import type { PageFragment, PageFragments } from './context.js'
import { diagramMarkup } from './diagram-markup.js'
import { highlightMarkup } from './highlight.js'
import { formulaMarkup } from './math.js'
import { sanitizeMarkup } from './raw-html.js'

/** Diagrams are never synchronous: the library is loaded on first use, and takes 20 to 100 ms each. */
type SynchronousFragment = Exclude<PageFragment, { kind: 'diagram' }>

interface FragmentLimits {
  /** Characters of one fragment, and of all fragments of a page, that are rendered synchronously. */
  readonly perFragment: number
  readonly perPage: number
}

/**
 * Patterns of the worst languages take 15 ns times the square of the length, a formula without macros 20 µs a
 * character, HTML 5 µs. Nine of ten blocks of code in real documentation are shorter than this.
 */
const synchronousLimits: Readonly<Record<SynchronousFragment['kind'], FragmentLimits>> = {
  code: { perFragment: 1_000, perPage: 6_000 },
  formula: { perFragment: 300, perPage: 4_000 },
  html: { perFragment: 2_000, perPage: 20_000 },
}

/** Characters above which fragments stay text. */
const maxLength: Readonly<Record<PageFragment['kind'], number>> = {
  code: 100_000,
  diagram: 20_000,
  formula: 10_000,
  html: 100_000,
}

/** Macro definitions: with them a short formula can expand to a long one. */
const definesMacros = /\\(?:[a-z]*def|[a-z]*let|[a-z]*command|global|DeclareMathOperator)/i

/** Returns the markup of a fragment, rendered in this thread; undefined if the library cannot parse it. */
export async function renderFragment(fragment: PageFragment): Promise<string | undefined> {
  return fragment.kind === 'diagram' ? diagramMarkup(fragment.text) : renderSynchronously(fragment)
}

function renderSynchronously(fragment: SynchronousFragment): string | undefined {
  switch (fragment.kind) {
    case 'code':
      return highlightMarkup(fragment.text, fragment.syntax)
    case 'formula':
      return formulaMarkup(fragment.text, fragment.display)
    case 'html':
      return sanitizeMarkup(fragment.text)
    default:
      return fragment satisfies never
  }
}

/** Returns the fragments of a page, without results yet. */
export function createPageFragments(): PageFragments {
  const ready = new Map<object, string | undefined>()
  const deferred = new Map<object, PageFragment>()
  const used = { code: 0, formula: 0, html: 0 }

  function isWithinLimits({ kind, text }: SynchronousFragment): boolean {
    const { perFragment, perPage } = synchronousLimits[kind]
    return (
      text.length <= perFragment &&
      used[kind] + text.length <= perPage &&
      !(kind === 'formula' && definesMacros.test(text))
    )
  }

  return {
    markup(owner, fragment) {
      if (ready.has(owner)) return ready.get(owner)
      const { kind, text } = fragment
      if (text.length > maxLength[kind] || deferred.has(owner)) return undefined
      if (fragment.kind === 'diagram' || !isWithinLimits(fragment)) {
        deferred.set(owner, fragment)
        return undefined
      }
      used[fragment.kind] += text.length
      const markup = renderSynchronously(fragment)
      ready.set(owner, markup)
      return markup
    },
    deferred,
    setResult(owner, markup) {
      deferred.delete(owner)
      ready.set(owner, markup)
    },
  }
}
