/**
 * What readers were answered, kept in the forms that they took under what it follows from. Where something was asked of the visitor, it is
 * kept with the answers: whoever gives the same ones gets the same bytes, whatever else they say. Of one address a
 * few are kept, so that somebody who says thousands of things pushes out nobody else's pages.
 */
import { type Asked, type Asker, comesToSame } from '../../core/conditions/asker.js'
import type { Caches, Held } from '../../store/cache/caches.js'
import { type Kind, kindOf } from '../../store/cache/kinds.js'
import { type Forms, formsOf, weightOfForms } from '../http/compression.js'
import type { ReadyAnswer } from '../http/send-answer.js'

/** Bytes that a question costs. */
const questionWeight = 500
/** Answers of one address that are kept, bytes of them together, and questions that one may have asked. */
const [mostAnswers, mostBytes, mostQuestions] = [16, 2_000_000, 500]

/** An answer that not everybody gets. */
interface Chosen {
  readonly asked: readonly Asked[]
  readonly forms: Forms
}

const renderedKind = kindOf<Forms>('rendered page', weightOfForms)
const chosenKind = kindOf<readonly Chosen[]>('pages for visitors', (all) =>
  all.reduce((sum, one) => sum + weightOf(one), 0),
)

function weightOf({ forms, asked }: Chosen): number {
  return weightOfForms(forms) + asked.length * questionWeight
}

export interface KeptPage {
  readonly forms: Forms
  /** To be called when a form was made of them. */
  weighAgain(): void
  /** Holds one of the forms as long as the page is kept. */
  hold(form: ReadyAnswer): Held<ReadyAnswer>
}

export interface KeptPages {
  /** Returns what was answered, whoever asked, if the same comes of who asks now. */
  find(key: string, asker: Asker): KeptPage | undefined
  /** Returns the page as it is kept; undefined for what would take too much room. */
  keep(key: string, asker: Asker, ready: ReadyAnswer): KeptPage | undefined
}

export function createKeptPages(caches: Pick<Caches, 'find' | 'keep' | 'hold' | 'weighAgain'>): KeptPages {
  function forAllAt(key: string): KeptPage | undefined {
    const forms = caches.find(renderedKind, key)
    return forms && keptAs(renderedKind, key, { forms, value: forms })
  }
  function chosenAt(key: string, isMeant: (one: Chosen) => boolean): KeptPage | undefined {
    const value = caches.find(chosenKind, key)
    const forms = value?.find(isMeant)?.forms
    return forms && keptAs(chosenKind, key, { forms, value: value! })
  }
  function keptAs<Value>(
    kind: Kind<Value>,
    key: string,
    { forms, value }: { readonly forms: Forms; readonly value: Value },
  ): KeptPage {
    return {
      forms,
      weighAgain: () => caches.weighAgain(kind, key, value),
      hold: (form) => caches.hold(kind, key, form),
    }
  }

  return {
    find(key, { claims, isNobody }) {
      const found = forAllAt(key)
      if (found !== undefined) return found
      return isNobody ? forAllAt(nobodys(key)) : chosenAt(key, ({ asked }) => comesToSame(asked, claims))
    },
    keep(key, { asked, isNobody }, ready) {
      const forms = formsOf(ready)
      if (asked.length === 0 || isNobody) {
        const name = asked.length === 0 ? key : nobodys(key)
        caches.keep(renderedKind, name, forms)
        return keptAs(renderedKind, name, { forms, value: forms })
      }
      const chosen: Chosen = { asked, forms }
      if (asked.length > mostQuestions || weightOf(chosen) > mostBytes) return undefined
      const kept = [chosen]
      let bytes = weightOf(chosen)
      for (const one of (caches.find(chosenKind, key) ?? []).slice(0, mostAnswers - 1)) {
        bytes += weightOf(one)
        if (bytes > mostBytes) break
        kept.push(one)
      }
      caches.keep(chosenKind, key, kept)
      return keptAs(chosenKind, key, { forms, value: kept })
    },
  }
}

/** What somebody is shown of whom nothing is known. */
function nobodys(key: string): string {
  return `${key} nobody`
}
