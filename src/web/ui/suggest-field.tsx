/** A text field with suggestions below it (combobox): what is typed is taken as it is, or one of the suggestions. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.js'
import './suggest-field.css'

export interface Suggestion {
  readonly value: string
  readonly name: string
  readonly detail?: string | undefined
  readonly icon?: IconName
  readonly emoji?: string | undefined
}

/** Milliseconds after the last key before suggestions are looked for. */
const pause = 120

export function SuggestField({
  label,
  value,
  placeholder,
  nothing,
  isOpen = false,
  autoFocus = false,
  isLabelHidden = false,
  isRequired = false,
  suggest,
  onChoose,
}: {
  readonly label: string
  readonly value: string
  readonly placeholder?: string | undefined
  /** What is said where nothing is found. */
  readonly nothing?: string
  /** Whether the list is always displayed. */
  readonly isOpen?: boolean
  readonly autoFocus?: boolean
  readonly isLabelHidden?: boolean
  readonly isRequired?: boolean
  /** Returns what it finds; `show` displays a part of it before the rest is known. */
  readonly suggest: (
    query: string,
    show: (found: readonly Suggestion[]) => void,
  ) => Promise<readonly Suggestion[]>
  /** The field was left, or a suggestion was taken. */
  readonly onChoose: (value: string, suggestion?: Suggestion) => void
}) {
  const id = useId()
  const [words, setWords] = useState(value)
  const [query, setQuery] = useState(isOpen ? '' : (undefined as string | undefined))
  const [found, setFound] = useState<{ readonly query: string; readonly list: readonly Suggestion[] }>()
  const [selected, setSelected] = useState(-1)
  const listbox = useRef<HTMLUListElement>(null)

  useEffect(() => setWords(value), [value])
  useEffect(() => {
    if (query === undefined) return undefined
    let isGone = false
    const timer = setTimeout(
      () => {
        const show = (next: readonly Suggestion[]) => {
          if (isGone) return
          setFound({ query, list: next })
          setSelected((before) => (isOpen && query !== '' && next.length > 0 ? Math.max(0, before) : -1))
        }
        void suggest(query, show)
          .catch(() => [])
          .then(show)
      },
      query === '' ? 0 : pause,
    )
    return () => {
      isGone = true
      clearTimeout(timer)
    }
    // A new function with each rendering does not make a new query.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [query])
  useEffect(() => {
    listbox.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])

  const list = found?.list ?? []
  const isListed = query !== undefined && found !== undefined && (list.length > 0 || isOpen)
  const close = () => {
    if (!isOpen) setQuery(undefined)
    setSelected(-1)
  }
  const choose = (suggestion: Suggestion) => {
    setWords(suggestion.value)
    close()
    onChoose(suggestion.value, suggestion)
  }
  /** Takes the suggestion of Enter: of a picker the first for what is typed, also when that is not displayed yet. */
  const take = async () => {
    const isCurrent = found?.query === query
    const first =
      isOpen && !isCurrent && query !== undefined && query !== ''
        ? (await suggest(query, () => undefined).catch(() => []))[0]
        : list[selected]
    if (first !== undefined) return choose(first)
    close()
    return onChoose(words.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const { length } = list
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (query === undefined) setQuery('')
      else if (length > 0)
        setSelected((selected + (event.key === 'ArrowDown' ? 1 : length + Number(selected < 0) - 1)) % length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      void take()
    } else if (event.key === 'Escape' && isListed && !isOpen) {
      event.stopPropagation()
      close()
    }
  }

  return (
    <div className="field suggest">
      <label className={isLabelHidden ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        role="combobox"
        aria-expanded={isListed}
        aria-required={isRequired}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={selected >= 0 ? `${id}-${selected}` : undefined}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        autoFocus={autoFocus}
        value={words}
        placeholder={placeholder}
        onChange={({ currentTarget }) => {
          setWords(currentTarget.value)
          setQuery(currentTarget.value.trim())
        }}
        // What has a value already is not covered by the list.
        onFocus={() => value === '' && setQuery((before) => before ?? '')}
        onClick={() => setQuery((before) => before ?? '')}
        onBlur={() => {
          close()
          if (!isOpen && words.trim() !== value) onChoose(words.trim())
        }}
        onKeyDown={onKeyDown}
      />
      {isListed && (
        <ul ref={listbox} id={`${id}-list`} className="suggestions" role="listbox" aria-label={label}>
          {list.map((one, index) => (
            <li
              key={`${one.value} ${one.name}`}
              id={`${id}-${index}`}
              className="suggestion"
              role="option"
              aria-selected={index === selected}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(one)}
            >
              {one.emoji === undefined ? (
                one.icon !== undefined && <Icon name={one.icon} />
              ) : (
                <span>{one.emoji}</span>
              )}
              <span className="suggestion-name">{one.name}</span>
              {one.detail !== undefined && <span className="suggestion-detail">{one.detail}</span>}
            </li>
          ))}
          {list.length === 0 && nothing !== undefined && (
            <li className="suggestions-nothing" role="option" aria-disabled="true" aria-selected={false}>
              {nothing}
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
