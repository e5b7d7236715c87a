/** The Markdown of a page for readers outside of its space: loaded, then written out. Runs where it is called or in a thread. */
import { createBudget } from '../../core/budget.js'
import { printed } from '../../core/conditions/asker.js'
import { conditionLimits } from '../../core/conditions/evaluate.js'
import { writeOut } from '../../core/markdown/write-out.js'
import { formatSpecification } from '../../core/openapi/markdown.js'
import { sayUnread } from '../blocks/openapi.js'
import { deepestInclude, renderLimits } from '../blocks/render.js'
import { wordsIn } from '../words/words.js'
import { createEvaluator } from './expressions.js'
import { type Place, type Questions, type ReadText, loadPage } from './load.js'
import { isAnyWaiting, nameAsked } from './specifications.js'

export interface WrittenOut {
  readonly markup: string
  /** The expressions that were printed. */
  readonly expressions: readonly string[]
  /** False when another time more of it may be written out. */
  readonly isFinal: boolean
}

/** Returns the text written out; undefined when that takes a thread. What would become too long stays as it was written. */
export async function composeMarkdown(
  place: Place,
  questions: Questions,
  text: string,
): Promise<WrittenOut | undefined> {
  const loaded = await loadPage(place, questions, text)
  if (loaded === undefined) return undefined
  const { page, seen, includes, specifications } = loaded
  const expressions = new Set<string>()
  const evaluate = createEvaluator(place.inputs, createBudget(conditionLimits), expressions)
  const budget = createBudget(renderLimits)
  const words = wordsIn(place.language)
  const including: string[] = []

  const write = (read: ReadText): string =>
    writeOut(read.text, read, {
      destination: (url) => seen.get(url)?.link.href,
      value(expression) {
        const value = printed(evaluate(expression))
        if (budget.left('output') < value.length) return undefined
        budget.spend('output', value.length)
        return value
      },
      specification(block) {
        const view = specifications.get(nameAsked(block))
        const unread = view?.unread && sayUnread(view.unread, words).replaceAll('{%', '{ %')
        const told = unread ?? (view === undefined ? '' : formatSpecification(view))
        if (budget.left('output') < told.length) return undefined
        budget.spend('output', told.length)
        return told
      },
      include(src) {
        const path = seen.get(src)?.text?.path
        const included = path === undefined ? undefined : includes.get(path)
        if (included === undefined || including.length >= deepestInclude || including.includes(path!))
          return undefined
        if (budget.left('includes') < 1 || budget.left('output') < included.text.length) return undefined
        budget.spend('includes')
        budget.spend('output', included.text.length)
        including.push(path!)
        const written = write(included)
        including.pop()
        return written
      },
    })
  return {
    markup: write({ text, ...page }),
    expressions: [...expressions],
    isFinal: !isAnyWaiting(specifications),
  }
}
