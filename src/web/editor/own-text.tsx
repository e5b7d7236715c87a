/** A text of one's own in the Markdown editor, as an answer to a conflict. */
import { useEffect, useRef } from 'react'
import type { ChangeSource } from '../api/queries.js'
import { mountSourceView } from './source-view.js'

export default function OwnText({
  source,
  page,
  initial,
  onChange,
}: {
  readonly source: ChangeSource
  readonly page: string
  readonly initial: string
  readonly onChange: (text: string) => void
}) {
  const parent = useRef<HTMLDivElement>(null)
  const change = useRef(onChange)
  change.current = onChange
  useEffect(() => {
    const view = mountSourceView(parent.current!, {
      text: initial,
      source,
      page,
      onChange: (text) => change.current(text),
      onProblems: () => {},
    })
    view.focus()
    return () => view.destroy()
    // The editor has the text from then on.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [source.space, source.change, page])
  return <div ref={parent} className="own-text" />
}
