/**
 * HTML template literals with automatic escaping: the only way text becomes markup.
 *
 * Every interpolated string is escaped; only `Html` values are inserted verbatim. `Html` is a class, so that no parsed
 * JSON can pass for it. Templates are indented in the source; output has a single line end in place of each
 * indentation. Does not check URLs or sanitise: see blocks/safe-url.ts and blocks/raw-html.ts.
 */

export class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }

  /** Characters, in UTF-16 units. */
  get length(): number {
    return this.#markup.length
  }
}

/** Values of a template: false, null and undefined print nothing, arrays are joined without a separator. */
export type Printable = Html | string | number | false | null | undefined | readonly Printable[]

export const nothing = new Html('')

const special = /[&<>"']/
const everySpecial = /[&<>"']/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The text with the five characters replaced that mean something in element content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return special.test(text) ? text.replace(everySpecial, (character) => entities[character] as string) : text
}

function print(value: Printable): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (value instanceof Html) return value.toString()
  if (Array.isArray(value)) {
    let joined = ''
    for (const item of value as readonly Printable[]) joined += print(item)
    return joined
  }
  return typeof value === 'number' ? String(value) : ''
}

/** By template, each of which is written once in the source. */
const unindented = new WeakMap<TemplateStringsArray, readonly string[]>()

/** To a browser a line end with indentation is the same white space as the line end alone. */
function withoutIndentation(template: TemplateStringsArray): readonly string[] {
  let parts = unindented.get(template)
  if (parts === undefined) {
    parts = template.map((part) => part.replace(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : blanks)))
    unindented.set(template, parts)
  }
  return parts
}

/** Markup from a template whose fixed parts are trusted and whose values are escaped; attribute values need quotes. */
export function html(template: TemplateStringsArray, ...values: readonly Printable[]): Html {
  const fixed = withoutIndentation(template)
  let markup = fixed[0] as string
  for (let index = 0; index < values.length; index++) {
    markup += print(values[index])
    markup += fixed[index + 1] as string
  }
  return new Html(markup)
}

/** The only way to declare a string safe: for output of our own serialisers, never for user content. */
export function trusted(markup: string): Html {
  return new Html(markup)
}

/**
 * The same markup as one flat string. V8 keeps a concatenated string as a rope until a character is read, and each
 * concatenation with it walks the rope again: for markup that is inserted into many pages.
 */
export function flatten(markup: Html): Html {
  return new Html(Buffer.from(markup.toString()).toString())
}

/** The parts concatenated. */
export function join(parts: readonly Printable[]): Html {
  return new Html(print(parts))
}

export type AttributeValue = string | number | boolean | null | undefined

/**
 * The attributes with a leading space each: true prints the bare name, false, null and undefined
 * print nothing, an empty string prints `name=""`. Names come from our own code only.
 */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Html {
  let markup = ''
  for (const name in values) {
    const value = values[name]
    if (value === undefined || value === null || value === false) continue
    markup += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`
  }
  return new Html(markup)
}
