/**
 * Opens the search dialog. The field in the header is an ordinary form, and stays one if the dialog fails to load: it is
 * fetched when a reader is about to search, and takes over what was typed meanwhile.
 */
import { loadDialogs } from './lazy-assets.js'
import type { SearchDialog } from './search-dialog.js'
import { word } from './words.js'

/** Opens the dialog on `/`, Ctrl+K, Command+K, and on all links and buttons to the search. */
export function startSearch(left: AbortSignal): void {
  const form = document.querySelector<HTMLFormElement>('form[data-search]')
  const field = form?.querySelector('input')
  if (!form || !field) return
  let dialog: SearchDialog | undefined
  let isLoading = false
  /** Calls back once with the dialog, or if it fails to load; ignores further calls meanwhile. */
  const load = (onLoad: (loaded: SearchDialog) => void, otherwise = () => {}): void => {
    if (isLoading) return
    isLoading = true
    loadDialogs()
      .then(
        ({ createSearchDialog }) =>
          onLoad((dialog ??= createSearchDialog(form.dataset['search'] as string, form.action, left))),
        otherwise,
      )
      .finally(() => (isLoading = false))
  }
  const open = (query: string, otherwise: (typed: string) => void): void => {
    if (dialog !== undefined) return dialog.open(query)
    if (isLoading) return
    const before = document.activeElement as HTMLElement | null
    const hiddenField = createHiddenField(query)
    load(
      (loaded) => {
        hiddenField.remove()
        // The dialog restores the focus.
        before?.focus({ preventScroll: true })
        loaded.open(hiddenField.value)
      },
      () => {
        hiddenField.remove()
        otherwise(hiddenField.value)
      },
    )
  }
  const openFromField = (): void =>
    load((loaded) => {
      loaded.open(field.value)
      field.value = ''
    })
  const openByKey = (event: KeyboardEvent): void => {
    const typing =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]')
    const shortcut =
      (event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && typing === null)
    if (!shortcut || event.altKey) return
    event.preventDefault()
    open('', (typed) => {
      field.value = typed
      field.focus()
    })
  }
  addEventListener('keydown', openByKey, { signal: left })
  field.addEventListener('mousedown', (event) => {
    if (dialog !== undefined) event.preventDefault()
    openFromField()
  })
  // Focused by keyboard, the field stays a field until something is typed.
  field.addEventListener('input', openFromField)
  const searchLinkOf = ({ target }: Event): HTMLAnchorElement | null =>
    target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-search-for]') : null
  const openByLink = (event: MouseEvent): void => {
    const leads = searchLinkOf(event)
    if (leads === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    open(leads.dataset['searchFor'] ?? '', () => location.assign(leads.href))
  }
  const loadSoon = (event: Event): void => {
    if (searchLinkOf(event) !== null || form.contains(event.target as Node)) loadDialogs().catch(() => {})
  }
  document.addEventListener('click', openByLink, { signal: left })
  document.addEventListener('pointerover', loadSoon, { signal: left })
}

/** Receives the input until the dialog is loaded, and keeps the on-screen keyboard open, which opens on touch only. */
function createHiddenField(value = ''): HTMLInputElement {
  const field = document.createElement('input')
  field.className = 'unseen'
  field.value = value
  field.ariaLabel = word('search')
  document.body.append(field)
  field.focus({ preventScroll: true })
  return field
}
