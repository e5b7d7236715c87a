/** Conflicts of a merge, each answered by one side, both, or a text of one's own. */
import type { Conflict } from '../../contract/change-requests.js'
import { text } from '../i18n/text.js'
import { Segmented } from '../ui/segmented.js'
import './conflict-list.css'

/** An answer as the API takes it. */
export interface Resolution {
  readonly id: string
  readonly take: 'ours' | 'theirs' | 'text'
  readonly text?: string
}

type Answer = 'ours' | 'theirs' | 'both' | 'text'

export function ConflictList({
  conflicts,
  titles,
  resolutions,
  onResolve,
}: {
  /** Titles of pages by their ids. */
  readonly titles: ReadonlyMap<string, string>
  readonly conflicts: readonly Conflict[]
  readonly resolutions: ReadonlyMap<string, Resolution>
  readonly onResolve: (resolutions: ReadonlyMap<string, Resolution>) => void
}) {
  const answer = (conflict: Conflict, resolution: Resolution) =>
    onResolve(new Map([...resolutions, [conflict.id, resolution]]))
  return (
    <ol className="conflicts">
      {conflicts.map((conflict) => (
        <ConflictView
          key={conflict.id}
          conflict={conflict}
          title={titles.get(conflict.page ?? '')}
          resolution={resolutions.get(conflict.id)}
          onAnswer={(resolution) => answer(conflict, resolution)}
        />
      ))}
    </ol>
  )
}

function ConflictView({
  conflict,
  title,
  resolution,
  onAnswer,
}: {
  readonly conflict: Conflict
  readonly title: string | undefined
  readonly resolution: Resolution | undefined
  readonly onAnswer: (resolution: Resolution) => void
}) {
  const { id, path, member, ours, theirs } = conflict
  const isText = typeof ours === 'string' && typeof theirs === 'string' && member === undefined
  const both = isText ? `${ours.trimEnd()}\n\n${theirs}` : undefined
  const current: Answer | undefined =
    resolution?.take === 'text' ? (resolution.text === both ? 'both' : 'text') : resolution?.take
  const choose = (next: Answer) => {
    if (next === 'both') onAnswer({ id, take: 'text', text: both! })
    else if (next === 'text') onAnswer({ id, take: 'text', text: printSide(ours) })
    else onAnswer({ id, take: next })
  }
  return (
    <li className="conflict">
      <p className="conflict-place">
        {title ?? path}
        {member !== undefined && ` · ${text.change.members[member] ?? member}`}
      </p>
      <div className="conflict-sides">
        <Side name={text.change.takeOurs} value={ours} isTaken={current === 'ours' || current === 'both'} />
        <Side
          name={text.change.takeTheirs}
          value={theirs}
          isTaken={current === 'theirs' || current === 'both'}
        />
      </div>
      <Segmented<Answer | 'none'>
        label={text.change.answer}
        value={current ?? 'none'}
        onChange={(next) => next !== 'none' && choose(next)}
        choices={[
          { value: 'ours', name: text.change.takeOurs },
          { value: 'theirs', name: text.change.takeTheirs },
          ...(isText
            ? [
                { value: 'both' as const, name: text.change.takeBoth },
                { value: 'text' as const, name: text.change.ownText },
              ]
            : []),
        ]}
      />
      {current === 'text' && (
        <textarea
          className="input"
          aria-label={text.change.ownText}
          value={resolution?.text}
          onChange={({ currentTarget }) => onAnswer({ id, take: 'text', text: currentTarget.value })}
        />
      )}
    </li>
  )
}

function Side({
  name,
  value,
  isTaken,
}: {
  readonly name: string
  readonly value: unknown
  readonly isTaken: boolean
}) {
  return (
    <figure className={`conflict-side ${isTaken ? 'is-taken' : ''}`}>
      <figcaption>{name}</figcaption>
      <pre dir="auto">
        {value === undefined || value === null ? text.change.deletedThere : printSide(value)}
      </pre>
    </figure>
  )
}

const printSide = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
