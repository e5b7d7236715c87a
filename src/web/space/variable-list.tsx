/** Variables of a space: names and values, changed in place. */
import { type FormEvent, useState } from 'react'
import { text } from '../i18n/text.js'
import { Button, IconButton } from '../ui/button.js'
import { TextField, SelectField } from '../ui/field.js'
import { useEditedValue } from '../ui/edited-value.js'
import type { ApplyChanges } from './shared-contents.js'

type Value = string | number | boolean
type Kind = 'string' | 'number' | 'boolean'

/** Reads a value of a kind; a string is what is wrong with it. */
function readVariable(kind: Kind, words: string): { readonly value: Value } | { readonly problem: string } {
  const trimmed = words.trim()
  if (kind === 'string') return { value: words }
  if (kind === 'boolean') {
    return trimmed === 'true' || trimmed === 'false'
      ? { value: trimmed === 'true' }
      : { problem: text.contents.notBoolean }
  }
  const value = Number(trimmed)
  return trimmed !== '' && Number.isFinite(value) ? { value } : { problem: text.contents.notNumber }
}

const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/

export function Variables({
  variables,
  apply,
}: {
  readonly variables: Readonly<Record<string, Value>>
  readonly apply: ApplyChanges
}) {
  const entries = Object.entries(variables)
  return (
    <div className="shared">
      {entries.length === 0 && <p className="shared-nothing">{text.contents.noVariables}</p>}
      {entries.length > 0 && (
        <ul className="shared-list">
          {entries.map(([name, value]) => (
            <VariableRow key={name} name={name} value={value} apply={apply} />
          ))}
        </ul>
      )}
      {apply !== undefined && <NewVariable names={new Set(Object.keys(variables))} apply={apply} />}
    </div>
  )
}

function VariableRow({
  name,
  value,
  apply,
}: {
  readonly name: string
  readonly value: Value
  readonly apply: ApplyChanges
}) {
  const [problem, setProblem] = useState<string>()
  const set = (next: Value | null) =>
    apply!([{ operation: 'update_variables', variables: { [name]: next } }]).then(
      () => setProblem(undefined),
      (error: unknown) => setProblem((error as Error).message),
    )
  const field = useEditedValue(String(value), async (words) => {
    const read = readVariable(typeof value as Kind, words)
    if ('problem' in read) setProblem(read.problem)
    else await set(read.value)
  })
  return (
    <li className="shared-row">
      <span className="shared-name">{name}</span>
      {apply === undefined ? (
        <span className="shared-value">{String(value)}</span>
      ) : (
        <div className="shared-value">
          <TextField
            label={`${text.contents.value}: ${name}`}
            isLabelHidden
            {...field}
            maxLength={256}
            error={problem}
          />
        </div>
      )}
      {apply !== undefined && (
        <IconButton icon="trash" label={text.contents.removeNamed(name)} onClick={() => void set(null)} />
      )}
    </li>
  )
}

function NewVariable({
  names,
  apply,
}: {
  readonly names: ReadonlySet<string>
  readonly apply: NonNullable<ApplyChanges>
}) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<Kind>('string')
  const [words, setWords] = useState('')
  const [failed, setFailed] = useState<{ readonly at: 'name' | 'value'; readonly problem: string }>()
  const [isBusy, setBusy] = useState(false)
  async function add(event: FormEvent) {
    event.preventDefault()
    const read = readVariable(kind, words)
    if (!namePattern.test(name)) return setFailed({ at: 'name', problem: text.contents.badName })
    if (names.has(name)) return setFailed({ at: 'name', problem: text.contents.nameTaken })
    if ('problem' in read) return setFailed({ at: 'value', problem: read.problem })
    setBusy(true)
    try {
      await apply([{ operation: 'update_variables', variables: { [name]: read.value } }])
      setName('')
      setWords('')
      setFailed(undefined)
    } catch (error) {
      setFailed({ at: 'value', problem: (error as Error).message })
    }
    setBusy(false)
  }
  return (
    <form className="shared-new" onSubmit={(event) => void add(event)}>
      <TextField
        label={text.contents.name}
        value={name}
        onChange={setName}
        maxLength={100}
        required
        error={failed?.at === 'name' ? failed.problem : undefined}
      />
      <SelectField
        label={text.contents.kind}
        value={kind}
        onChange={setKind}
        choices={(['string', 'number', 'boolean'] as const).map((value) => ({
          value,
          name: text.contents.kinds[value],
        }))}
      />
      <TextField
        label={text.contents.value}
        value={words}
        onChange={setWords}
        maxLength={256}
        error={failed?.at === 'value' ? failed.problem : undefined}
      />
      <Button type="submit" icon="plus" isBusy={isBusy}>
        {text.contents.addVariable}
      </Button>
    </form>
  )
}
