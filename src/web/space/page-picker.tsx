/** Choice of one page of a tree, by words of its title: a field with a list below it (combobox). */
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { text } from '../i18n/text.js'
import { Icon } from '../ui/icon.js'
import { PageIcon } from './page-icon.js'
import { type PageNode, listPages } from './page-node.js'
import './page-picker.css'

/** The most that are listed: further ones are found by more words. */
const mostListed = 100

export function PagePicker({
  label,
  nodes,
  top,
  value,
  canTake,
  onChange,
}: {
  readonly label: string
  readonly nodes: readonly PageNode[]
  /** The name of the top level, which is undefined as a value. */
  readonly top: string
  readonly value: string | undefined
  readonly canTake: (node: PageNode) => boolean
  readonly onChange: (id: string | undefined) => void
}) {
  const [query, setQuery] = useState('')
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const all = useMemo(() => listPages(nodes), [nodes])
  const words = fold(query)
  const found = all
    .filter(({ node }) => canTake(node) && fold(node.title).includes(words))
    .slice(0, mostListed)
  const choices = [...(words === '' ? [undefined] : []), ...found]
  const selected = choices.findIndex((one) => one?.node.id === value)

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [value])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || choices.length === 0) return
    event.preventDefault()
    onChange(choices[Math.min(Math.max(selected + step, 0), choices.length - 1)]?.node.id)
  }
  return (
    <div className="page-picker">
      <label className="field-label" htmlFor={`${id}-field`}>
        {label}
      </label>
      <input
        id={`${id}-field`}
        className="input"
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={selected >= 0 ? `${id}-${selected}` : undefined}
        autoComplete="off"
        placeholder={text.space.filter}
        autoFocus
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value)
          const next = fold(currentTarget.value)
          const first = all.find(({ node }) => canTake(node) && fold(node.title).includes(next))
          onChange(next === '' ? undefined : first?.node.id)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} className="page-picker-list" role="listbox" aria-label={label} ref={list}>
        {choices.map((one, at) => (
          <li
            key={one?.node.id ?? 'top'}
            id={`${id}-${at}`}
            className="page-picker-choice"
            role="option"
            aria-selected={at === selected}
            onClick={() => onChange(one?.node.id)}
          >
            {one === undefined ? <Icon name="house" /> : <PageIcon node={one.node} />}
            <span className="page-picker-title">{one?.node.title ?? top}</span>
            {one !== undefined && one.above.length > 0 && (
              <span className="page-picker-above">{one.above.join(' › ')}</span>
            )}
          </li>
        ))}
        {choices.length === 0 && (
          <li className="page-picker-nothing" role="presentation">
            {text.change.nothingFound}
          </li>
        )}
      </ul>
    </div>
  )
}

const fold = (value: string): string => value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
