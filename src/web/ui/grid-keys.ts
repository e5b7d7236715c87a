/** Keys of a grid of buttons. */
import type { KeyboardEvent } from 'react'

/** Arrows move the focus among the buttons of a grid. */
export function moveInGrid(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const columns = buttons.findIndex(({ offsetTop }) => offsetTop > buttons[0]!.offsetTop)
  const row = columns < 1 ? buttons.length : columns
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: row,
    ArrowUp: -row,
  }
  const step = steps[event.key]
  if (at < 0 || step === undefined) return
  event.preventDefault()
  buttons[at + step]?.focus()
}
