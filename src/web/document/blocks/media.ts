/** Pictures with captions, files, embeds and drawings. */
import { documentText as text } from '../../i18n/document-text.js'
import type { Node as ProseNode } from 'prosemirror-model'
import type { JsonValue } from '../../../core/document/json-node.js'
import type { Inline } from '../../../core/document/types.js'
import type { SourceAttributes } from '../../../core/editing/source-blocks.js'
import {
  type AttributeField,
  type BlockNodes,
  type BlockTools,
  type InsertableBlock,
  attributesOf,
  blockAttrs,
  flagAttribute,
  textAttribute,
} from '../construct.js'
import { beside, element, setAttribute, settingsButton } from '../dom.js'
import { container } from './containers.js'

/** Of a picture, also of one in a line of text. */
export const pictureFields: readonly AttributeField[] = [
  { name: 'src', label: text.fields.file, kind: 'picture', isRequired: true },
  { name: 'alt', label: text.fields.alt, kind: 'text', isOptional: true },
  { name: 'srcDark', label: text.fields.darkSource, kind: 'picture', isOptional: true },
]

const imageFields: readonly AttributeField[] = [
  ...pictureFields,
  {
    name: 'width',
    label: text.fields.width,
    kind: 'text',
    isOptional: true,
    placeholder: text.placeholders.size,
  },
  { name: 'height', label: text.fields.height, kind: 'text', isOptional: true },
]

export const media: BlockNodes = {
  images: {
    ...container({
      className: 'images',
      label: text.blocks.images,
      parts: 'image',
      content: 'image+',
      bodyClass: 'images-row',
      fields: [
        {
          name: 'align',
          label: text.fields.align,
          kind: 'choice',
          isOptional: true,
          options: [
            ['', text.values.default],
            ['left', text.values.left],
            ['center', text.values.center],
            ['right', text.values.right],
          ],
        },
        { name: 'withFrame', label: text.fields.frame, kind: 'flag' },
        { name: 'fullWidth', label: text.fields.fullWidth, kind: 'flag' },
      ],
      classesOf: (node) => [
        textAttribute(node, 'align') && `align-${textAttribute(node, 'align')}`,
        flagAttribute(node, 'fullWidth') ? 'full-width' : undefined,
        flagAttribute(node, 'withFrame') ? 'framed' : undefined,
        node.childCount > 1 ? 'several' : undefined,
      ],
    }),
    content: {
      read({ attributes: { images } }, reader) {
        return (images as unknown as readonly Picture[]).map(({ caption, ...picture }) =>
          reader.create('image', picture as SourceAttributes, reader.inlines(caption ?? [])),
        )
      },
      write(node, writer) {
        const images = node.children
          .filter((image) => !isWithoutSource(image))
          .map((image) => {
            const caption = writer.inlines(image)
            return { ...attributesOf(image), ...(caption.length > 0 && { caption }) }
          })
        return { attributes: { ...attributesOf(node), images: images as unknown as JsonValue } }
      },
    },
    isBlank: (node) => node.children.every(isWithoutSource),
  },
  image: {
    spec: {
      content: 'inline*',
      attrs: blockAttrs,
      isolating: true,
      toDOM: () => ['figure', ['figcaption', 0]],
    },
    content: 'inlines',
    label: text.blocks.image,
    fields: imageFields,
    view: imageView,
  },
  file: {
    spec: captioned(),
    content: { caption: 'caption' },
    label: text.blocks.file,
    fields: [
      { name: 'src', label: text.fields.file, kind: 'file', isRequired: true },
      { name: 'poster', label: text.fields.poster, kind: 'picture', isOptional: true },
    ],
    isBlank: isWithoutSource,
    view: (tools) => cardView(tools, { name: 'src', icon: 'paperclip', empty: text.chooseFile }),
  },
  embed: {
    spec: captioned(),
    content: { caption: 'caption' },
    label: text.blocks.embed,
    fields: [
      { name: 'url', label: text.fields.address, kind: 'text', isRequired: true, placeholder: 'https://' },
      { name: 'fullWidth', label: text.fields.fullWidth, kind: 'flag' },
    ],
    isBlank: (node) => (textAttribute(node, 'url') ?? '') === '',
    view: (tools) => cardView(tools, { name: 'url', icon: 'link', empty: text.chooseAddress }),
  },
  drawing: {
    spec: { group: 'block', atom: true, attrs: blockAttrs, toDOM: () => ['div'] },
    content: 'none',
    label: text.blocks.drawing,
    fields: imageFields.slice(0, 2),
    isBlank: isWithoutSource,
    view: drawingView,
  },
}

interface Picture {
  readonly src: string
  readonly caption?: readonly Inline[]
}

function captioned() {
  return {
    group: 'block',
    content: 'inline*',
    attrs: blockAttrs,
    isolating: true,
    toDOM: () => ['figure', ['figcaption', 0]] as const,
  }
}

function isWithoutSource(node: ProseNode): boolean {
  return (textAttribute(node, 'src') ?? '') === ''
}

function pictureOf(tools: BlockTools) {
  const dom = beside('div', { class: 'picture' })
  const update = (node: ProseNode): void => {
    const sources = [textAttribute(node, 'src') ?? '', textAttribute(node, 'srcDark')]
    const version = JSON.stringify(attributesOf(node))
    if (dom.dataset['version'] === version) return
    dom.dataset['version'] = version
    const [light, dark] = sources.map((src) => (src === undefined ? undefined : picture(node, src)))
    if (dark && light) {
      light.classList.add('when-light')
      dark.classList.add('when-dark')
    }
    dom.replaceChildren(...[light, dark].filter((one) => one !== undefined))
  }
  const picture = (node: ProseNode, src: string): HTMLElement => {
    const url = src === '' ? undefined : tools.fileUrl(src)
    if (url === undefined)
      return element(
        'span',
        { class: 'missing-image' },
        tools.icon('image-off'),
        src === '' ? text.choosePicture : src,
      )
    const image = element('img', {
      src: url,
      alt: textAttribute(node, 'alt') ?? '',
      loading: 'lazy',
      decoding: 'async',
    })
    for (const side of ['width', 'height'] as const) {
      const size = /^\d{1,5}(?:\.\d+)?%?$/.exec(textAttribute(node, side)?.replace(/px$/, '') ?? '')?.[0]
      setAttribute(image, side, size)
    }
    return image
  }
  return { dom, update }
}

function imageView(tools: BlockTools) {
  const dom = element('figure')
  const picture = pictureOf(tools)
  const contentDOM = element('figcaption', { 'data-placeholder': text.caption, dir: 'auto' })
  dom.append(picture.dom, contentDOM)
  const update = (node: ProseNode): void => {
    picture.update(node)
    contentDOM.classList.toggle('is-empty', node.childCount === 0)
  }
  update(tools.node())
  return { dom, contentDOM, update }
}

function drawingView(tools: BlockTools) {
  const settings = settingsButton(tools)
  const picture = pictureOf(tools)
  const dom = element(
    'div',
    { class: 'images drawing has-settings' },
    element('figure', {}, picture.dom),
    settings,
  )
  picture.update(tools.node())
  return { dom, update: picture.update, ...(settings && { form: settings }) }
}

/** A card with what an address leads to, and its caption. */
function cardView(
  tools: BlockTools,
  { name, icon, empty }: { readonly name: string; readonly icon: string; readonly empty: string },
) {
  const dom = element('figure', { class: 'attachment has-settings' })
  const card = beside('div', { class: 'card-line' })
  const settings = settingsButton(tools)
  const contentDOM = element('figcaption', { 'data-placeholder': text.caption, dir: 'auto' })
  dom.append(card, ...(settings ? [settings] : []), contentDOM)
  const update = (node: ProseNode): void => {
    const url = textAttribute(node, name) ?? ''
    const target = tools.describeLink(url, () => update(tools.node()))
    const drawn = tools.icon(target?.icon ?? icon)
    card.replaceChildren(
      ...(drawn ? [drawn] : []),
      element(
        'span',
        { class: 'card-title' },
        target?.title ?? (url === '' ? empty : url.slice(url.lastIndexOf('/') + 1)),
      ),
      element('span', { class: 'card-detail' }, target?.detail ?? url),
    )
    contentDOM.classList.toggle('is-empty', node.childCount === 0)
  }
  update(tools.node())
  return { dom, contentDOM, update, ...(settings && { form: settings }) }
}

export const mediaInsertions: readonly InsertableBlock[] = [
  {
    name: 'image',
    title: text.blocks.image,
    keywords: text.keywords.image,
    icon: 'image',
    group: 'Media',
    isInCells: true,
    isChosen: true,
    block: { type: 'images', attributes: { images: [{ src: '' }] } },
  },
  {
    name: 'file',
    title: text.blocks.file,
    keywords: text.keywords.file,
    icon: 'paperclip',
    group: 'Media',
    isChosen: true,
    block: { type: 'file', attributes: { src: '', caption: [] } },
  },
  {
    name: 'embed',
    title: text.blocks.embed,
    keywords: text.keywords.embed,
    icon: 'square-play',
    group: 'Media',
    isChosen: true,
    block: { type: 'embed', attributes: { url: '', caption: [] } },
  },
]
