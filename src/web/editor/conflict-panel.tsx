/** A save that met another change of the same passage: both texts of the lines that differ, and which of them stays. */
import { useState } from 'react'
import { text } from '../i18n/text.js'
import type { SaveState, TextSession } from '../sync/text-session.js'
import { Button } from '../ui/button.js'
import { differingLines } from './differing-lines.js'
import './conflict-panel.css'

export function ConflictPanel({
  state,
  session,
}: {
  readonly state: Extract<SaveState, { kind: 'conflict' }>
  readonly session: TextSession
}) {
  const { before, ours, theirs, after } = differingLines(state.ours, state.theirs.text)
  const [own, setOwn] = useState(ours)
  return (
    <section className="conflict-panel" role="alertdialog" aria-label={text.save.conflict}>
      <div>
        <p className="conflict-panel-title">{text.save.conflict}</p>
        <p>{text.save.conflictText}</p>
      </div>
      <div className="conflict-sides">
        <label className="field">
          <span className="field-label">{text.save.ours}</span>
          <textarea
            className="input"
            value={own}
            onChange={({ currentTarget }) => setOwn(currentTarget.value)}
          />
        </label>
        <label className="field">
          <span className="field-label">{text.save.theirs}</span>
          <textarea className="input" value={theirs} readOnly />
        </label>
      </div>
      <div className="conflict-panel-actions">
        <Button variant="primary" onClick={() => session.settle(state.theirs, before + own + after)}>
          {text.save.keepOurs}
        </Button>
        <Button onClick={() => session.settle(state.theirs, state.theirs.text)}>
          {text.save.keepTheirs}
        </Button>
      </div>
    </section>
  )
}
