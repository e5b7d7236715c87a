/** Grid of buttons of which one is chosen, such as emoji or icons. Arrows move the focus. */
import type { ReactNode } from 'react'
import { moveInGrid } from './grid-keys.js'
import './emoji-grid.css'

export function ChoiceGrid({
  label,
  choices,
  value,
  onChoose,
}: {
  readonly label: string
  readonly choices: readonly { readonly value: string; readonly name: string; readonly content: ReactNode }[]
  readonly value: string | undefined
  readonly onChoose: (value: string) => void
}) {
  return (
    <div className="emoji-grid" role="group" aria-label={label} onKeyDown={moveInGrid}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className="emoji-choice"
          aria-label={choice.name}
          aria-pressed={choice.value === value}
          title={choice.name}
          onClick={() => onChoose(choice.value)}
        >
          {choice.content}
        </button>
      ))}
    </div>
  )
}
