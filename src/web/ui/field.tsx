/** Form fields: a label, the control, a hint, and what is wrong with the value, said at the field. */
import { Field as BaseField } from '@base-ui/react/field'
import type { InputHTMLAttributes, ReactNode } from 'react'
import './field.css'

export function TextField({
  label,
  hint,
  error,
  isLabelHidden = false,
  onChange,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'defaultValue' | 'value'> & {
  readonly label: string
  readonly value: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** For assistive technology alone, where the place says it. */
  readonly isLabelHidden?: boolean
  readonly onChange: (value: string) => void
}) {
  return (
    <BaseField.Root className="field" invalid={error !== undefined}>
      <BaseField.Label className={labelClass(isLabelHidden)}>{label}</BaseField.Label>
      <BaseField.Control className="input" onValueChange={(value) => onChange(String(value))} {...rest} />
      <FieldNotes hint={hint} error={error} />
    </BaseField.Root>
  )
}

const labelClass = (isHidden: boolean): string => (isHidden ? 'visually-hidden' : 'field-label')

export function TextAreaField({
  label,
  hint,
  error,
  value,
  maxLength,
  isReadOnly = false,
  onChange,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly value: string
  readonly maxLength?: number
  readonly isReadOnly?: boolean
  readonly onChange: (value: string) => void
}) {
  return (
    <BaseField.Root className="field" invalid={error !== undefined}>
      <BaseField.Label className="field-label">{label}</BaseField.Label>
      <BaseField.Control
        value={value}
        render={
          <textarea
            className="input"
            dir="auto"
            rows={10}
            maxLength={maxLength}
            readOnly={isReadOnly}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
          />
        }
      />
      <FieldNotes hint={hint} error={error} />
    </BaseField.Root>
  )
}

/** A field that narrows a list down as it is typed in. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  return (
    <input
      type="search"
      className="input"
      aria-label={label}
      placeholder={label}
      autoFocus
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      // Enter chooses nothing yet.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    />
  )
}

export interface Choice<Value extends string> {
  readonly value: Value
  readonly name: string
  readonly detail?: string
}

export function SelectField<Value extends string>({
  label,
  hint,
  error,
  isLabelHidden = false,
  value,
  choices,
  onChange,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly isLabelHidden?: boolean
  readonly value: Value
  readonly choices: readonly Choice<Value>[]
  readonly onChange: (value: Value) => void
}) {
  return (
    <BaseField.Root className="field" invalid={error !== undefined}>
      <BaseField.Label className={labelClass(isLabelHidden)}>{label}</BaseField.Label>
      <BaseField.Control
        value={value}
        render={
          <select
            className="input"
            onChange={({ currentTarget }) => onChange(choices[currentTarget.selectedIndex]!.value)}
          >
            {choices.map((one) => (
              <option key={one.value} value={one.value}>
                {one.name}
              </option>
            ))}
          </select>
        }
      />
      <FieldNotes hint={hint} error={error} />
    </BaseField.Root>
  )
}

function FieldNotes({ hint, error }: { readonly hint: ReactNode; readonly error: string | undefined }) {
  return (
    <>
      {hint !== undefined && error === undefined && (
        <BaseField.Description className="field-hint">{hint}</BaseField.Description>
      )}
      {error !== undefined && (
        <BaseField.Error className="field-error" match>
          {error}
        </BaseField.Error>
      )}
    </>
  )
}
