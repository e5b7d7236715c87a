/** Conflicts of a merge: what was there before, both versions, and what each answer gives, as readers would see it. */
import { Suspense, lazy } from 'react'
import type { Conflict } from '../../contract/change-requests.js'
import type { ChangeSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { RenderedText } from '../review/rendered-text.js'
import { Skeleton } from '../ui/display.js'
import { Segmented } from '../ui/segmented.js'
import './conflict-list.css'

const OwnText = lazy(() => import('./own-text.js'))

/** An answer as the API takes it. */
export interface Resolution {
  readonly id: string
  readonly take: 'ours' | 'theirs' | 'text'
  readonly text?: string
}

type Answer = 'ours' | 'theirs' | 'both' | 'text'

export function ConflictList({
  source,
  conflicts,
  titles,
  resolutions,
  onResolve,
}: {
  readonly source: ChangeSource
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
          source={source}
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
  source,
  conflict,
  title,
  resolution,
  onAnswer,
}: {
  readonly source: ChangeSource
  readonly conflict: Conflict
  readonly title: string | undefined
  readonly resolution: Resolution | undefined
  readonly onAnswer: (resolution: Resolution) => void
}) {
  const { id, page, path, member, base, ours, theirs } = conflict
  const isText = typeof ours === 'string' && typeof theirs === 'string' && member === undefined
  const both = isText ? `${ours.trimEnd()}\n\n${theirs}` : undefined
  const current: Answer | undefined =
    resolution?.take === 'text' ? (resolution.text === both ? 'both' : 'text') : resolution?.take
  const choose = (next: Answer) => {
    if (next === current) return
    if (next === 'both') onAnswer({ id, take: 'text', text: both! })
    else if (next === 'text') onAnswer({ id, take: 'text', text: resolution?.text ?? printSide(ours) })
    else onAnswer({ id, take: next })
  }
  // Only a page that the change request has is rendered.
  const rendered = { source, page: title === undefined || member !== undefined ? undefined : page }
  return (
    <li className="conflict">
      <p className="conflict-place">
        {title ?? path}
        {member !== undefined && ` · ${text.change.members[member] ?? member}`}
      </p>
      <div className="conflict-sides">
        <Side {...rendered} name={text.change.before} value={base} nothing={text.change.notThereBefore} />
        <Side
          {...rendered}
          name={text.change.takeOurs}
          value={ours}
          isTaken={current === 'ours' || current === 'both'}
        />
        <Side
          {...rendered}
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
        <div className="conflict-own">
          {page === undefined ? (
            <textarea
              className="input"
              aria-label={text.change.ownText}
              value={resolution?.text}
              onChange={({ currentTarget }) => onAnswer({ id, take: 'text', text: currentTarget.value })}
            />
          ) : (
            <Suspense fallback={<Skeleton lines={3} />}>
              <OwnText
                source={source}
                page={page}
                initial={resolution?.text ?? ''}
                onChange={(own) => onAnswer({ id, take: 'text', text: own })}
              />
            </Suspense>
          )}
        </div>
      )}
      {(current === 'both' || current === 'text') && (
        <div className="conflict-sides">
          <Side {...rendered} name={text.change.result} value={resolution?.text} isTaken />
        </div>
      )}
    </li>
  )
}

function Side({
  source,
  page,
  name,
  value,
  isTaken = false,
  nothing = text.change.deletedThere,
}: {
  readonly source: ChangeSource
  readonly page: string | undefined
  readonly name: string
  readonly value: unknown
  readonly isTaken?: boolean
  readonly nothing?: string
}) {
  return (
    <figure className={`conflict-side ${isTaken ? 'is-taken' : ''}`}>
      <figcaption>{name}</figcaption>
      <div className="conflict-text" tabIndex={0} role="group" aria-label={name}>
        {value === undefined || value === null ? (
          <p className="conflict-nothing">{nothing}</p>
        ) : (
          <RenderedText
            source={source}
            page={typeof value === 'string' ? page : undefined}
            markdown={printSide(value)}
          />
        )}
      </div>
    </figure>
  )
}

const printSide = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
