/** Icons of the document and of the menu that inserts blocks, as elements; those of authors are drawn by readers' pages. */
import braces from 'lucide:braces'
import chevronRight from 'lucide:chevron-right'
import circleCheck from 'lucide:circle-check'
import code from 'lucide:code'
import columns from 'lucide:columns-2'
import copyPlus from 'lucide:copy-plus'
import fileSymlink from 'lucide:file-symlink'
import fileText from 'lucide:file-text'
import heading1 from 'lucide:heading-1'
import heading2 from 'lucide:heading-2'
import heading3 from 'lucide:heading-3'
import history from 'lucide:history'
import image from 'lucide:image'
import imageOff from 'lucide:image-off'
import info from 'lucide:info'
import layoutGrid from 'lucide:layout-grid'
import link from 'lucide:link'
import list from 'lucide:list'
import listChecks from 'lucide:list-checks'
import listCollapse from 'lucide:list-collapse'
import listOrdered from 'lucide:list-ordered'
import minus from 'lucide:minus'
import octagonAlert from 'lucide:octagon-alert'
import panelTop from 'lucide:panel-top'
import paperclip from 'lucide:paperclip'
import puzzle from 'lucide:puzzle'
import sigma from 'lucide:sigma'
import sparkles from 'lucide:sparkles'
import settingsIcon from 'lucide:sliders-horizontal'
import button from 'lucide:rectangle-horizontal'
import variable from 'lucide:variable'
import smile from 'lucide:smile'
import split from 'lucide:split'
import squarePlay from 'lucide:square-play'
import table from 'lucide:table'
import textQuote from 'lucide:text-quote'
import triangleAlert from 'lucide:triangle-alert'
import letters from 'lucide:type'
import webhook from 'lucide:webhook'
import workflow from 'lucide:workflow'

const icons = new Map([
  ['braces', braces],
  ['chevron-right', chevronRight],
  ['circle-check', circleCheck],
  ['code', code],
  ['columns-2', columns],
  ['copy-plus', copyPlus],
  ['file-symlink', fileSymlink],
  ['file-text', fileText],
  ['heading-1', heading1],
  ['heading-2', heading2],
  ['heading-3', heading3],
  ['history', history],
  ['image', image],
  ['image-off', imageOff],
  ['info', info],
  ['layout-grid', layoutGrid],
  ['link', link],
  ['list', list],
  ['list-checks', listChecks],
  ['list-collapse', listCollapse],
  ['list-ordered', listOrdered],
  ['minus', minus],
  ['octagon-alert', octagonAlert],
  ['panel-top', panelTop],
  ['paperclip', paperclip],
  ['puzzle', puzzle],
  ['sigma', sigma],
  ['sparkles', sparkles],
  ['sliders-horizontal', settingsIcon],
  ['rectangle-horizontal', button],
  ['variable', variable],
  ['smile', smile],
  ['split', split],
  ['square-play', squarePlay],
  ['table', table],
  ['text-quote', textQuote],
  ['triangle-alert', triangleAlert],
  ['type', letters],
  ['webhook', webhook],
  ['workflow', workflow],
])

/** Returns the drawing; undefined for a name that is not among them. */
export function documentIcon(name: string): Element | undefined {
  const body = icons.get(name)
  if (body === undefined) return undefined
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  svg.innerHTML = body
  return svg
}
