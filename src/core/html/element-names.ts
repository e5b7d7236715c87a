/** HTML element names by their role in a document. */

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Block elements. */
export const blockNames = words(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset ' +
    'h1 h2 h3 h4 h5 h6 header hgroup hr html iframe legend li main menu nav ol p pre search section summary table tbody td ' +
    'tfoot th thead tr ul video audio object embed',
)

/** Elements without readable text. */
export const ignoredNames = words(
  'base button canvas col colgroup datalist head link map meta noframes optgroup option param script select source style ' +
    'svg template textarea title track wbr progress meter',
)
