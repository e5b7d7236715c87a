/** Dialogs that ask: for the values of a form, for one text, or for a confirmation. They stay open with the message when it is refused. */
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'
import { ApiRequestError } from '../api/client.js'
import { text } from '../i18n/text.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { ErrorNotice } from './display.js'
import { TextField } from './field.js'

/** Runs a submission: busy while it runs, closed when it is done. */
export function useSubmission(onClose: () => void) {
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (run: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await run()
      onClose()
    } catch (failure) {
      setError(failure as Error)
      setBusy(false)
    }
  }
  return { error, isBusy, submit }
}

/** Returns what the API says of a member of the request; undefined where it says nothing about it. */
function errorAtMember(error: Error | undefined, member: string): string | undefined {
  if (!(error instanceof ApiRequestError)) return undefined
  const detail = error.details.find(({ path }) => path.split(/[./]/).at(-1) === member)
  return detail?.message ?? (error.message.includes(`"${member}"`) ? error.message : undefined)
}

/** A dialog with a form. `fields` gets what was refused, to say it at the field; `members` are the fields that do. */
export function FormDialog({
  title,
  description,
  submit: submitName,
  width,
  members = [],
  onClose,
  onSubmit,
  children,
}: {
  readonly title: string
  readonly description?: ReactNode
  readonly submit: string
  readonly width?: 'narrow' | 'wide'
  readonly members?: readonly string[]
  readonly onClose: () => void
  readonly onSubmit: () => Promise<void>
  readonly children: (errorAt: (member: string) => string | undefined) => ReactNode
}) {
  const { error, isBusy, submit } = useSubmission(onClose)
  const formId = useId()
  const errorAt = (member: string) => errorAtMember(error, member)
  const isAtField = members.some((member) => errorAt(member) !== undefined)
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault()
    void submit(onSubmit)
  }
  return (
    <Dialog
      title={title}
      description={description}
      {...(width !== undefined && { width })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button variant="primary" type="submit" form={formId} isBusy={isBusy}>
            {submitName}
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={onFormSubmit}>
        {children(errorAt)}
        {error !== undefined && !isAtField && <ErrorNotice error={error} />}
      </form>
    </Dialog>
  )
}

export function PromptDialog({
  title,
  label,
  value: initial = '',
  maxLength = 255,
  submit,
  member = 'title',
  onClose,
  onSubmit,
}: {
  readonly title: string
  readonly label: string
  readonly value?: string
  readonly maxLength?: number
  readonly submit: string
  /** The member of the request that the text is. */
  readonly member?: string
  readonly onClose: () => void
  readonly onSubmit: (value: string) => Promise<void>
}) {
  const [value, setValue] = useState(initial)
  return (
    <FormDialog
      title={title}
      submit={submit}
      members={[member]}
      onClose={onClose}
      onSubmit={() => onSubmit(value.trim())}
    >
      {(errorAt) => (
        <NameField
          label={label}
          value={value}
          onChange={setValue}
          maxLength={maxLength}
          error={errorAt(member)}
        />
      )}
    </FormDialog>
  )
}

/** Pattern of a required field: spaces alone are no value. */
export const notBlank = '.*\\S.*'

/** The first field of a form: a text that must not be blank, with the focus. */
export function NameField(
  field: Pick<ComponentProps<typeof TextField>, 'label' | 'value' | 'onChange' | 'maxLength' | 'error'>,
) {
  return <TextField {...field} pattern={notBlank} required autoFocus />
}

export function ConfirmDialog({
  title,
  description,
  submit: submitName,
  isDanger = false,
  onClose,
  onSubmit,
  children,
}: {
  readonly title: string
  readonly description: ReactNode
  readonly submit: string
  readonly isDanger?: boolean
  readonly onClose: () => void
  readonly onSubmit: () => Promise<void>
  readonly children?: ReactNode
}) {
  const { error, isBusy, submit } = useSubmission(onClose)
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            onClick={() => void submit(onSubmit)}
            autoFocus
          >
            {submitName}
          </Button>
        </>
      }
    >
      {children}
      {error !== undefined && <ErrorNotice error={error} />}
    </Dialog>
  )
}
