/**
 * Check of an unsaved text of a page: the problems of an import report, with its links checked against the content.
 * The text is parsed in a worker thread.
 */
import type { CheckBody, CheckedText } from '../../contract/text-check.js'
import { ApiError } from '../../contract/errors.js'
import type { Services } from '../../access/route/scope.js'
import type { PageId } from '../../core/ids.js'
import { resolveReference } from '../../core/links/resolve.js'
import { maxReferences } from '../../core/markdown/text-links.js'
import { describeLinkProblem } from '../../core/pages/check-links.js'
import { resolveOptions } from '../../core/pages/paths.js'
import { findPage } from '../../core/pages/read.js'
import { decodeDescription } from '../../store/reading/reader.js'
import type { ContentContext } from '../content/content.js'
import { checkDestinations } from './check-links.js'

/** Problems in a response; who has more mends these first. */
const maxProblems = 1_000

interface CheckRequest {
  readonly services: Services
  readonly content: ContentContext
  readonly body: CheckBody
}

/** Finds the page, and returns the work that checks its text. */
export async function prepareTextCheck({
  services,
  content,
  body: { page: id, markdown },
}: CheckRequest): Promise<() => Promise<CheckedText>> {
  const { snapshot } = content.revision
  const page = await content.run(findPage(snapshot, id as PageId))
  if (page?.type !== 'document') throw new ApiError('not_found', { thing: 'document page' })
  const { file } = page
  return async () => {
    const analysis = await services.reader.describe(markdown)
    const { references, referenceLines, anchors } = decodeDescription(analysis)
    const options = { ...resolveOptions(snapshot.config), applications: [services.addresses.base] }
    const links = references.slice(0, maxReferences).map(({ kind, url }) => ({
      kind,
      url,
      file,
      reading: resolveReference(file, url, options),
    }))
    const verdicts = await checkDestinations(
      content,
      services,
      links,
      new Map([[file, { references, anchors }]]),
    )
    const linkProblems = verdicts.flatMap((verdict, at) => {
      const problem = describeLinkProblem(links[at]!, verdict)
      return problem === undefined ? [] : [{ ...problem, line: referenceLines[at]! }]
    })
    const problems = [...linkProblems, ...analysis.problems].toSorted((one, other) => one.line - other.line)
    return { problems: problems.slice(0, maxProblems) }
  }
}
