/** DOM of blocks: elements, and the button that opens the form of a block. No inline styles: the policy forbids them. */
import { documentText as text } from '../i18n/document-text.js'
import type { BlockTools } from './construct.js'

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

/**
 * Returns the button that opens the form over the attributes of a block, or undefined where the app has no forms. It is
 * displayed above the corner of the block that the pointer or the cursor is in, and takes no room in the text.
 */
export function settingsButton(tools: BlockTools): HTMLElement | undefined {
  const { openForm } = tools
  if (openForm === undefined) return undefined
  const icon = tools.icon('sliders-horizontal')
  const label = text.settings
  const button = beside(
    'button',
    { type: 'button', class: 'block-settings', 'aria-label': label, title: label },
    icon,
  )
  // The selection stays where it is.
  button.addEventListener('pointerdown', (event) => event.preventDefault())
  button.addEventListener('click', () => {
    const position = tools.position()
    if (position !== undefined && tools.isEditable()) openForm(position, button)
  })
  return button
}
