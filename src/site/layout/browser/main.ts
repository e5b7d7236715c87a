/**
 * Client script of published pages: a few kB, no framework.
 *
 * Progressive enhancement: the page is complete without it. It never sets inline styles or markup from text, so
 * the content security policy can stay strict.
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
