/** Grid of emoji by kind, with search in their names; a chunk of its own, because of the table of names. */
import { gemoji } from 'gemoji'
import { useMemo, useState } from 'react'
import { ChoiceGrid } from './choice-grid.js'
import { SearchField } from './field.js'

const kinds = [...new Set(gemoji.map(({ category }) => category))]
/** The most that a search lists. */
const mostFound = 120

export default function EmojiGrid({
  label,
  kindLabel,
  value,
  onChoose,
}: {
  readonly label: string
  readonly kindLabel: string
  readonly value: string | undefined
  readonly onChoose: (emoji: string) => void
}) {
  const [query, setQuery] = useState('')
  const [kind, setKind] = useState(kinds[0]!)
  const found = useMemo(() => {
    const words = query.toLowerCase().trim()
    if (words === '') return gemoji.filter(({ category }) => category === kind)
    return gemoji
      .filter(({ description, names, tags }) =>
        [description, ...names, ...tags].some((name) => name.toLowerCase().includes(words)),
      )
      .slice(0, mostFound)
  }, [query, kind])
  return (
    <div className="emoji-picker">
      <SearchField label={label} value={query} onChange={setQuery} />
      {query.trim() === '' && (
        <div className="emoji-kinds" role="radiogroup" aria-label={kindLabel}>
          {kinds.map((one) => (
            <button
              key={one}
              type="button"
              role="radio"
              aria-checked={one === kind}
              aria-label={one}
              title={one}
              className="emoji-choice"
              onClick={() => setKind(one)}
            >
              {gemoji.find(({ category }) => category === one)!.emoji}
            </button>
          ))}
        </div>
      )}
      <ChoiceGrid
        label={label}
        value={value}
        onChoose={onChoose}
        choices={found.map(({ emoji, description }) => ({
          value: emoji,
          name: description,
          content: emoji,
        }))}
      />
    </div>
  )
}
