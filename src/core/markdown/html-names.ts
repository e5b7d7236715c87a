/** The names of HTML, and what each is to a document; a tag of any other name is text that looks like a tag. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Shown as if they were not there: their content counts. */
export const transparentBlocks = words(
  'article aside body center dd div dl dt fieldset figcaption footer form head header hgroup html main nav ' +
    'section summary thead tbody tfoot tr td th caption li legend optgroup select option',
)

/** Kept as written, to be sanitised where they are shown. */
export const rawBlocks = words(
  'audio canvas dialog embed iframe link math meta noscript object script style svg template title video',
)

/** Blocks with a meaning of their own. */
export const meaningfulBlocks = words('blockquote details figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul')

/** Inside a line; their content counts. */
export const transparentInlines = words(
  'ins span small big font bdi bdo cite dfn label nobr tt var samp q p div',
)

const otherInlines = words(
  'a abbr area b base br button code col colgroup data datalist del em i img input kbd map mark meter output param picture ' +
    'progress rp rt ruby s search slot source strike strong sub sup textarea time track u wbr xmp',
)

/** Whether HTML knows an element of that name. */
export function isHtmlName(name: string): boolean {
  return (
    otherInlines.has(name) ||
    transparentInlines.has(name) ||
    transparentBlocks.has(name) ||
    meaningfulBlocks.has(name) ||
    rawBlocks.has(name)
  )
}
