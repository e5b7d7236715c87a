/** What only those open who search or look at a picture: fetched when they do. */
export { openPictureDialog } from './picture-dialog.js'
export { createSearchDialog } from './search-dialog.js'
