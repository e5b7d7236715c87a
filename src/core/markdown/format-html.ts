/** Formats blocks and inlines as HTML, where Markdown is not possible: captions, and cells of rich tables. */
import { emojiCharacters } from '../document/emoji-code.js'
import { plainText } from '../document/plain-text.js'
import type { Block, Image, Inline, Mark } from '../document/types.js'
import { encodeAttribute, encodeText } from './entities.js'
import { formatButton, formatIcon } from './inline-elements.js'

const elements = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  underline: 'u',
  code: 'code',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
} as const

/** Returns inlines as HTML; footnotes are passed to `annotate` and stay in place. */
export function inlinesAsHtml(inlines: readonly Inline[]): string {
  return inlines.map(inlineAsHtml).join('')
}

function inlineAsHtml(inline: Inline): string {
  switch (inline.type) {
    case 'text':
      return (inline.marks ?? []).reduceRight(withMark, encodeText(inline.text))
    case 'break':
      return '<br>'
    case 'anchor':
      return inline.aliases.map((id) => `<a id="${encodeAttribute(id)}"></a>`).join('')
    case 'link': {
      const title = inline.mention ? 'mention' : inline.title
      const more = title === undefined ? '' : ` title="${encodeAttribute(title)}"`
      return `<a href="${encodeAttribute(inline.url)}"${more}>${inlinesAsHtml(inline.children)}</a>`
    }
    case 'emoji':
      return emojiCharacters(inline.code) ?? ''
    case 'inline-image':
      return imageAsHtml(inline)
    case 'icon':
      return formatIcon(inline)
    case 'button':
      return formatButton(inline)
    case 'expression':
      return `<code class="expression">${encodeText(inline.expression)}</code>`
    case 'inline-html':
      return inline.html.replace(/[\r\n]+/g, ' ')
    case 'inline-math':
      return `<code>${encodeText(inline.formula)}</code>`
    case 'annotation':
      return `${inlinesAsHtml(inline.children)} (${encodeText(plainText({ blocks: inline.body }).replace(/\s+/g, ' '))})`
    default:
      return encodeText(plainText([inline]))
  }
}

function withMark(html: string, mark: Mark): string {
  if (mark.type === 'color') {
    const style = [
      mark.text && `color:${mark.text};`,
      mark.background && `background-color:${mark.background};`,
    ]
    return `<mark style="${encodeAttribute(style.filter(Boolean).join(''))}">${html}</mark>`
  }
  return `<${elements[mark.type]}>${html}</${elements[mark.type]}>`
}

/** Returns an image as an element, with its dark variant; without its caption. */
export function imageAsHtml(image: Image & { readonly size?: string }): string {
  const { src, srcDark, alt = '', width, height, size } = image
  const attributes = [
    ['width', width],
    ['height', height],
    ['data-size', size],
  ].flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${encodeAttribute(value)}"`]))
  const img = `<img src="${encodeAttribute(src)}" alt="${encodeAttribute(alt)}"${attributes.join('')}>`
  if (srcDark === undefined) return img
  return `<picture><source srcset="${encodeAttribute(srcDark)}" media="(prefers-color-scheme: dark)">${img}</picture>`
}

/** Returns blocks as HTML without empty lines, which would end the HTML block. */
export function blocksAsHtml(blocks: readonly Block[]): string {
  const [only] = blocks
  if (blocks.length === 1 && only!.type === 'paragraph') return inlinesAsHtml(only!.children)
  return blocks.map(blockAsHtml).join('')
}

function blockAsHtml(block: Block): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${inlinesAsHtml(block.children)}</p>`
    case 'heading':
      return `<p><strong>${inlinesAsHtml(block.children)}</strong></p>`
    case 'list': {
      const name = block.kind === 'ordered' ? 'ol' : 'ul'
      const start = block.kind === 'ordered' && (block.start ?? 1) !== 1 ? ` start="${block.start}"` : ''
      const items = block.items.map(({ blocks, checked }) => {
        const box = checked === undefined ? '' : `<input type="checkbox"${checked ? ' checked' : ''}>`
        return `<li>${box}${blocksAsHtml(blocks)}</li>`
      })
      return `<${name}${start}>${items.join('')}</${name}>`
    }
    case 'code':
      return codeAsHtml(block.code, block.syntax)
    case 'math':
      return codeAsHtml(block.formula, 'latex')
    case 'images':
      return block.images.map(imageAsHtml).join('')
    case 'blockquote':
    case 'hint':
      return `<blockquote>${blocksAsHtml(block.blocks)}</blockquote>`
    case 'divider':
      return '<hr>'
    case 'expandable':
      return `<p><strong>${inlinesAsHtml(block.title)}</strong></p>${blocksAsHtml(block.blocks)}`
    case 'tabs':
      return block.tabs
        .map(({ title, blocks }) => `<p><strong>${encodeText(title)}</strong></p>${blocksAsHtml(blocks)}`)
        .join('')
    case 'table':
      return block.rows
        .map((row) => `<p>${row.map(({ blocks }) => encodeText(plainText({ blocks }))).join(' · ')}</p>`)
        .join('')
    case 'embed':
      return `<p><a href="${encodeAttribute(block.url)}">${encodeText(block.url)}</a></p>`
    case 'file':
      return `<p><a href="${encodeAttribute(block.src)}">${encodeText(block.src)}</a></p>`
    default:
      return `<p>${encodeText(plainText({ blocks: [block] }))}</p>`
  }
}

function codeAsHtml(code: string, syntax: string | undefined): string {
  const name = syntax === undefined ? '' : ` class="language-${encodeAttribute(syntax)}"`
  const text = code
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\{(?=%)/g, '&#123;')
  // An empty line would end the HTML block.
  return `<pre${name}><code>${text.replace(/\r?\n/g, '&#10;')}</code></pre>`
}
