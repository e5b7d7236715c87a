/** Type-ahead buffer: keys that are pressed while the palette opens go to its field, not to the text or to shortcuts. */

let queued = ''
let stop = (): void => {}

/** Keeps printed characters until they are taken; Escape cancels. Returns how to stop. */
export function startKeyQueue(onCancel: () => void): () => void {
  const queue = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Backspace') queued = queued.slice(0, -1)
    else if (event.key.length === 1) queued += event.key
  }
  stop()
  queued = ''
  window.addEventListener('keydown', queue, { capture: true })
  stop = () => window.removeEventListener('keydown', queue, { capture: true })
  return stop
}

/** Returns what was typed, for the field that has the focus from now on. */
export function takeQueuedKeys(): string {
  stop()
  const taken = queued
  queued = ''
  return taken
}
