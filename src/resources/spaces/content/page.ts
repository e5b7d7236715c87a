/**
 * One page with its text, as JSON. The answer follows from the revision alone, so it is kept under
 * the revision's name until room is needed.
 */
import { documentJson } from '../../../core/document/json.js'
import { parsePage } from '../../../core/markdown/parse.js'
import { loadTexts } from '../../../core/merkle/steps.js'
import { subtree } from '../../../core/pages/subtree.js'
import { resolveTargets } from '../../../core/pages/targets.js'
import type { PageRecord } from '../../../core/pages/types.js'
import type { Services } from '../../../access/route/scope.js'
import type { Format, Page } from '../../../contract/content.js'
import { createLru, type Lru } from '../../../store/content/lru.js'
import type { ObjectCache } from '../../../store/content/objects.js'
import type { ContentHere } from './content.js'
import { collectTargets } from './targets.js'
import { contentRef, presentPage } from './present.js'

const answerBudget = 24_000_000
const answersOf = new WeakMap<ObjectCache, Lru<Buffer>>()

/** Answers the JSON as bytes: what is sent many times is encoded once. */
export async function readPageJson(
  content: ContentHere,
  page: PageRecord,
  format: Format | undefined,
  services: Services,
): Promise<Buffer> {
  let answers = answersOf.get(services.objects)
  if (answers === undefined) answersOf.set(services.objects, (answers = createLru(answerBudget)))
  const key = `${content.revision.id}${page.id}${format ?? ''}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const answer = Buffer.from(JSON.stringify(await readPage(content, page, format, services)))
  answers.set(key, answer, answer.length)
  return answer
}

/** Returns the page with its subpages and, as the format says, its Markdown, its document, or both. */
async function readPage(
  content: ContentHere,
  page: PageRecord,
  format: Format | undefined,
  { addresses }: Services,
): Promise<Page> {
  const { snapshot } = content.revision
  const children = page.type === 'link' ? [] : await content.run(subtree(snapshot, page.id))
  const targets = await collectTargets(content, [{ page, children }])
  const shown = presentPage(page, children, { addresses, spaceId: content.spaceId, targets })
  if (page.type !== 'document') return shown

  const text = page.text === undefined ? '' : (await content.run(loadTexts([page.text])))[0]!
  if (format !== 'document') shown.markdown = text
  if (format !== 'markdown') {
    const { document, references } = parsePage(text)
    const urls = references.map(({ url }) => url)
    const destinations = await content.run(resolveTargets(snapshot, page.file, urls, [addresses.base]))
    shown.document = documentJson(document, { resolve: (url) => contentRef(destinations.get(url), url) })
  }
  return shown
}
