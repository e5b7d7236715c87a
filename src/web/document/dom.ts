/** DOM of blocks: elements, and the form over the attributes of a block. No inline styles: the policy forbids them. */
import type { Node as ProseNode } from 'prosemirror-model'
import type { AttributeField, BlockTools } from './construct.js'
import { attributesOf } from './construct.js'
import type { JsonValue } from '../../core/document/json-node.js'

type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** Returns an element; attributes that are undefined or false are left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Element | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) setAttribute(created, key, value)
  created.append(...children.filter((child) => child !== undefined))
  return created
}

export function setAttribute(target: Element, name: string, value: string | boolean | undefined): void {
  if (value === undefined || value === false) target.removeAttribute(name)
  else target.setAttribute(name, value === true ? '' : value)
}

/** Replaces classes of an element by others; those that are not its own stay, such as that of a selected node. */
export function replaceClasses(target: Element, before: readonly string[], after: readonly string[]): void {
  target.classList.remove(...before.filter((name) => !after.includes(name)))
  target.classList.add(...after)
}

/** An element beside the text, in which no cursor is. */
export function beside<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Element | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  return element(name, { contenteditable: 'false', ...attributes }, ...children)
}

/** A form over attributes of a block. */
export interface AttributeForm {
  readonly dom: HTMLElement
  update(node: ProseNode): void
}

/** Returns a line with a control for each field; what is entered is set at once, as one step that can be undone. */
export function attributeForm(fields: readonly AttributeField[], tools: BlockTools): AttributeForm {
  const controls = fields.map((field) => ({ field, control: controlOf(field) }))
  const dom = beside('div', { class: 'block-form' })
  for (const { field, control } of controls) {
    const label = element('label', { class: `block-field block-field-${field.kind}` })
    label.append(element('span', {}, field.label), control)
    dom.append(label)
    control.addEventListener('change', () => {
      tools.setAttributes({ [field.name]: valueOf(field, control) })
    })
  }
  dom.addEventListener('keydown', (event) => {
    if (event.isComposing) return
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      event.target.dispatchEvent(new Event('change'))
      tools.view.focus()
    } else if (event.key === 'Escape') tools.view.focus()
  })
  const update = (node: ProseNode): void => {
    for (const { field, control } of controls) {
      control.disabled = !tools.isEditable()
      display(field, control, attributesOf(node)[field.name])
    }
  }
  update(tools.node())
  return { dom, update }
}

type Control = HTMLInputElement | HTMLSelectElement

function controlOf({ kind, options = [], placeholder, label }: AttributeField): Control {
  if (kind !== 'choice')
    return element('input', {
      type: kind === 'flag' ? 'checkbox' : 'text',
      placeholder: placeholder ?? (kind === 'flag' ? undefined : label),
      spellcheck: 'false',
    })
  return element('select', {}, ...options.map(([value, text]) => element('option', { value }, text)))
}

function display(field: AttributeField, control: Control, value: JsonValue | undefined): void {
  if (control instanceof HTMLInputElement && field.kind === 'flag') control.checked = value === true
  else {
    const text = Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : ''
    const displayed = field.kind === 'choice' && text === '' ? (field.options?.[0]?.[0] ?? '') : text
    // What is being typed is not replaced.
    if (control.value !== displayed && control !== document.activeElement) control.value = displayed
  }
}

function valueOf(field: AttributeField, control: Control): JsonValue | undefined {
  if (control instanceof HTMLInputElement && field.kind === 'flag') return control.checked || undefined
  if (field.kind === 'list')
    return control.value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  if (field.isOptional && control.value === (field.options?.[0]?.[0] ?? '')) return undefined
  return control.value
}
