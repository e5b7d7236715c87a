/** Documents with what they depend on worked out, as far as it is asked for, and only as far as is paid for. */
import { type Budget, OverBudget, createBudget, pageLimits } from '../../core/budget.js'
import { conditionLimits, evaluate } from '../../core/conditions/evaluate.js'
import { printed } from '../../core/conditions/asker.js'
import { namesIn } from '../../core/conditions/names.js'
import { parseExpression } from '../../core/conditions/parse.js'
import type { JsonObject } from '../../core/document/json-node.js'
import { type Answers, includedIn, workOut } from '../../core/document/evaluate-document.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { type ReusableContent, listReusableContents } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { unknownVisitor } from '../../core/visitor/visitor.js'
import type { DocumentForm } from '../../contract/content.js'
import type { ContentHere } from './content.js'
import { inputsOf, openingOf } from './visibility.js'
import { readVariables } from './settings.js'

/** A document, and where it stands. */
export interface Written {
  readonly document: JsonObject
  /** The page that it is shown on; null for what belongs to none. */
  readonly page: PageRecord | null
}

/** Makes the document of a text that stands in a file of the content. */
export type MakeDocument = (file: string, text: string) => Promise<JsonObject>

/** Reusable contents in one another. */
const deepest = 5

/** Names a form among the answers that are kept; empty for a document as it is. */
export function nameForm({ evaluated = 'false', dereferenced = 'false' }: DocumentForm): string {
  return evaluated === 'false' && dereferenced === 'false' ? '' : ` ${evaluated} ${dereferenced}`
}

/** Returns the document in the form that is asked for. */
export async function workedOut(
  content: ContentHere,
  { document, page }: Written,
  form: DocumentForm,
  make: MakeDocument,
): Promise<JsonObject> {
  if (nameForm(form) === '') return document
  const isDereferenced = (form.dereferenced ?? 'false') !== 'false'
  const all = isDereferenced ? await content.run(listReusableContents(content.revision.snapshot)) : []
  const work: Work = {
    content,
    page,
    budget: createBudget(pageLimits),
    known: new Map(all.map((one) => [one.id, one])),
    make,
    answers: await answersOf(content, page, form),
  }
  return resolve(document, work, [])
}

interface Work {
  readonly content: ContentHere
  readonly page: PageRecord | null
  readonly budget: Budget
  readonly known: ReadonlyMap<string, ReusableContent>
  readonly make: MakeDocument
  readonly answers: Pick<Answers, 'holds' | 'print'>
}

/** `within` are the reusable contents around the document: none of them is put into itself. */
async function resolve(document: JsonObject, work: Work, within: readonly string[]): Promise<JsonObject> {
  const { answers, budget } = work
  const included = new Map<string, { readonly nodes: readonly JsonObject[]; readonly weight: number }>()
  if (work.known.size > 0 && within.length < deepest)
    for (const id of includedIn(document)) {
      const one = within.includes(id) ? undefined : await read(id, work)
      if (one === undefined) continue
      const { nodes } = await resolve(one, work, [...within, id])
      const blocks = nodes as readonly JsonObject[]
      included.set(id, { nodes: blocks, weight: JSON.stringify(blocks).length })
    }
  return workOut(document, {
    ...answers,
    include(id) {
      const found = included.get(id)
      return found !== undefined && pays(budget, found.weight) ? found.nodes : undefined
    },
  })
}

async function read(id: string, { content, page, known, make }: Work): Promise<JsonObject | undefined> {
  const one = known.get(id)
  if (one === undefined) return undefined
  const [written = ''] = await content.run(loadTexts([one.text]))
  return make(one.path, (await openingOf(content))?.text(written, page) ?? written)
}

function pays(budget: Budget, weight: number): boolean {
  try {
    budget.spend('includes')
    budget.spend('output', weight)
    return true
  } catch (error) {
    if (error instanceof OverBudget) return false
    throw error
  }
}

async function answersOf(
  content: ContentHere,
  page: PageRecord | null,
  { evaluated = 'false' }: DocumentForm,
): Promise<Pick<Answers, 'holds' | 'print'>> {
  if (evaluated === 'false') return { holds: () => undefined, print: () => undefined }
  const inputs = inputsOf(content.visitor ?? unknownVisitor, await readVariables(content), page)
  const budget = createBudget(conditionLimits)
  /** The value, in a list; an empty one for what has none, undefined for what is not asked for here. */
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
  // A site that is not adaptive shows all of it, and what is closed to the reader of another is gone by now.
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
