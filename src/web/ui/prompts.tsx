/** Dialogs that ask for one thing: a text, or a confirmation. They stay open with the message when it is refused. */
import { type FormEvent, type ReactNode, useId, useState } from 'react'
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

export function PromptDialog({
  title,
  label,
  value: initial = '',
  maxLength = 255,
  submit: submitName,
  onClose,
  onSubmit,
}: {
  readonly title: string
  readonly label: string
  readonly value?: string
  readonly maxLength?: number
  readonly submit: string
  readonly onClose: () => void
  readonly onSubmit: (value: string) => Promise<void>
}) {
  const [value, setValue] = useState(initial)
  const { error, isBusy, submit } = useSubmission(onClose)
  const formId = useId()
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (value.trim() !== '') void submit(() => onSubmit(value.trim()))
  }
  return (
    <Dialog
      title={title}
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
      <form id={formId} onSubmit={onFormSubmit}>
        <TextField
          label={label}
          value={value}
          onChange={setValue}
          maxLength={maxLength}
          required
          autoFocus
          error={error?.message}
        />
      </form>
    </Dialog>
  )
}

export function ConfirmDialog({
  title,
  description,
  submit: submitName,
  isDanger = false,
  onClose,
  onSubmit,
}: {
  readonly title: string
  readonly description: ReactNode
  readonly submit: string
  readonly isDanger?: boolean
  readonly onClose: () => void
  readonly onSubmit: () => Promise<void>
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
      {error !== undefined && <ErrorNotice error={error} />}
    </Dialog>
  )
}
