/**
 * What readers were answered, kept as bytes under what it follows from. Where something was asked of the visitor, it is
 * kept with the answers: whoever gives the same ones gets the same bytes, whatever else they say. Of one address a
 * few are kept, so that somebody who says thousands of things pushes out nobody else's pages.
 */
import { type Asked, type Asker, comesToSame } from '../../core/conditions/asker.js'
import type { Caches, Held } from '../../store/cache/caches.js'
import { kindOf } from '../../store/cache/kinds.js'
import type { ReadyAnswer } from '../http/send-answer.js'

/** Bytes that the headers of an answer cost beside its body, and that a question costs. */
const [headersWeight, questionWeight] = [1_000, 500]
/** Answers of one address that are kept, bytes of them together, and questions that one may have asked. */
const [mostAnswers, mostBytes, mostQuestions] = [16, 2_000_000, 500]

/** An answer that not everybody gets. */
interface Chosen {
  readonly asked: readonly Asked[]
  readonly ready: ReadyAnswer
  /** Compressed, by encoding: kept with it, and gone with it. */
  readonly forms: Map<string, ReadyAnswer>
}

const renderedKind = kindOf<ReadyAnswer>('rendered page', ({ body }) => body.length + headersWeight)
const chosenKind = kindOf<readonly Chosen[]>('pages for visitors', (all) =>
  all.reduce((sum, one) => sum + weightOf(one), 0),
)

/** With its compressed forms, which are about a third of it each. */
function weightOf({ ready, asked }: Chosen): number {
  return ready.body.length * 2 + headersWeight + asked.length * questionWeight
}

export interface KeptPage {
  readonly ready: ReadyAnswer
  /** Where the forms are kept of what not everybody gets. */
  readonly forms?: Map<string, ReadyAnswer>
  /** Holds the answer, or one of those forms. */
  hold(form: ReadyAnswer): Held<ReadyAnswer>
}

export interface KeptPages {
  /** Returns what was answered, whoever asked, if the same comes of who asks now. */
  find(key: string, asker: Asker): KeptPage | undefined
  keep(key: string, asker: Asker, ready: ReadyAnswer): KeptPage | { readonly ready: ReadyAnswer }
}

export function createKeptPages(caches: Pick<Caches, 'find' | 'keep' | 'hold'>): KeptPages {
  function chosenAt(key: string, isMeant: (one: Chosen) => boolean): KeptPage | undefined {
    const found = caches.find(chosenKind, key)?.find(isMeant)
    return found && pageOf(key, found)
  }
  function forAllAt(key: string): KeptPage | undefined {
    const ready = caches.find(renderedKind, key)
    return ready && forAll(key, ready)
  }
  function forAll(key: string, ready: ReadyAnswer): KeptPage {
    return { ready, hold: (form) => caches.hold(renderedKind, key, form) }
  }
  function pageOf(key: string, { ready, forms }: Chosen): KeptPage {
    return { ready, forms, hold: (form) => caches.hold(chosenKind, key, form) }
  }

  return {
    find(key, { claims, isNobody }) {
      const found = forAllAt(key)
      if (found !== undefined) return found
      return isNobody ? forAllAt(nobodys(key)) : chosenAt(key, ({ asked }) => comesToSame(asked, claims))
    },
    keep(key, { asked, isNobody }, ready) {
      if (asked.length === 0 || isNobody) {
        const name = asked.length === 0 ? key : nobodys(key)
        caches.keep(renderedKind, name, ready)
        return forAll(name, ready)
      }
      const chosen: Chosen = { asked, ready, forms: new Map() }
      if (asked.length > mostQuestions || weightOf(chosen) > mostBytes) return { ready }
      const kept = [chosen]
      let bytes = weightOf(chosen)
      for (const one of (caches.find(chosenKind, key) ?? []).slice(0, mostAnswers - 1)) {
        bytes += weightOf(one)
        if (bytes > mostBytes) break
        kept.push(one)
      }
      caches.keep(chosenKind, key, kept)
      return pageOf(key, chosen)
    },
  }
}

/** What somebody is shown of whom nothing is known. */
function nobodys(key: string): string {
  return `${key} nobody`
}
