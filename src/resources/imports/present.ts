/** An import as its caller is told of it. */
import type { ImportResult } from '../../contract/imports.js'
import type { Imported } from './import.js'

/** Returns the answer to an import. */
export function presentImport({
  revision,
  pages,
  files,
  unlisted,
  leftOut,
  language,
  problemCount,
  problems,
}: Omit<Imported, 'isChanged'>): ImportResult {
  return {
    revision,
    importedResources: pages + files,
    totalResources: pages + files + unlisted + leftOut,
    pages,
    files,
    unlisted,
    leftOut,
    ...(language !== undefined && { language }),
    problemCount,
    problems: [...problems],
  }
}
