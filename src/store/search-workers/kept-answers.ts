/**
 * Answers of searches, kept until something that they follow from is committed: the same words are asked for again and
 * again, by readers who type and by programs that search for each page. Who asks the same meanwhile shares the search.
 */
import { createHash } from 'node:crypto'
import { type Caches, lookAt } from '../cache/caches.js'
import { rowKind } from '../cache/kinds.js'
import type { Database } from '../db/database.js'
import { type Concern, indexOf } from '../db/affected-tables.js'
import { type PackedQuestion, packQuestion } from './packed.js'
import type { SearchAnswer } from './question.js'
import type { Searching } from './searching.js'

interface KeptAnswer {
  readonly answer: SearchAnswer
  readonly concerns: readonly Concern[]
}

const answerKind = rowKind<KeptAnswer>(
  'answer of a search',
  ({ concerns }) => concerns,
  ({ answer }) => 2 * JSON.stringify(answer).length,
)

/** Returns searching that asks only what is not kept. */
export function keepAnswers(
  searching: Searching,
  { database, caches }: { readonly database: Pick<Database, 'moment'>; readonly caches: Caches },
): Searching {
  return {
    ...searching,
    async find(question, signal, since) {
      const packed = packQuestion(question)
      const look = lookAt(since ?? (await database.moment()))
      let isOwn = false
      const load = async (): Promise<KeptAnswer> => {
        isOwn = true
        return { answer: await searching.find(question, signal), concerns: concernsOf(packed) }
      }
      try {
        return (await caches.recall(look, answerKind, nameOf(packed), load))!.answer
      } catch (error) {
        if (isOwn) throw error
        // It was the search of somebody else, who may have left.
        return searching.find(question, signal)
      }
    },
  }
}

/** The name of all that an answer depends on beside what is committed: spaces may be thousands. */
function nameOf(packed: PackedQuestion): string {
  return createHash('sha256').update(JSON.stringify(packed)).digest('base64url')
}

function concernsOf({ searched }: PackedQuestion): readonly Concern[] {
  const { organizationId } = searched
  const own = [organizationId, indexOf(organizationId)]
  return 'rule' in searched ? [...own, 'people'] : own
}
