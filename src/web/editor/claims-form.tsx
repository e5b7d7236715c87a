/** Claims of the visitor of a preview: a field for each claim of the site's adaptive schema, or JSON where there is none. */
import { type FormEvent, useState } from 'react'
import { text } from '../i18n/text.js'
import { Button } from '../ui/button.js'
import { SelectField, TextField } from '../ui/field.js'
import { type ClaimField, type Claims, type ClaimsSchema, claimFieldsOf, claimsOf } from './claim-fields.js'

function valueAt(claims: Claims | undefined, path: readonly string[]): string {
  let value: unknown = claims
  for (const name of path) value = (value as Claims | undefined)?.[name]
  if (Array.isArray(value)) return value.join(', ')
  return value === undefined || typeof value === 'object' ? '' : String(value)
}

export function ClaimsForm({
  schema,
  claims,
  onApply,
}: {
  readonly schema: ClaimsSchema | undefined
  readonly claims: Claims | undefined
  readonly onApply: (claims: Claims | undefined) => void
}) {
  const fields = schema === undefined ? [] : claimFieldsOf(schema)
  const [values, setValues] = useState<ReadonlyMap<string, string>>(
    () => new Map(fields.map(({ path }) => [path.join('.'), valueAt(claims, path)])),
  )
  const [json, setJson] = useState(() => (claims === undefined ? '{}' : JSON.stringify(claims)))
  const [error, setError] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (fields.length > 0) return onApply(claimsOf(fields, values))
    const read = readClaims(json)
    if (read === undefined) setError(text.preview.claimsWrong)
    else onApply(read)
  }
  return (
    <form className="claims-form" onSubmit={submit} aria-label={text.preview.claims}>
      <p className="claims-text">{text.preview.claimsText}</p>
      {fields.map((field) => (
        <ClaimInput
          key={field.path.join('.')}
          field={field}
          value={values.get(field.path.join('.')) ?? ''}
          onChange={(value) => setValues(new Map([...values, [field.path.join('.'), value]]))}
        />
      ))}
      {fields.length === 0 && (
        <TextField label={text.preview.claimsJson} value={json} onChange={setJson} error={error} />
      )}
      <div className="claims-actions">
        <Button variant="primary" type="submit">
          {text.preview.apply}
        </Button>
        <Button onClick={() => onApply(undefined)}>{text.preview.everything}</Button>
      </div>
    </form>
  )
}

function readClaims(json: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Claims)
      : undefined
  } catch {
    return undefined
  }
}

function ClaimInput({
  field: { path, type, isList, description, values },
  value,
  onChange,
}: {
  readonly field: ClaimField
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const label = path.join('.')
  if (isList) {
    const hint = [description, text.preview.several, values.join(', ')].filter(Boolean).join(' ')
    return <TextField label={label} hint={hint} value={value} onChange={onChange} />
  }
  const options: readonly (readonly [string, string])[] =
    type === 'boolean'
      ? [
          ['true', text.preview.yes],
          ['false', text.preview.no],
        ]
      : values.map((one) => [String(one), String(one)])
  if (options.length === 0)
    return <TextField label={label} hint={description} value={value} onChange={onChange} />
  const choices = [
    { value: '', name: text.preview.noValue },
    ...options.map(([one, name]) => ({ value: one, name })),
  ]
  return <SelectField label={label} hint={description} value={value} choices={choices} onChange={onChange} />
}
