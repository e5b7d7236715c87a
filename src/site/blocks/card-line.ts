/** One line as a card: a sign, a title over a detail, and a small sign of what a click does. */
import { attributes, html, type Html, type Printable } from '../html.js'
import { icon } from './icons.js'

export interface CardLine {
  /** Absent: the card leads nowhere. */
  readonly href: string | undefined
  readonly sign: Printable
  readonly title: string
  readonly detail?: string | undefined
  /** Name of the icon at the end. */
  readonly end: string | undefined
  /** File name under which a browser keeps what the card leads to. */
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
