/** Report of an import: what came in, and every problem by kind, with its file and line and a link to its page. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { problemKinds } from '../../core/pages/import-problems.js'
import type { ImportResult } from '../../contract/imports.js'
import type { Page } from '../../contract/pages.js'
import { pagesQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath, spacePath } from '../routes/addresses.js'
import { Link, navigate } from '../routes/navigation.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import type { Imported } from './run-import.js'

/** Problems that the report lists; a page of many thousand rows would be slow. */
const mostListed = 1000

type Problem = ImportResult['problems'][number]

export function ImportReport({
  imported: { space, change, result },
  onClose,
}: {
  readonly imported: Imported
  readonly onClose: () => void
}) {
  const { data: pages } = useQuery({ ...pagesQuery({ space, change }), enabled: result.problemCount > 0 })
  const paths = useMemo(() => new Set(pages?.flatMap(pathsOf)), [pages])
  const listed = result.problems.slice(0, mostListed)
  const groups = problemKinds.flatMap((kind) => {
    const problems = listed.filter((one) => one.kind === kind)
    return problems.length === 0 ? [] : [{ kind, problems }]
  })
  const hrefOf = ({ path }: Problem): string | undefined => {
    const page = pathOfPage(path).find((one) => paths.has(one))
    if (page === undefined) return undefined
    return change === undefined ? spacePath(space, page) : changePath(space, change, page)
  }
  return (
    <Dialog
      title={text.imports.done}
      description={text.imports.report(result.pages, result.files, change === undefined ? 'space' : 'change')}
      width={result.problemCount > 0 ? 'wide' : 'narrow'}
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          onClick={() => {
            onClose()
            navigate(change === undefined ? spacePath(space) : changePath(space, change, '', 'changes'))
          }}
        >
          {change === undefined ? text.imports.openSpace : text.imports.openChange}
        </Button>
      }
    >
      {result.problemCount === 0 ? (
        <p>{text.imports.noProblems}</p>
      ) : (
        <>
          <p className="import-count">{text.imports.problems(result.problemCount)}</p>
          {groups.map(({ kind, problems }) => (
            <details
              key={kind}
              className="import-problems"
              open={groups.length === 1 || problems.length <= 10}
            >
              <summary>
                {text.imports.problemKinds[kind]} <span className="import-line">{problems.length}</span>
              </summary>
              <ul>
                {problems.map((problem, at) => (
                  <li key={at}>
                    <ProblemPlace problem={problem} href={hrefOf(problem)} onFollow={onClose} />{' '}
                    {problem.message}
                  </li>
                ))}
              </ul>
            </details>
          ))}
          {result.problemCount > listed.length && <p>{text.imports.moreProblems(listed.length)}</p>}
        </>
      )}
    </Dialog>
  )
}

function ProblemPlace({
  problem: { path, line },
  href,
  onFollow,
}: {
  readonly problem: Problem
  readonly href: string | undefined
  readonly onFollow: () => void
}) {
  return (
    <>
      {href === undefined ? (
        <code>{path}</code>
      ) : (
        <Link href={href} className="import-link" onClick={onFollow}>
          <code>{path}</code>
        </Link>
      )}
      {line !== undefined && <span className="import-line">{text.imports.line(line)}</span>}
    </>
  )
}

const pathsOf = (page: Page): readonly string[] => [
  ...(page.path === undefined ? [] : [page.path]),
  ...(page.pages ?? []).flatMap(pathsOf),
]

/** Returns the paths that the page of a file may have: `a/README.md` is `a`, and that of the top `readme`. */
function pathOfPage(file: string): readonly string[] {
  const path = file.replace(/\.md$/, '')
  return path === file ? [] : [path, path.replace(/\/readme$/i, ''), path.toLowerCase()]
}
