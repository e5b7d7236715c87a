/** The condition of a page: clauses about claims of the visitor where the expression fits, else its text. */
import { useState } from 'react'
import { text } from '../i18n/text.js'
import { Button, IconButton } from '../ui/button.js'
import { useEditedValue } from '../ui/edited-value.js'
import { SelectField, TextField } from '../ui/field.js'
import {
  type Clause,
  type ConditionForm,
  operators,
  printCondition,
  readCondition,
  readValue,
} from './condition-form.js'

const emptyClause: Clause = { claim: '', operator: 'is', value: '' }

/** `condition` is the stored one; the field is made anew where it changes. */
export function ConditionField({
  condition,
  error,
  onSave,
}: {
  readonly condition: string
  readonly error: string | undefined
  readonly onSave: (condition: string) => Promise<void>
}) {
  const stored = readCondition(condition)
  const [form, setForm] = useState<ConditionForm | undefined>(stored)
  const [isText, setText] = useState(condition !== '' && stored === undefined)
  const field = useEditedValue(condition, onSave)
  const save = (next: ConditionForm) => {
    setForm(next.clauses.length === 0 ? undefined : next)
    const printed = printCondition(next)
    // A clause that is not finished changes nothing yet.
    const isFinished = next.clauses.every(({ claim }) => claim.trim() !== '')
    if (isFinished && printed !== condition) void onSave(printed)
  }
  const clauses = form?.clauses ?? []
  const change = (at: number, clause: Clause) =>
    save({ join: form?.join ?? '&&', clauses: clauses.map((one, index) => (index === at ? clause : one)) })

  if (isText) {
    return (
      <div className="page-condition">
        <TextField
          label={text.panel.condition}
          hint={text.panel.conditionHint}
          maxLength={1024}
          spellCheck={false}
          error={error}
          {...field}
        />
        <div>
          <Button
            variant="quiet"
            disabledReason={condition === '' || stored !== undefined ? undefined : text.panel.conditionNoForm}
            onClick={() => setText(false)}
          >
            {text.panel.conditionAsForm}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="page-condition" role="group" aria-label={text.panel.condition}>
      <span className="field-label">{text.panel.condition}</span>
      {clauses.length === 0 && <p className="field-hint">{text.panel.conditionNone}</p>}
      {clauses.length > 1 && (
        <SelectField
          label={text.panel.conditionJoin}
          isLabelHidden
          value={form!.join}
          choices={[
            { value: '&&', name: text.panel.conditionAll },
            { value: '||', name: text.panel.conditionAny },
          ]}
          onChange={(join) => save({ join, clauses })}
        />
      )}
      {clauses.map((clause, at) => (
        <ClauseFields
          key={at}
          clause={clause}
          onChange={(next) => change(at, next)}
          onRemove={() => save({ join: form!.join, clauses: clauses.filter((_, index) => index !== at) })}
        />
      ))}
      {error !== undefined && (
        <span className="field-error" role="alert">
          {error}
        </span>
      )}
      <div className="page-condition-actions">
        <Button
          variant="quiet"
          icon="plus"
          onClick={() => setForm({ join: form?.join ?? '&&', clauses: [...clauses, emptyClause] })}
        >
          {text.panel.conditionAdd}
        </Button>
        <Button variant="quiet" onClick={() => setText(true)}>
          {text.panel.conditionAsText}
        </Button>
      </div>
    </div>
  )
}

function ClauseFields({
  clause,
  onChange,
  onRemove,
}: {
  readonly clause: Clause
  readonly onChange: (clause: Clause) => void
  readonly onRemove: () => void
}) {
  const claim = useEditedValue(clause.claim, (next) => onChange({ ...clause, claim: next }))
  const value = useEditedValue(String(clause.value), (next) =>
    onChange({ ...clause, value: readValue(next) }),
  )
  const hasValue = clause.operator !== 'isTrue' && clause.operator !== 'isNotTrue'
  return (
    <div className="page-clause">
      <TextField
        label={text.panel.claim}
        isLabelHidden
        placeholder={text.panel.claim}
        maxLength={200}
        spellCheck={false}
        {...claim}
      />
      <SelectField
        label={text.panel.operator}
        isLabelHidden
        value={clause.operator}
        choices={operators.map((one) => ({ value: one, name: text.panel.operators[one] }))}
        onChange={(operator) => onChange({ ...clause, operator })}
      />
      {hasValue && (
        <TextField
          label={text.contents.value}
          isLabelHidden
          placeholder={text.contents.value}
          maxLength={200}
          {...value}
        />
      )}
      <IconButton icon="x" label={text.panel.clauseRemove} onClick={onRemove} />
    </div>
  )
}
