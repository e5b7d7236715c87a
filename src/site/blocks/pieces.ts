/**
 * Pieces of a page whose markup is the work of a library: coloured code, formulas, diagrams, HTML of the
 * writer's own.
 *
 * What a library does cannot be counted from outside. So small pieces are done at once, up to an allowance for
 * the page; the others are left as text and noted, done in threads with a deadline, and then the page is rendered
 * once more. The renderer itself finds them, so that no second walk has to know what a page shows.
 */
import type { Piece, Pieces } from './context.js'
import { diagramMarkup } from './diagram-markup.js'
import { highlightMarkup } from './highlight.js'
import { formulaMarkup } from './math.js'
import { sanitiseMarkup } from './raw-html.js'

/** A diagram is never done at once: what draws it is loaded for the first one, and takes 20 to 100 ms for each. */
type Quick = Exclude<Piece, { kind: 'diagram' }>

interface Small {
  /** Characters of a piece, and of all pieces of a page that are done at once. */
  readonly one: number
  readonly all: number
}

/**
 * Patterns of the worst languages take 15 ns times the square of the length, a formula without macros 20 µs a
 * character, HTML 5 µs. Nine of ten blocks of code in real documentation are shorter than this.
 */
const small: Readonly<Record<Quick['kind'], Small>> = {
  code: { one: 1_000, all: 6_000 },
  formula: { one: 300, all: 4_000 },
  html: { one: 2_000, all: 20_000 },
}

/** Characters of pieces that are never done. */
const longest: Readonly<Record<Piece['kind'], number>> = {
  code: 100_000,
  diagram: 20_000,
  formula: 10_000,
  html: 100_000,
}

/** Commands that give a name to other commands: with them a short formula may be a long one. */
const definesMacros = /\\(?:[a-z]*def|[a-z]*let|[a-z]*command|global|DeclareMathOperator)/i

/** Returns the markup of a piece, made in this thread; undefined when the library cannot read it. */
export async function renderPiece(piece: Piece): Promise<string | undefined> {
  return piece.kind === 'diagram' ? diagramMarkup(piece.text) : renderQuick(piece)
}

function renderQuick(piece: Quick): string | undefined {
  switch (piece.kind) {
    case 'code':
      return highlightMarkup(piece.text, piece.syntax)
    case 'formula':
      return formulaMarkup(piece.text, piece.display)
    case 'html':
      return sanitiseMarkup(piece.text)
    default:
      return piece satisfies never
  }
}

/** Returns the pieces of a page of which nothing is known yet. */
export function createPieces(): Pieces {
  const ready = new Map<object, string | undefined>()
  const heavy = new Map<object, Piece>()
  const used = { code: 0, formula: 0, html: 0 }

  function fits({ kind, text }: Quick): boolean {
    const { one, all } = small[kind]
    return (
      text.length <= one &&
      used[kind] + text.length <= all &&
      !(kind === 'formula' && definesMacros.test(text))
    )
  }

  return {
    markup(owner, piece) {
      if (ready.has(owner)) return ready.get(owner)
      const { kind, text } = piece
      if (text.length > longest[kind] || heavy.has(owner)) return undefined
      if (piece.kind === 'diagram' || !fits(piece)) {
        heavy.set(owner, piece)
        return undefined
      }
      used[piece.kind] += text.length
      const markup = renderQuick(piece)
      ready.set(owner, markup)
      return markup
    },
    heavy,
    settle(owner, markup) {
      heavy.delete(owner)
      ready.set(owner, markup)
    },
  }
}
