/** Markdown export of a page: links made absolute, expressions and includes expanded. Runs in the main or a worker thread. */
import { createBudget } from '../../core/budget.js'
import { printed } from '../../core/conditions/claim-reader.js'
import { conditionLimits } from '../../core/conditions/evaluate.js'
import { withoutFrontMatter } from '../../core/markdown/front-matter.js'
import { expandText } from '../../core/markdown/expand-text.js'
import { formatSpecification } from '../../core/openapi/markdown.js'
import { specificationNotice } from '../blocks/openapi.js'
import { maxIncludeDepth, renderLimits } from '../blocks/render.js'
import { wordsIn } from '../words/words.js'
import { createEvaluator } from './expressions.js'
import { type PageSettings, type PageQueries, type ParsedText, loadPage } from './load-page.js'
import { hasPendingViews, blockKey } from './specifications.js'

export interface ComposedMarkdown {
  readonly markup: string
  /** The expressions whose values were printed. */
  readonly expressions: readonly string[]
  /** False when a later result may be more complete. */
  readonly isFinal: boolean
}

/** Characters of API details in the text: the block that goes past it is whole, those after it have none. */
const longestReference = 300_000

/** Returns the expanded text; undefined when it needs a worker thread. Expansions beyond the limits stay as written. */
export async function composeMarkdown(
  settings: PageSettings,
  queries: PageQueries,
  text: string,
): Promise<ComposedMarkdown | undefined> {
  const loaded = await loadPage(settings, queries, text)
  if (loaded === undefined) return undefined
  const { page, targets, includes, specifications } = loaded
  const expressions = new Set<string>()
  const evaluate = createEvaluator(settings.inputs, createBudget(conditionLimits), expressions)
  const budget = createBudget(renderLimits)
  const words = wordsIn(settings.language)
  const includeStack: string[] = []
  let referenceLeft = longestReference

  const expand = (read: ParsedText): string =>
    expandText(read.text, read, {
      destination: (url) => targets.get(url)?.link.href,
      value(expression) {
        const value = printed(evaluate(expression))
        if (budget.left('output') < value.length) return undefined
        budget.spend('output', value.length)
        return value
      },
      specification(block) {
        const known = specifications.get(blockKey(block))
        const hasDetails = known?.operation !== undefined || known?.schemas !== undefined
        const view = hasDetails && referenceLeft <= 0 ? { isLeftOut: true as const } : known
        const notice = view && specificationNotice(view, words)?.replaceAll('{%', '{ %')
        const text = view === undefined ? '' : formatSpecification(view)
        referenceLeft -= text.length
        const rendered = [text, notice ?? ''].filter(Boolean).join('\n\n')
        if (budget.left('output') < rendered.length) return undefined
        budget.spend('output', rendered.length)
        return rendered
      },
      include(src) {
        const path = targets.get(src)?.text?.path
        const included = path === undefined ? undefined : includes.get(path)
        if (included === undefined || includeStack.length >= maxIncludeDepth || includeStack.includes(path!))
          return undefined
        if (budget.left('includes') < 1 || budget.left('output') < included.text.length) return undefined
        budget.spend('includes')
        budget.spend('output', included.text.length)
        includeStack.push(path!)
        const written = withoutFrontMatter(expand(included))
        includeStack.pop()
        return written
      },
    })
  return {
    markup: expand({ text, ...page }),
    expressions: [...expressions],
    isFinal: !hasPendingViews(specifications),
  }
}
