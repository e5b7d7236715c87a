/** HTML element names by their role in a document; a tag with any other name is text. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Transparent: replaced by their content. */
export const transparentBlocks = words(
  'article aside body center dd div dl dt fieldset figcaption footer form head header hgroup html main nav ' +
    'section summary thead tbody tfoot tr td th caption li legend optgroup select option',
)

/** Preserved as raw HTML, to be sanitised when rendered. */
export const rawBlocks = words(
  'audio canvas dialog embed iframe link math meta noscript object script style svg template title video',
)

/** Blocks with a counterpart in the document. */
export const meaningfulBlocks = words('blockquote details figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul')

/** Inline; replaced by their content. */
export const transparentInlines = words(
  'ins span small big font bdi bdo cite dfn label nobr tt var samp q p div',
)

const otherInlines = words(
  'a abbr area b base br button code col colgroup data datalist del em i img input kbd map mark meter output param picture ' +
    'progress rp rt ruby s search slot source strike strong sub sup textarea time track u wbr xmp',
)

/** Returns whether HTML has an element of that name. */
export function isHtmlName(name: string): boolean {
  return (
    otherInlines.has(name) ||
    transparentInlines.has(name) ||
    transparentBlocks.has(name) ||
    meaningfulBlocks.has(name) ||
    rawBlocks.has(name)
  )
}
