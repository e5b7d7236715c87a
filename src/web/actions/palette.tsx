/** Command palette (Ctrl/Cmd+K): every action, the spaces of the organization, and full-text search of its pages. */
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { searchQuery, spacesQuery } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { EmojiOrIcon } from '../ui/display.js'
import { Icon, type IconName } from '../ui/icon.js'
import { formatKeys, useRegisteredActions } from './actions.js'
import { takeQueuedKeys } from './key-queue.js'
import './palette.css'

interface Result {
  readonly key: string
  readonly group: string
  readonly icon: IconName
  readonly emoji?: string | undefined
  readonly name: string
  readonly detail?: string | undefined
  readonly keys?: string | undefined
  readonly run: () => void
}

export default function Palette({
  organization,
  onClose,
}: {
  readonly organization: string | undefined
  readonly onClose: () => void
}) {
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  const results = useResults(organization, query)
  const current = results[Math.min(selected, results.length - 1)]
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.key])

  const run = (result: Result) => {
    onClose()
    result.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') setSelected(Math.min(selected + 1, results.length - 1))
    else if (event.key === 'ArrowUp') setSelected(Math.max(selected - 1, 0))
    else if (event.key === 'Enter' && current !== undefined) run(current)
    else return
    event.preventDefault()
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="palette" aria-label={text.palette.label}>
          <div className="palette-field">
            <Icon name="search" />
            <input
              className="palette-input"
              role="combobox"
              aria-expanded="true"
              aria-controls={listId}
              aria-activedescendant={current === undefined ? undefined : `${listId}-${current.key}`}
              aria-label={text.palette.label}
              placeholder={text.palette.placeholder}
              value={query}
              onChange={({ currentTarget }) => {
                setQuery(currentTarget.value)
                setSelected(0)
              }}
              onKeyDown={onKeyDown}
              onFocus={() => setQuery(query + takeQueuedKeys())}
              autoFocus
            />
          </div>
          <div className="palette-list" id={listId} role="listbox" aria-label={text.palette.label} ref={list}>
            {results.map((result, at) => (
              <div key={result.key} role="presentation">
                {result.group !== results[at - 1]?.group && <p className="palette-group">{result.group}</p>}
                <div
                  id={`${listId}-${result.key}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={result === current}
                  className="palette-result"
                  onPointerMove={() => setSelected(at)}
                  onClick={() => run(result)}
                >
                  <EmojiOrIcon emoji={result.emoji} icon={result.icon} />
                  <span className="palette-name">
                    {result.name}
                    {result.detail !== undefined && <span className="palette-detail">{result.detail}</span>}
                  </span>
                  {result.keys !== undefined && <kbd>{formatKeys(result.keys)}</kbd>}
                </div>
              </div>
            ))}
          </div>
          {results.length === 0 && (
            <div className="palette-nothing" role="status">
              <strong>{text.palette.nothing}</strong> {text.palette.nothingText}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const fold = (value: string): string => value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Case and diacritics do not matter; every word of the query has to begin a word. */
function matches(query: string, words: string): boolean {
  const target = ` ${fold(words)}`
  return fold(query)
    .split(/\s+/)
    .every((word) => target.includes(` ${word}`) || (word.length > 2 && target.includes(word)))
}

function useResults(organization: string | undefined, query: string): readonly Result[] {
  const actions = useRegisteredActions()
  const late = useDeferredValue(query.trim())
  const { data: spaces = [] } = useQuery({
    ...spacesQuery(organization ?? ''),
    enabled: organization !== undefined,
  })
  const search = searchQuery(organization ?? '', late)
  const { data: found = [] } = useQuery({
    ...search,
    enabled: organization !== undefined && late.length > 1,
  })
  return useMemo(() => {
    const commands = actions
      .filter(
        (one) => one.disabledReason === undefined && matches(query, `${one.name} ${one.keywords ?? ''}`),
      )
      .map((one): Result => ({ ...one, key: one.id, group: text.palette.actions }))
    const places = spaces
      .filter(({ title }) => matches(query, title))
      .slice(0, 8)
      .map((space): Result => ({
        key: space.id,
        group: text.palette.spaces,
        icon: 'book',
        emoji: space.emoji,
        name: space.title,
        run: () => navigate(spacePath(space.id)),
      }))
    const pages =
      late.length < 2
        ? []
        : found.flatMap((space) =>
            space.pages.slice(0, 5).map((page): Result => ({
              key: `${space.id}-${page.id}`,
              group: text.palette.pages,
              icon: 'fileText',
              name: page.title,
              detail: [space.title, ...page.ancestors.map(({ title }) => title)].join(' › '),
              run: () => navigate(spacePath(space.id, page.path)),
            })),
          )
    if (query === '') return [...commands, ...places]
    // Who types the name of an action wants it, whatever pages have these words.
    const isNamed = ({ name }: Result) => fold(name).startsWith(fold(query.trim()))
    const named = commands.filter(isNamed)
    const others = commands.filter((one) => !isNamed(one))
    return [...named, ...pages.slice(0, 8), ...places, ...others]
  }, [actions, spaces, found, query, late])
}
