/** Form over the attributes of a construct: a section for the block and one for each of its parts, beside the block. */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { JsonValue } from '../../core/document/json-node.js'
import type { SelectOption } from '../../core/document/types.js'
import type { SourceAttributes } from '../../core/editing/source-blocks.js'
import type { AttributeField } from '../document/construct.js'
import {
  type FormSection,
  type OpenForm,
  addPart,
  movePart,
  removePart,
  setFormAttributes,
} from '../document/form.js'
import type { DocumentHandle } from '../document/mount.js'
import { documentText as text } from '../i18n/document-text.js'
import { Button, IconButton } from '../ui/button.js'
import { Popover, type PopoverAnchor } from '../ui/popover.js'
import { SuggestField } from '../ui/suggest-field.js'
import { type EditedPage, suggestionsFor } from './choices.js'
import { uploadImage } from './upload-image.js'
import './construct-form.css'

interface FormProps {
  readonly form: OpenForm
  readonly handle: DocumentHandle
  readonly edited: EditedPage
}

export function ConstructForm({
  anchor,
  onClose,
  ...props
}: FormProps & { readonly anchor: PopoverAnchor; readonly onClose: () => void }) {
  const { form, handle } = props
  const { title, sections, part, position } = form
  const { view } = handle
  const isInline = view.state.doc.nodeAt(position)?.isInline ?? false
  const count = sections.filter(({ index }) => index !== undefined).length
  return (
    <Popover title={title} anchor={anchor} align={isInline ? 'start' : 'end'} onClose={onClose}>
      {sections.map((section) => (
        <Section key={`${section.index ?? 'own'}`} section={section} count={count} {...props} />
      ))}
      {part !== undefined && (
        <Button icon="plus" onClick={() => addPart(position)(view.state, view.dispatch)}>
          {text.form.add(part)}
        </Button>
      )}
    </Popover>
  )
}

function Section({
  section,
  count,
  form,
  handle: { view },
  edited,
}: FormProps & { readonly section: FormSection; readonly count: number }) {
  const { index, title, attributes, position } = section
  const set = (changed: SourceAttributes) => setFormAttributes(position, changed)(view.state, view.dispatch)
  const fields = section.fields
    .filter(({ isUsed }) => isUsed === undefined || isUsed(attributes))
    .map((field) => (
      <FieldControl key={field.name} field={field} attributes={attributes} edited={edited} onChange={set} />
    ))
  if (index === undefined) return fields
  const move = (direction: -1 | 1) => movePart(form.position, index, direction)(view.state, view.dispatch)
  return (
    <fieldset className="form-part">
      <legend className="form-part-title">
        <span>{title}</span>
        {index > 0 && <IconButton icon="arrowUp" label={text.form.moveBefore} onClick={() => move(-1)} />}
        {index + 1 < count && (
          <IconButton icon="arrowDown" label={text.form.moveBehind} onClick={() => move(1)} />
        )}
        {count > 1 && (
          <IconButton
            icon="trash"
            label={text.form.remove}
            onClick={() => removePart(form.position, index)(view.state, view.dispatch)}
          />
        )}
      </legend>
      {fields}
    </fieldset>
  )
}

interface ControlProps {
  readonly field: AttributeField
  readonly attributes: SourceAttributes
  readonly edited: EditedPage
  readonly onChange: (changed: SourceAttributes) => void
}

function FieldControl(props: ControlProps) {
  const { field, attributes, edited, onChange } = props
  const { name, label, kind, options = [], placeholder, isRequired = false } = field
  const value = attributes[name]
  const words = wordsOf(field, attributes)
  const setWords = (next: string) => {
    const changed = valueOf(field, next)
    if (changed !== undefined) onChange(changed)
  }
  const suggest = suggestionsFor(kind, edited, String(attributes['spec'] ?? ''))
  if (kind === 'flag') {
    return (
      <label className="form-flag">
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked || undefined })}
        />
        {label}
      </label>
    )
  }
  if (kind === 'choice') {
    return (
      <Labelled label={label}>
        {(id) => (
          <select
            id={id}
            className="input"
            value={words}
            onChange={({ currentTarget }) => setWords(currentTarget.value)}
          >
            {options.map(([one, title]) => (
              <option key={one} value={one}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    )
  }
  if (kind === 'options') return <OptionList {...props} />
  if (suggest !== undefined) {
    return (
      <div className="form-row">
        <SuggestField
          label={label}
          value={words}
          placeholder={placeholder}
          isRequired={isRequired}
          suggest={suggest}
          onChoose={(next, suggestion) => {
            // People are those that were found.
            if (kind === 'person' && suggestion === undefined && next !== '') return
            if (suggestion === undefined || kind === 'file' || !isPlace(name)) setWords(next)
            // A value of a cell, with what it is called.
            else onChange({ [name]: next, words: suggestion.name })
          }}
        />
        {(kind === 'picture' || kind === 'file') && (
          <UploadButton kind={kind} edited={edited} onUploaded={(path) => onChange({ [name]: path })} />
        )}
      </div>
    )
  }
  return (
    <Labelled label={label}>
      {(id) => <WordsInput id={id} field={field} value={words} onChange={setWords} />}
    </Labelled>
  )
}

/** Fields of the values of a cell are named by their places. */
const isPlace = (name: string): boolean => /^\d+$/.test(name)

function Labelled({
  label,
  children,
}: {
  readonly label: string
  readonly children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  )
}

/** A text that is set when the field is left, by Enter, and when the form is closed: one step for undo. */
function WordsInput({
  id,
  field: { kind, placeholder, isRequired = false },
  value,
  onChange,
}: {
  readonly id: string
  readonly field: AttributeField
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const [words, setWords] = useState(value)
  const latest = useRef({ words, value, onChange })
  latest.current = { words, value, onChange }
  useEffect(() => setWords(value), [value])
  const commit = () => {
    const { words: next, value: before, onChange: set } = latest.current
    if (next.trim() !== before) set(next.trim())
  }
  useEffect(() => commit, [])
  return (
    <input
      id={id}
      className="input"
      aria-required={isRequired}
      type={kind === 'date' || kind === 'number' ? kind : 'text'}
      placeholder={placeholder}
      spellCheck={kind === 'text'}
      dir={kind === 'text' ? 'auto' : undefined}
      value={words}
      onChange={({ currentTarget }) => setWords(currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) commit()
      }}
    />
  )
}

function UploadButton({
  kind,
  edited,
  onUploaded,
}: {
  readonly kind: 'picture' | 'file'
  readonly edited: EditedPage
  readonly onUploaded: (path: string) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const upload = async (file: File | undefined) => {
    if (file === undefined) return
    setBusy(true)
    const path = await uploadImage(edited, file)
    setBusy(false)
    if (path !== undefined) onUploaded(path)
  }
  return (
    <>
      <Button icon="upload" isBusy={isBusy} onClick={() => input.current?.click()}>
        {text.form.upload}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={kind === 'picture' ? 'image/*' : undefined}
        onChange={({ currentTarget }) => void upload(currentTarget.files?.[0])}
      />
    </>
  )
}

/** The options of a column. */
function OptionList({ field, attributes, onChange }: ControlProps) {
  const options = (attributes[field.name] ?? []) as unknown as readonly SelectOption[]
  const set = (next: readonly SelectOption[]) => onChange({ [field.name]: next as unknown as JsonValue })
  return (
    <fieldset className="form-part">
      <legend className="form-part-title">
        <span>{field.label}</span>
      </legend>
      {options.map((option, index) => (
        <div className="form-row" key={option.value}>
          <Labelled label={text.form.option(index + 1)}>
            {(id) => (
              <WordsInput
                id={id}
                field={{ ...field, kind: 'text' }}
                value={option.label}
                onChange={(label) => set(options.with(index, { ...option, label }))}
              />
            )}
          </Labelled>
          <IconButton
            icon="trash"
            label={text.form.remove}
            onClick={() => set(options.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        icon="plus"
        onClick={() =>
          set([...options, { value: freeValue(options), label: text.form.option(options.length + 1) }])
        }
      >
        {text.form.addOption}
      </Button>
    </fieldset>
  )
}

function freeValue(options: readonly SelectOption[]): string {
  let number = options.length + 1
  while (options.some(({ value }) => value === `option-${number}`)) number++
  return `option-${number}`
}

/** An attribute as it is displayed in its field. */
function wordsOf({ name, kind, options }: AttributeField, attributes: SourceAttributes): string {
  const value = attributes[name]
  if (kind === 'operation') {
    const { path, method } = attributes
    return typeof path === 'string' && path !== '' ? `${String(method ?? 'get')} ${path}` : ''
  }
  if (kind === 'lines') return Array.isArray(value) ? formatLines(value.map(Number)) : ''
  if (Array.isArray(value)) return value.join(', ')
  if (kind === 'choice') return typeof value === 'string' ? value : (options?.[0]?.[0] ?? '')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Attributes of what was entered; undefined where it cannot be read. */
function valueOf(field: AttributeField, words: string): SourceAttributes | undefined {
  const { name, kind, options, isOptional = false, isRequired = false } = field
  if (isRequired && words === '') return undefined
  if (kind === 'operation') {
    const found = /^(\w+)\s+(\S+)$/.exec(words)
    return found ? { method: found[1]!.toLowerCase(), path: found[2]! } : { path: words }
  }
  if (kind === 'lines') {
    const lines = parseLines(words)
    return lines && { [name]: lines.length === 0 ? undefined : lines }
  }
  if (kind === 'list' || kind === 'schemas')
    return {
      [name]: words
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== ''),
    }
  if (kind === 'number') {
    const number = Number(words)
    return words === '' ? { [name]: undefined } : Number.isFinite(number) ? { [name]: number } : undefined
  }
  const isDefault = kind === 'choice' ? words === (options?.[0]?.[0] ?? '') : words === ''
  return { [name]: isOptional && isDefault ? undefined : words }
}

/** Returns lines as `1, 3-5`; they are counted from zero in the document. */
function formatLines(lines: readonly number[]): string {
  const runs: [number, number][] = []
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && line <= last[1] + 1) last[1] = Math.max(last[1], line)
    else runs.push([line, line])
  }
  return runs.map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1}-${to + 1}`)).join(', ')
}

/** More are a mistake. */
const maxLines = 10_000

function parseLines(words: string): number[] | undefined {
  const lines = new Set<number>()
  for (const part of words.split(/[,\s]+/).filter(Boolean)) {
    const found = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part)
    if (!found) return undefined
    const [from, to] = [Number(found[1]), Number(found[2] ?? found[1])]
    if (from < 1 || to < from || to > maxLines) return undefined
    for (let line = from; line <= to; line++) lines.add(line - 1)
  }
  return [...lines].toSorted((a, b) => a - b)
}
