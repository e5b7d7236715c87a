/** The dialog that shows one picture as large as the window allows, until it is clicked or left. */

import { word } from './words.js'

/** Opens the dialog; `zoom.ts` decides for which pictures. */
export function openPictureDialog({ src, alt }: HTMLImageElement): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'zoom'
  dialog.setAttribute('aria-label', alt === '' ? word('picture') : alt)
  const close = document.createElement('button')
  close.setAttribute('aria-label', word('close'))
  close.textContent = '×'
  const picture = document.createElement('img')
  picture.src = src
  picture.alt = alt
  dialog.append(close, picture)
  dialog.addEventListener('click', () => dialog.close())
  // The browser restores the focus.
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
