/** What only those open who search or look at a picture: fetched when they do. */
export { enlarge } from './enlarge.js'
export { makeDialog } from './search-dialog.js'
