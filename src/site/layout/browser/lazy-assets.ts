/** Lazy loading of the dialogs, with their script and style sheet, which most readers never need. */
import type * as Dialogs from './dialogs.js'

/** File names beside this script, with their content hashes: inserted by the build. */
declare const dialogsProgram: string
declare const dialogsStyles: string

let loading: Promise<typeof Dialogs> | undefined

/** Resolves when both are loaded; retries after a failure. */
export function loadDialogs(): Promise<typeof Dialogs> {
  loading ??= Promise.all([
    import(addressOf(dialogsProgram)),
    addStyles(addressOf(dialogsStyles), (link) => document.head.append(link)),
  ]).then(
    ([dialogs]) => dialogs as typeof Dialogs,
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

const addressOf = (name: string): string => new URL(name, import.meta.url).href

/** Resolves when a style sheet is loaded; `put` inserts its element. */
export function addStyles(href: string, put: (link: HTMLLinkElement) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error('The style sheet did not come'))
    })
    put(link)
  })
}
