/** One-line card: an icon, a title above a detail, and a small icon for the action of a click. */
import { attributes, html, type Html, type Printable } from '../html.js'
import { icon } from './icons.js'

export interface CardLine {
  /** Absent: the card is not a link. */
  readonly href: string | undefined
  readonly sign: Printable
  readonly title: string
  readonly detail?: string | undefined
  /** Name of the icon at the end. */
  readonly end: string | undefined
  /** File name for a download. */
  readonly download?: string | undefined
  readonly rel?: string
}

/** The card as a link. */
export function renderCardLine({ href, sign, title, detail, end, download, rel }: CardLine): Html {
  return html`<a${attributes({ class: 'card-line', href, download, rel })}>${sign}
    <span class="card-text">
      <strong>${title}</strong>
      ${detail !== undefined && detail !== '' && html`<small>${detail}</small>`}
    </span>
    ${icon(end)}</a>`
}
