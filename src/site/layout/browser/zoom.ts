/**
 * Picture zoom: a click, Enter or Space opens downscaled pictures as large as the window allows.
 *
 * Which pictures are downscaled depends on the window, so it is updated with every change of their size.
 */

import { loadDialogs } from './lazy-assets.js'
import { word } from './words.js'

/** Minimum enlargement for which a picture can be zoomed. */
const minEnlargement = 1.15

/** Pictures without alternative text, while they are buttons. */
const unnamed = new WeakSet<HTMLImageElement>()

/** Observes the pictures of the text, except those in links. */
export function observePictures(): void {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) updateZoomable(target as HTMLImageElement)
  })
  for (const picture of document.querySelectorAll<HTMLImageElement>('.images img')) {
    if (picture.closest('a') === null) sizes.observe(picture)
  }
}

/** Adds two delegated listeners for all pictures. */
export function startZoom(): void {
  document.addEventListener('click', (event) => {
    if (event.target instanceof HTMLImageElement && isLarger(event.target)) enlarge(event.target)
  })
  document.addEventListener('keydown', (event) => {
    if (!(event.target instanceof HTMLImageElement) || !isLarger(event.target)) return
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    enlarge(event.target)
  })
}

function isLarger(picture: HTMLImageElement): boolean {
  return picture.classList.contains('enlarges')
}

function updateZoomable(picture: HTMLImageElement): void {
  const larger = picture.clientWidth > 0 && widthOf(picture) > picture.clientWidth * minEnlargement
  picture.classList.toggle('enlarges', larger)
  if (larger) {
    picture.tabIndex = 0
    picture.setAttribute('role', 'button')
    picture.setAttribute('aria-label', word('enlarge', unnamed.has(picture) ? '' : picture.alt).trim())
    // With an empty alternative text, screen readers would ignore the button.
    if (picture.alt === '') {
      unnamed.add(picture)
      picture.alt = word('picture')
    }
  } else {
    if (unnamed.delete(picture)) picture.alt = ''
    for (const name of ['tabindex', 'role', 'aria-label']) picture.removeAttribute(name)
  }
}

/** Returns the pixels of the file as far as the markup contains them; infinity for vector graphics. */
function widthOf(picture: HTMLImageElement): number {
  if (/\.svg(?:$|[?#])/.test(picture.src)) return Infinity
  const widths = [...picture.srcset.matchAll(/ (\d+)w/g)].map(([, width]) => Number(width))
  return Math.max(picture.naturalWidth, Number(picture.getAttribute('width')) || 0, ...widths)
}

function enlarge(picture: HTMLImageElement): void {
  // If the dialog fails to load, the picture stays as large as it is.
  loadDialogs().then(
    (dialogs) => dialogs.openPictureDialog(picture),
    () => {},
  )
}
