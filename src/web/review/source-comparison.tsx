/** The Markdown of both versions of a page, line by line. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { diffTokens } from '../../core/merge/diff-words.js'
import { text } from '../i18n/text.js'
import { ErrorNotice, Skeleton } from '../ui/display.js'
import { type ComparisonSource, markdownQuery } from './comparison-queries.js'

/** Unchanged lines that are displayed beside a change, and in a row before they are folded. */
const context = 3
const minFolded = 4
const lineBudget = 4_000_000

export default function SourceComparison({
  source,
  page,
}: {
  readonly source: ComparisonSource
  readonly page: string
}) {
  const { data, error, refetch } = useQuery(markdownQuery(source, page))
  const runs = useMemo(() => {
    const [before, after] = data ?? ['', '']
    return diffTokens(before.split('\n'), after.split('\n'), (line) => `${line}|`, { work: lineBudget })
  }, [data])
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={10} />
  return (
    <div className="source-comparison" tabIndex={0} role="group" aria-label={text.comparison.views.source}>
      {runs.map(({ change, tokens }, at) => {
        if (change === 'added')
          return (
            <ins key={at} className="diff-added" data-change={`s${at}`}>
              <Lines lines={tokens} sign="+" />
            </ins>
          )
        if (change === 'removed')
          return (
            <del key={at} className="diff-removed" data-change={`s${at}`}>
              <Lines lines={tokens} sign="−" />
            </del>
          )
        const head = at === 0 ? 0 : context
        const tail = at === runs.length - 1 ? 0 : context
        const folded = tokens.slice(head, tokens.length - tail)
        if (folded.length < minFolded) return <Lines key={at} lines={tokens} sign=" " />
        return (
          <div key={at}>
            <Lines lines={tokens.slice(0, head)} sign=" " />
            <details className="diff-fold">
              <summary>{text.comparison.unchangedLines(folded.length)}</summary>
              <Lines lines={folded} sign=" " />
            </details>
            <Lines lines={tokens.slice(tokens.length - tail)} sign=" " />
          </div>
        )
      })}
    </div>
  )
}

function Lines({ lines, sign }: { readonly lines: readonly string[]; readonly sign: string }) {
  if (lines.length === 0) return null
  return (
    <pre className="source-lines" data-sign={sign} dir="auto">
      {lines.join('\n')}
    </pre>
  )
}
