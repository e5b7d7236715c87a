/**
 * Pictures that are shown smaller than they are: a click, Enter or Space shows them as large as the window allows.
 *
 * Which of them those are changes with the window, so it is judged anew with every change of their size.
 */

import { loadDialogs } from './lazy-assets.js'
import { word } from './words.js'

/** How much larger a picture must be for a look at it to be worth the way. */
const minEnlargement = 1.15

/** Pictures without a text of their own, while they are buttons. */
const unnamed = new WeakSet<HTMLImageElement>()

/** Follows the pictures of the text; one that is a link leads where it leads. */
export function observePictures(): void {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) updateZoomable(target as HTMLImageElement)
  })
  for (const picture of document.querySelectorAll<HTMLImageElement>('.images img')) {
    if (picture.closest('a') === null) sizes.observe(picture)
  }
}

/** Two listeners for all pictures. */
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
    // An empty text says that there is nothing to meet here.
    if (picture.alt === '') {
      unnamed.add(picture)
      picture.alt = word('picture')
    }
  } else {
    if (unnamed.delete(picture)) picture.alt = ''
    for (const name of ['tabindex', 'role', 'aria-label']) picture.removeAttribute(name)
  }
}

/** Pixels of the file as far as the markup tells them; without end for what is drawn anew at every size. */
function widthOf(picture: HTMLImageElement): number {
  if (/\.svg(?:$|[?#])/.test(picture.src)) return Infinity
  const widths = [...picture.srcset.matchAll(/ (\d+)w/g)].map(([, width]) => Number(width))
  return Math.max(picture.naturalWidth, Number(picture.getAttribute('width')) || 0, ...widths)
}

function enlarge(picture: HTMLImageElement): void {
  // Nothing is shown where it does not come: the picture stays as large as it is.
  loadDialogs().then(
    (dialogs) => dialogs.openPictureDialog(picture),
    () => {},
  )
}
