/** Value edited in place: saved by Enter and when the field is left; Escape takes the change back. */
import { type KeyboardEvent, useState } from 'react'

type Field = HTMLInputElement | HTMLTextAreaElement

export interface EditedValue {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onBlur: () => void
  readonly onKeyDown: (event: KeyboardEvent<Field>) => void
}

/**
 * Returns the props of the field. The stored value is displayed again once the change is saved or refused; a rejected
 * promise is the caller's to report. `onSave` gets the value without spaces around it, and only where it differs.
 */
export function useEditedValue(
  stored: string,
  onSave: (value: string) => unknown,
  { isRequired = false, onEnter }: { readonly isRequired?: boolean; readonly onEnter?: () => void } = {},
): EditedValue {
  const [edited, setEdited] = useState<string>()
  const save = async () => {
    const next = edited?.trim()
    try {
      if (next !== undefined && next !== stored && !(isRequired && next === '')) await onSave(next)
    } finally {
      setEdited(undefined)
    }
  }
  return {
    value: edited ?? stored,
    onChange: setEdited,
    onBlur: () => void save(),
    onKeyDown(event) {
      if (event.nativeEvent.isComposing) return
      if (event.key === 'Escape') setEdited(undefined)
      if (event.key !== 'Enter') return
      event.preventDefault()
      event.currentTarget.blur()
      onEnter?.()
    },
  }
}
