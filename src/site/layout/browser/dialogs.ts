/** Lazily loaded bundle of the search dialog and the picture dialog. */
export { openPictureDialog } from './picture-dialog.js'
export { createSearchDialog } from './search-dialog.js'
