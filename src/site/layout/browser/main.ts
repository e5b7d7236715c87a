/**
 * The program of a published page in the reader's browser: a few kB, no framework.
 *
 * The page is whole without it. Everything here adds to markup that the server has written; nothing
 * sets inline styles or markup from text, so the content policy can stay strict.
 */
import { startBranches } from './branches.js'
import { startButtons } from './buttons.js'
import { startCopyButtons, startWrapButtons } from './copy.js'
import { startPageCopy } from './copy-page.js'
import { countLinks, countView, startFeedback } from './feedback.js'
import { showCurrentTab, startMenus } from './menus.js'
import { startNavigation } from './navigation.js'
import { startOutline } from './outline.js'
import { startClientNavigation } from './client-navigation.js'
import { startScrollAreas } from './scroll-areas.js'
import { startSearch } from './search.js'
import { startTabs } from './tabs.js'
import { startThemeToggle } from './theme.js'
import { observePictures, startZoom } from './zoom.js'

startCopyButtons()
startWrapButtons()
startPageCopy()
startButtons()
startMenus()
startZoom()
startFeedback()
countLinks()
startClientNavigation((left) => {
  startThemeToggle()
  startTabs(left)
  showCurrentTab()
  startNavigation(left)
  startBranches()
  startOutline(left)
  startScrollAreas()
  observePictures()
  startSearch(left)
  countView()
})
