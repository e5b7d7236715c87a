/** Import structure: the two files that describe the tree, `.gitbook.yaml` and the table of contents. */
import { type ContentConfig, defaultConfig } from '../../core/config.js'
import type { Problem } from '../../core/document/types.js'
import { lineLookup } from '../../core/document/lines.js'
import type { OrganizationId } from '../../core/ids.js'
import { parseConfig, redirectSpans } from '../../core/markdown/gitbook-yaml.js'
import { parseSummaryInSteps } from '../../core/markdown/summary.js'
import type { ImportTree } from '../../core/pages/import.js'
import { configFile, joinPath } from '../../core/pages/paths.js'
import type { ImportProblem } from '../../core/pages/import-problems.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { decodeText } from '../../store/content/encoding.js'
import { findBytes, noObjectCache, runYielding } from '../../store/content/objects.js'
import type { Database } from '../../store/db/database.js'
import type { ImportedTree } from './read-tree.js'

export interface Structure {
  readonly tree: ImportTree
  readonly problems: readonly ImportProblem[]
  /** Returns problems of the table of contents as import problems. */
  summaryProblems(found: readonly Problem[]): readonly ImportProblem[]
  /** Returns the line of `.gitbook.yaml` on which the redirect of an old path is. */
  lineOfRedirect(from: string): { readonly line?: number }
}

/** Returns the structure of a tree of files. Throws an ApiError for a table of contents that is too large. */
export async function readStructure(
  { entries }: Pick<ImportedTree, 'entries'>,
  { read }: Pick<Database, 'read'>,
  organizationId: OrganizationId,
): Promise<Structure> {
  async function textAt(path: string): Promise<string> {
    const entry = entries.get(path)
    if (entry?.kind !== 'text') return ''
    const bytes = await findBytes(read, organizationId, entry.text.hash)
    if (bytes!.length > limits.summaryBytes) {
      const limit = `${limits.summaryBytes / 1_000_000} MB`
      throw new ApiError('page_too_large', { page: `"${path}"`, limit })
    }
    return decodeText(bytes!)
  }

  let config: ContentConfig = defaultConfig
  let problems: readonly ImportProblem[] = []
  let configText = ''
  if (entries.has(configFile)) {
    configText = await textAt(configFile)
    const parsed = parseConfig(configText)
    config = parsed.config
    problems = problemsOf(configFile, configText, parsed.problems)
  }
  const redirectLine = lineLookup(configText)
  const spans = redirectSpans(configText)
  const lineOfRedirect = (from: string) => {
    const span = spans.get(from)
    return span === undefined ? {} : { line: redirectLine(span.start) }
  }
  const summaryFile = joinPath(config.root, config.summary)
  const text = await textAt(summaryFile)
  const summaryProblems = (found: readonly Problem[]) => problemsOf(summaryFile, text, found)
  if (entries.get(summaryFile)?.kind !== 'text')
    return { tree: { config, entries }, problems, summaryProblems, lineOfRedirect }
  const source = { db: read, organizationId, cache: noObjectCache }
  const summary = await runYielding(parseSummaryInSteps(text), source)
  return {
    tree: { config, entries, summary: summary.entries },
    problems: [...problems, ...summaryProblems(summary.problems)],
    summaryProblems,
    lineOfRedirect,
  }
}

function problemsOf(path: string, text: string, problems: readonly Problem[]): ImportProblem[] {
  const lineOf = lineLookup(text)
  return problems.map(({ message, span }) => ({
    kind: 'structure',
    path,
    line: lineOf(span.start),
    message,
  }))
}
