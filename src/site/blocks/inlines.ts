/** Inline elements: one function per type, and one exhaustive switch. */
import { printed } from '../../core/conditions/claim-reader.js'
import type { Annotation, Button, Inline, Link, Mark, Text } from '../../core/document/types.js'
import { attributes, html, Html, join, nothing } from '../html.js'
import { colorClass } from './colors.js'
import { compared } from './comparison.js'
import { fill } from '../words/words.js'
import type { PageRenderer } from './context.js'
import { emojiText, icon } from './icons.js'
import { renderInlineImage } from './images.js'
import { renderInlineMath } from './math.js'
import { renderRawHtml } from './raw-html.js'
import { encodeText, safeUrl } from './safe-url.js'

/** Renders the inlines in order; raw HTML is sanitised together with its neighbours. */
export function renderInlines(inlines: readonly Inline[], page: PageRenderer): Html {
  if (inlines.some((inline) => inline.type === 'inline-html')) {
    return renderRawHtml(
      inlines,
      inlines.map((inline) =>
        inline.type === 'inline-html' ? { raw: inline.html } : renderMarked(inline, page),
      ),
      page,
    )
  }
  return join(inlines.map((inline) => renderMarked(inline, page)))
}

function renderMarked(inline: Inline, page: PageRenderer): Html {
  return compared(inline, page, () => renderInline(inline, page), 'text')
}

function renderInline(inline: Inline, page: PageRenderer): Html {
  switch (inline.type) {
    case 'text':
      return renderText(inline, page)
    case 'break':
      return html`<br>`
    case 'anchor':
      return page.aliases(inline.aliases)
    case 'link':
      return renderLink(inline, page)
    case 'emoji':
      return renderEmoji(inline.code)
    case 'icon':
      return renderIcon(inline.icon, inline.color)
    case 'expression':
      return renderExpression(page.context.evaluate(inline.expression), page)
    case 'inline-math':
      return renderInlineMath(inline, page)
    case 'inline-image':
      return renderInlineImage(inline, page)
    case 'annotation':
      return renderAnnotation(inline, page)
    case 'button':
      return renderButton(inline, page)
    case 'inline-html':
      return renderRawHtml(inline, [{ raw: inline.html }], page)
    default:
      return inline satisfies never
  }
}

function renderText(inline: Text, page: PageRenderer): Html {
  let content = html`${inline.text}`
  for (const mark of inline.marks?.toReversed() ?? []) content = renderMark(mark, content, page)
  return content
}

function renderMark(mark: Mark, content: Html, { context }: PageRenderer): Html {
  switch (mark.type) {
    case 'bold':
      return html`<strong>${content}</strong>`
    case 'italic':
      return html`<em>${content}</em>`
    case 'underline':
      return html`<u>${content}</u>`
    case 'code':
      return context.direction === undefined
        ? html`<code>${content}</code>`
        : html`<code dir="ltr">${content}</code>`
    case 'keyboard':
      return html`<kbd>${content}</kbd>`
    case 'strikethrough':
      return html`<del>${content}</del>`
    case 'superscript':
      return html`<sup>${content}</sup>`
    case 'subscript':
      return html`<sub>${content}</sub>`
    case 'color': {
      const classes = [colorClass('text', mark.text), colorClass('background', mark.background)].filter(
        Boolean,
      )
      return classes.length === 0 ? content : html`<span class="${classes.join(' ')}">${content}</span>`
    }
    default:
      return mark satisfies never
  }
}

/** Broken and unsafe links become text with an icon. */
function renderLink(link: Link, page: PageRenderer): Html {
  const target = page.context.link(link.url)
  const href = target.broken === true ? undefined : safeUrl(target.href)
  const text = page.inlines(link.children)
  if (href === undefined)
    return html`<span class="broken-link" title="This link leads nowhere">${text}</span>`
  const external = target.external === true
  const own = attributes({
    href,
    title: link.mention === true ? undefined : link.title,
    target: external && page.context.externalInNewTab === true ? '_blank' : undefined,
    rel: external ? 'noopener' : undefined,
  })
  if (link.mention !== true) return html`<a${own}>${text}</a>`
  const emoji = emojiText(target.page?.emoji ?? '')
  const sign =
    emoji === ''
      ? icon(target.page?.icon ?? (external ? 'globe' : 'file-text'))
      : renderEmoji(target.page?.emoji ?? '')
  return html`<a class="mention"${own}>${sign}${target.page?.title ?? text}</a>`
}

function renderEmoji(code: string): Html {
  const text = emojiText(code)
  return text === '' ? nothing : html`<span class="emoji">${text}</span>`
}

function renderIcon(name: string, color: string | undefined): Html {
  const drawn = icon(name)
  const className = colorClass('text', color)
  return className === undefined || drawn === nothing
    ? drawn
    : html`<span class="${className}">${drawn}</span>`
}

/** A value can be longer than its expression and repeated: its characters are counted immediately. */
function renderExpression(value: unknown, page: PageRenderer): Html {
  const text = printed(value)
  page.spend('output', text.length)
  return html`${text}`
}

/** The annotated text, and a small number that opens the note; the note itself is at the end of the page. */
function renderAnnotation(inline: Annotation, page: PageRenderer): Html {
  const number = page.note(inline)
  return html`<span class="annotated">${page.inlines(inline.children)}</span><sup class="annotation"><button type="button" popovertarget="${noteId(number)}" aria-label="${fill(page.words.note, number)}">
        ${number}
      </button></sup>`
}

/** Returns the id of the note with this number. */
export function noteId(number: number): string {
  return `octavo-note-${number}`
}

/** A link that looks like a button; without scripts, search and ask buttons link to the search page. */
function renderButton(button: Button, page: PageRenderer): Html {
  const { searchHref } = page.context
  const className = `button ${button.kind}`
  const label = html`${icon(button.icon ?? (button.action === undefined ? undefined : 'search'))}${button.label}`
  if (button.action !== undefined) {
    if (searchHref === undefined) return html`<span class="${className}">${label}</span>`
    const query = button.query ?? ''
    return html`<a${attributes({ class: className, href: safeUrl(searchHref + (query === '' ? '' : `?q=${encodeText(query)}`)), 'data-search-for': query })}>${label}</a>`
  }
  const target = button.url === undefined ? undefined : page.context.link(button.url)
  const href = target === undefined || target.broken === true ? undefined : safeUrl(target.href)
  const newTab = target?.external === true && page.context.externalInNewTab === true
  return html`<a${attributes({ class: className, href, target: newTab ? '_blank' : undefined, rel: target?.external === true ? 'noopener' : undefined })}>${label}</a>`
}
