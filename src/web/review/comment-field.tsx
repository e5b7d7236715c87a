/**
 * Field for a comment: Markdown with a preview and the names of people after `@`. What is written is kept in this browser
 * until it is sent.
 */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { changeRequestComments, spaceComments } from '../../contract/comments.js'
import type { Member } from '../../contract/members.js'
import { formatKeys } from '../actions/actions.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import type { ContentSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { Avatar, Skeleton } from '../ui/display.js'
import { readCommentDraft, writeCommentDraft } from './comment-drafts.js'
import { CommentText } from './comment-text.js'

export function CommentField({
  source,
  draftKey,
  label,
  placeholder,
  start = '',
  send,
  autoFocus = false,
  isOptional = false,
  onSend,
  onCancel,
}: {
  readonly source: ContentSource
  /** Of the draft; one for each thread. */
  readonly draftKey: string
  readonly label: string
  readonly placeholder?: string
  /** What is edited. */
  readonly start?: string
  /** The name of the button. */
  readonly send: string
  readonly autoFocus?: boolean
  /** Whether it may be sent without words. */
  readonly isOptional?: boolean
  /** Posts the words; they stay in the field where that fails. */
  readonly onSend: (markdown: string) => Promise<void>
  readonly onCancel?: () => void
}) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [words, setWords] = useState(() => readCommentDraft(draftKey) || start)
  const [isPreview, setPreview] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [query, setQuery] = useState<string>()
  const [selected, setSelected] = useState(0)
  const people = usePeople(source, query)

  const change = (next: string) => {
    setWords(next)
    setError(undefined)
    writeCommentDraft(draftKey, next === start ? '' : next)
  }
  // As high as what is written.
  useEffect(() => {
    const area = field.current
    if (area === null) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight + 2}px`
  }, [words, isPreview])
  useEffect(() => {
    const area = field.current
    if (!autoFocus || area === null) return
    area.focus()
    area.setSelectionRange(area.value.length, area.value.length)
  }, [autoFocus])

  async function submit() {
    if (isBusy) return
    if (words.trim() === '' && !isOptional) {
      setError(text.comments.empty)
      field.current?.focus()
      return
    }
    setBusy(true)
    try {
      await onSend(words)
      writeCommentDraft(draftKey, '')
      setWords(start === '' ? '' : words)
      setPreview(false)
    } catch (failure) {
      setError((failure as Error).message)
    }
    setBusy(false)
  }
  const cancel = () => {
    writeCommentDraft(draftKey, '')
    setWords(start)
    onCancel?.()
  }
  const lookForName = () => {
    const area = field.current!
    const before = area.value.slice(0, area.selectionStart)
    const name = /(?:^|[\s(])@([\p{L}\p{N}._-]{0,40})$/u.exec(before.slice(-60))
    setQuery(name?.[1])
    setSelected(0)
  }
  const mention = ({ id: userId, user }: Member) => {
    const area = field.current!
    const at = area.selectionStart
    const from = area.value.lastIndexOf('@', at - 1)
    const name = user.displayName.replaceAll(/[[\]\\]/g, '\\$&')
    const link = `[${name}](/users/${userId} "mention") `
    change(area.value.slice(0, from) + link + area.value.slice(at))
    setQuery(undefined)
    requestAnimationFrame(() => {
      area.focus()
      area.setSelectionRange(from + link.length, from + link.length)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const isMod = event.metaKey || event.ctrlKey
    if (event.key === 'Enter' && isMod) {
      event.preventDefault()
      void submit()
    } else if (people.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      setSelected((selected + (event.key === 'ArrowDown' ? 1 : people.length - 1)) % people.length)
    } else if (people.length > 0 && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      mention(people[selected]!)
    } else if (event.key === 'Escape') {
      if (people.length > 0) setQuery(undefined)
      else if (words === start || words.trim() === '') cancel()
      else return
      event.preventDefault()
      event.stopPropagation()
    }
  }
  return (
    <div className="comment-field">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      {isPreview ? (
        <Preview source={source} markdown={words} />
      ) : (
        <textarea
          ref={field}
          id={id}
          className="input comment-input"
          dir="auto"
          rows={2}
          maxLength={10_000}
          value={words}
          placeholder={placeholder}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          aria-controls={people.length > 0 ? `${id}-people` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={people.length > 0 ? `${id}-${selected}` : undefined}
          onChange={({ currentTarget }) => {
            change(currentTarget.value)
            lookForName()
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setQuery(undefined)}
        />
      )}
      {people.length > 0 && !isPreview && (
        <ul id={`${id}-people`} className="comment-people" role="listbox" aria-label={text.comments.people}>
          {people.map((one, at) => (
            <li
              key={one.id}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === selected}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => mention(one)}
            >
              <Avatar name={one.user.displayName} photo={one.user.photoURL} />
              {one.user.displayName}
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      <div className="comment-field-bar">
        <Button variant="quiet" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          {isPreview ? text.comments.write : text.comments.preview}
        </Button>
        <span className="header-spacer" />
        {onCancel !== undefined && (
          <Button variant="quiet" onClick={cancel}>
            {text.common.cancel}
          </Button>
        )}
        <Button
          variant="primary"
          isBusy={isBusy}
          onClick={() => void submit()}
          title={formatKeys('Mod+Enter')}
        >
          {send}
        </Button>
      </div>
    </div>
  )
}

const none: readonly Member[] = []

function usePeople(source: ContentSource, query: string | undefined): readonly Member[] {
  const { data } = useQuery({
    queryKey: ['space', source.space, 'commenters', query ?? ''],
    queryFn: async ({ signal }) => {
      const request = { query: { limit: 6, ...(query !== '' && { search: query! }) }, signal }
      const { commenters } = spaceComments
      return (
        await api.call(...contentRequest(source, commenters, changeRequestComments.commenters, request))
      ).items
    },
    enabled: query !== undefined,
    staleTime: 60_000,
    placeholderData: (before) => before,
  })
  return query === undefined ? none : (data ?? none)
}

function Preview({ source, markdown }: { readonly source: ContentSource; readonly markdown: string }) {
  const { data, error } = useQuery({
    queryKey: ['comment-preview', source.space, markdown],
    queryFn: ({ signal }) =>
      api.call(
        ...contentRequest(source, spaceComments.preview, changeRequestComments.preview, {
          body: { markdown },
          signal,
        }),
      ),
    enabled: markdown.trim() !== '',
    gcTime: 0,
  })
  if (markdown.trim() === '')
    return <p className="comment-preview comment-nothing">{text.comments.nothingYet}</p>
  return (
    <div className="comment-preview">
      {error !== null && <p className="field-error">{error.message}</p>}
      {data === undefined ? (
        error === null && <Skeleton lines={2} />
      ) : (
        <CommentText document={data.document} />
      )}
    </div>
  )
}
