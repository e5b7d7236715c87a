/** Find and replace in the page: a bar above the text, with the matches marked in it. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { find, findNext, replaceAll, replaceMatch } from '../document/input/find.js'
import type { DocumentHandle } from '../document/mount.js'
import { documentText as text } from '../i18n/document-text.js'
import { Button, IconButton } from '../ui/button.js'
import { showToast } from '../ui/toast.js'
import './find-bar.css'

export function FindBar({
  handle,
  withReplace,
  onClose,
}: {
  readonly handle: DocumentHandle
  readonly withReplace: boolean
  readonly onClose: () => void
}) {
  const { view } = handle
  const [query, setQuery] = useState(() => {
    const { from, to, $from, $to } = view.state.selection
    return $from.sameParent($to) ? view.state.doc.textBetween(from, to).slice(0, 200) : ''
  })
  const [replacement, setReplacement] = useState('')
  const [isReplacing, setReplacing] = useState(withReplace)
  const [isCaseSensitive, setCaseSensitive] = useState(false)
  const [count, setCount] = useState(0)
  const [current, setCurrent] = useState(0)
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    setCount(find(view, { query, isCaseSensitive }))
    setCurrent(0)
  }, [view, query, isCaseSensitive])
  useEffect(() => {
    if (withReplace) setReplacing(true)
    field.current?.focus()
    field.current?.select()
  }, [withReplace])
  useEffect(
    () => () => {
      if (!view.isDestroyed) find(view, { query: '' })
    },
    [view],
  )

  const go = (direction: 1 | -1) => setCurrent((findNext(view, direction) ?? -1) + 1)
  const replace = () => {
    replaceMatch(view, replacement)
    setCount(find(view, { query, isCaseSensitive }))
  }
  const close = () => {
    onClose()
    view.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      close()
    }
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    if (event.target === field.current) go(event.shiftKey ? -1 : 1)
    else replace()
  }
  return (
    <div className="find-bar" role="search" aria-label={text.find.title} onKeyDown={onKeyDown}>
      <div className="find-row">
        <input
          ref={field}
          className="input find-field"
          aria-label={text.find.find}
          placeholder={text.find.find}
          dir="auto"
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <span className="find-count" role="status">
          {query === '' ? '' : text.find.count(current, count)}
        </span>
        <IconButton
          icon="caseSensitive"
          label={text.find.matchCase}
          aria-pressed={isCaseSensitive}
          onClick={() => setCaseSensitive(!isCaseSensitive)}
        />
        <IconButton icon="arrowUp" label={text.find.previous} keys="⇧↩" onClick={() => go(-1)} />
        <IconButton icon="arrowDown" label={text.find.next} keys="↩" onClick={() => go(1)} />
        <IconButton icon="x" label={text.find.close} onClick={close} />
      </div>
      {isReplacing ? (
        <div className="find-row">
          <input
            className="input find-field"
            aria-label={text.find.replaceWith}
            placeholder={text.find.replaceWith}
            dir="auto"
            value={replacement}
            onChange={({ currentTarget }) => setReplacement(currentTarget.value)}
          />
          <Button onClick={replace}>{text.find.replace}</Button>
          <Button
            onClick={() => {
              showToast(text.find.replaced(replaceAll(view, replacement)))
              setCount(find(view, { query, isCaseSensitive }))
            }}
          >
            {text.find.replaceAll}
          </Button>
        </div>
      ) : (
        <Button variant="quiet" className="find-more" onClick={() => setReplacing(true)}>
          {text.find.showReplace}
        </Button>
      )}
    </div>
  )
}
