/** Boilerplate detection: elements that are hidden or no content, such as navigation, buttons and heading permalinks. */
import { type HtmlElement, classesOf, valueOf } from './nodes.js'

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const names = words('nav script style template noscript button select textarea form dialog')

const roles = words('navigation search banner contentinfo button dialog alertdialog toolbar menu menubar')

/** Classes that documentation generators and wikis give to elements that are not content. */
const classes = words(
  'headerlink header-anchor hash-link anchorjs-link anchor-link heading-anchor permalink mw-editsection editsection ' +
    'breadcrumb breadcrumbs theme-doc-breadcrumbs theme-doc-toc-mobile theme-doc-footer theme-doc-version-badge pagination-nav ' +
    'prev-next prev-next-area rst-footer-buttons rst-breadcrumbs related sphinxsidebar toctree-wrapper-hidden toc-drawer ' +
    'table-of-contents tableofcontents md-sidebar md-source-file md-content__button copybtn copy-button clipboard-copy ' +
    'edit-link edit-this-page theme-edit-this-page page-actions page-nav pagination pager sr-only visually-hidden screen-reader-text ' +
    'navbox navbox-styles catlinks printfooter mw-jump-link noprint metadata skip-link skip-to-content cookie-banner ' +
    'theme-code-block-buttons buttongroup vp-doc-footer nav-chapters mobile-nav-chapters nav-wrapper sidebar sidetoc ' +
    'page-metadata footer-body toc nav-container code-block-caption code-title filename codeheader toc-macro expand-control collapse-source collapse-spinner-wrapper recently-updated nav-panel navheader navfooter src-link rightside',
)

/** Returns whether an element is not part of the content. */
export function isBoilerplate(element: HtmlElement): boolean {
  if (names.has(element.name)) return true
  if (element.attributes.has('hidden')) return true
  const role = valueOf(element, 'role')
  if (role !== undefined && roles.has(role)) return true
  if (valueOf(element, 'aria-hidden') === 'true' && element.name !== 'img') return true
  const style = element.attributes.get('style')
  if (style !== undefined && /display\s{0,4}:\s{0,4}none/i.test(style)) return true
  const id = valueOf(element, 'id')
  if (id === 'toc' || id === 'table-of-contents' || id === 'sidebar') return true
  return (
    element.name !== 'body' &&
    classesOf(element).some((name) => classes.has(name) || name.startsWith('codeblocktitle'))
  )
}
