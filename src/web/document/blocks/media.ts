/** Pictures with captions, files, embeds and drawings. */
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
import { attributeForm, beside, element, setAttribute } from '../dom.js'
import { container } from './containers.js'

const imageFields: readonly AttributeField[] = [
  { name: 'src', label: 'File', kind: 'text' },
  { name: 'alt', label: 'Alternative text', kind: 'text', isOptional: true },
  { name: 'srcDark', label: 'In dark theme', kind: 'text', isOptional: true },
  { name: 'width', label: 'Width', kind: 'text', isOptional: true, placeholder: '300 or 50%' },
  { name: 'height', label: 'Height', kind: 'text', isOptional: true },
]

export const media: BlockNodes = {
  images: {
    ...container({
      className: 'images',
      content: 'image+',
      bodyClass: 'images-row',
      fields: [
        {
          name: 'align',
          label: 'Alignment',
          kind: 'choice',
          isOptional: true,
          options: [
            ['', 'Default'],
            ['left', 'Left'],
            ['center', 'Center'],
            ['right', 'Right'],
          ],
        },
        { name: 'withFrame', label: 'Frame', kind: 'flag' },
        { name: 'fullWidth', label: 'Full width', kind: 'flag' },
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
    fields: imageFields,
    view: imageView,
  },
  file: {
    spec: captioned(),
    content: { caption: 'caption' },
    fields: [
      { name: 'src', label: 'File', kind: 'text' },
      { name: 'poster', label: 'Poster', kind: 'text', isOptional: true },
    ],
    isBlank: isWithoutSource,
    view: (tools) => cardView(tools, media['file']!.fields!, 'src', 'file-down'),
  },
  embed: {
    spec: captioned(),
    content: { caption: 'caption' },
    fields: [
      { name: 'url', label: 'Address', kind: 'text', placeholder: 'https://' },
      { name: 'fullWidth', label: 'Full width', kind: 'flag' },
    ],
    isBlank: (node) => (textAttribute(node, 'url') ?? '') === '',
    view: (tools) => cardView(tools, media['embed']!.fields!, 'url', 'link'),
  },
  drawing: {
    spec: { group: 'block', atom: true, attrs: blockAttrs, toDOM: () => ['div'] },
    content: 'none',
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
        src === '' ? 'Choose a picture' : src,
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
  const form = attributeForm(imageFields, tools)
  const contentDOM = element('figcaption', { 'data-placeholder': 'Caption' })
  dom.append(picture.dom, form.dom, contentDOM)
  const update = (node: ProseNode): void => {
    picture.update(node)
    form.update(node)
    contentDOM.classList.toggle('is-empty', node.childCount === 0)
  }
  update(tools.node())
  return { dom, contentDOM, update, form: form.dom }
}

function drawingView(tools: BlockTools) {
  const dom = element('div', { class: 'images drawing' })
  const picture = pictureOf(tools)
  const form = attributeForm(media['drawing']!.fields!, tools)
  dom.append(element('figure', {}, picture.dom), form.dom)
  const update = (node: ProseNode): void => {
    picture.update(node)
    form.update(node)
  }
  update(tools.node())
  return { dom, update, form: form.dom }
}

/** A card with what an address leads to, and its caption. */
function cardView(tools: BlockTools, fields: readonly AttributeField[], name: string, icon: string) {
  const dom = element('figure', { class: 'attachment' })
  const card = beside('div', { class: 'card-line' })
  const form = attributeForm(fields, tools)
  const contentDOM = element('figcaption', { 'data-placeholder': 'Caption' })
  dom.append(card, form.dom, contentDOM)
  const update = (node: ProseNode): void => {
    const url = textAttribute(node, name) ?? ''
    const target = tools.describeLink(url)
    const drawn = tools.icon(target?.icon ?? icon)
    card.replaceChildren(
      ...(drawn ? [drawn] : []),
      element('span', { class: 'card-title' }, target?.title ?? url.slice(url.lastIndexOf('/') + 1)),
      element('span', { class: 'card-detail' }, target?.detail ?? url),
    )
    form.update(node)
    contentDOM.classList.toggle('is-empty', node.childCount === 0)
  }
  update(tools.node())
  return { dom, contentDOM, update, form: form.dom }
}

export const mediaInsertions: readonly InsertableBlock[] = [
  {
    name: 'image',
    title: 'Image',
    keywords: 'picture photo screenshot figure',
    icon: 'image',
    group: 'Media',
    isInCells: true,
    block: { type: 'images', attributes: { images: [{ src: '' }] } },
  },
  {
    name: 'file',
    title: 'File',
    keywords: 'attachment download video audio pdf',
    icon: 'paperclip',
    group: 'Media',
    block: { type: 'file', attributes: { src: '', caption: [] } },
  },
  {
    name: 'embed',
    title: 'Embed',
    keywords: 'youtube vimeo figma iframe url link',
    icon: 'square-play',
    group: 'Media',
    block: { type: 'embed', attributes: { url: '', caption: [] } },
  },
]
