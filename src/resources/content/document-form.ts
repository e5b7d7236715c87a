/** Evaluates expressions and includes of documents as far as requested, within a budget. */
import { type Budget, OverBudget, createBudget, pageLimits } from '../../core/budget.js'
import { conditionLimits, evaluate } from '../../core/conditions/evaluate.js'
import { printed } from '../../core/conditions/claim-reader.js'
import { namesIn } from '../../core/conditions/names.js'
import { parseExpression } from '../../core/conditions/parse.js'
import type { DocumentJson } from '../../core/document/json-node.js'
import {
  type DocumentEvaluator,
  reusableContentIds,
  evaluateDocument,
} from '../../core/document/evaluate-document.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { type ReusableContentEntry, listReusableContents } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { unknownVisitor } from '../../core/visitor/visitor.js'
import type { DocumentForm } from '../../contract/content.js'
import type { ContentContext } from './content.js'
import { expressionInputs, visibilityFilterOf } from './visibility.js'
import { readVariables } from './settings.js'

/** A document and its page. */
export interface PlacedDocument {
  readonly document: DocumentJson
  /** The page that it is on; null for a document of no page. */
  readonly page: PageRecord | null
}

/** Parses a text of a file of the content. */
export type MakeDocument = (file: string, text: string) => Promise<DocumentJson>

/** Depth of nested reusable contents. */
const maxIncludeDepth = 5

/** Returns the cache key of a form; empty for a document as it is. */
export function formKey({ evaluated = 'false', dereferenced = 'false' }: DocumentForm): string {
  return evaluated === 'false' && dereferenced === 'false' ? '' : ` ${evaluated} ${dereferenced}`
}

/** Returns the document in the requested form. */
export async function documentInForm(
  content: ContentContext,
  { document, page }: PlacedDocument,
  form: DocumentForm,
  make: MakeDocument,
): Promise<DocumentJson> {
  if (formKey(form) === '') return document
  const isDereferenced = (form.dereferenced ?? 'false') !== 'false'
  const all = isDereferenced ? await content.run(listReusableContents(content.revision.snapshot)) : []
  const work: FormContext = {
    content,
    page,
    budget: createBudget(pageLimits),
    known: new Map(all.map((one) => [one.id, one])),
    make,
    answers: await evaluatorFor(content, page, form),
  }
  return resolve(document, work, [])
}

interface FormContext {
  readonly content: ContentContext
  readonly page: PageRecord | null
  readonly budget: Budget
  readonly known: ReadonlyMap<string, ReusableContentEntry>
  readonly make: MakeDocument
  readonly answers: Pick<DocumentEvaluator, 'holds' | 'print'>
}

/** `within` are the reusable contents that include the document: none is included in itself. */
async function resolve(
  document: DocumentJson,
  work: FormContext,
  within: readonly string[],
): Promise<DocumentJson> {
  const { answers, budget } = work
  const included = new Map<string, { readonly nodes: readonly DocumentJson[]; readonly weight: number }>()
  if (work.known.size > 0 && within.length < maxIncludeDepth)
    for (const id of reusableContentIds(document)) {
      const one = within.includes(id) ? undefined : await read(id, work)
      if (one === undefined) continue
      const { nodes } = await resolve(one, work, [...within, id])
      const blocks = nodes as readonly DocumentJson[]
      included.set(id, { nodes: blocks, weight: JSON.stringify(blocks).length })
    }
  return evaluateDocument(document, {
    ...answers,
    include(id) {
      const found = included.get(id)
      return found !== undefined && spendBudget(budget, found.weight) ? found.nodes : undefined
    },
  })
}

async function read(
  id: string,
  { content, page, known, make }: FormContext,
): Promise<DocumentJson | undefined> {
  const one = known.get(id)
  if (one === undefined) return undefined
  const [written = ''] = await content.run(loadTexts([one.text]))
  return make(one.path, (await visibilityFilterOf(content))?.text(written, page) ?? written)
}

function spendBudget(budget: Budget, weight: number): boolean {
  try {
    budget.spend('includes')
    budget.spend('output', weight)
    return true
  } catch (error) {
    if (error instanceof OverBudget) return false
    throw error
  }
}

async function evaluatorFor(
  content: ContentContext,
  page: PageRecord | null,
  { evaluated = 'false' }: DocumentForm,
): Promise<Pick<DocumentEvaluator, 'holds' | 'print'>> {
  if (evaluated === 'false') return { holds: () => undefined, print: () => undefined }
  const inputs = expressionInputs(content.visitor ?? unknownVisitor, await readVariables(content), page)
  const budget = createBudget(conditionLimits)
  /** Returns the value in a list; empty without a value, undefined for an expression that is not to be evaluated. */
  const work = (source: string): readonly unknown[] | undefined => {
    const parsed = parseExpression(source)
    if (!parsed.ok) return []
    if (evaluated === 'deterministic-only' && namesIn(parsed.expression).has('visitor')) return undefined
    try {
      return [evaluate(parsed.expression, inputs, budget)]
    } catch {
      return []
    }
  }
  // On a site that is not adaptive everything is visible; on an adaptive one hidden parts are already removed.
  const showsAll = content.isForReaders === true
  return {
    holds(source) {
      if (showsAll || source.trim() === '') return true
      const found = work(source)
      return found && Boolean(found[0])
    },
    print(source) {
      const found = work(source)
      return found && printed(found[0])
    },
  }
}
