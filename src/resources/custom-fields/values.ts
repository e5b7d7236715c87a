/**
 * Encoding of custom field values as texts. A value is one text, or for tags and multi-select one per entry, so that
 * spaces can be searched by value with plain equality.
 */
import type { CustomFieldType, CustomFieldValue } from '../../contract/custom-fields.js'
import { ApiError } from '../../contract/errors.js'
import type { CustomFieldRow, FieldTexts } from './store.js'

/** Returns the texts of a value; throws 400, naming the member, when it is not of the field's type. */
export function textsOf(field: CustomFieldRow, value: CustomFieldValue, member: string): readonly string[] {
  const refuse = (allowed: string): never => {
    throw new ApiError('invalid_request', { problem: `The member "${member}" takes ${allowed}.` })
  }
  switch (field.type as CustomFieldType) {
    case 'text':
      return typeof value === 'string' ? [value] : refuse('a text')
    case 'number':
      return typeof value === 'number' ? [String(value)] : refuse('a number')
    case 'boolean':
      return typeof value === 'boolean' ? [String(value)] : refuse('true or false')
    case 'tags':
      return Array.isArray(value) ? value : refuse('a list of texts')
    case 'select:single':
      return typeof value === 'string' && isOption(field, value)
        ? [value]
        : refuse(`one of ${optionsOf(field)}`)
    case 'select:multi':
      return Array.isArray(value) && value.every((one) => isOption(field, one)) && isDistinct(value)
        ? value
        : refuse(`a list of ${optionsOf(field)}, each once`)
  }
}

/** Returns the value of a space in a field. */
export function valueOf({ field, texts }: FieldTexts): CustomFieldValue {
  const [text] = texts as [string]
  switch (field.type as CustomFieldType) {
    case 'number':
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'tags':
    case 'select:multi':
      return [...texts]
    default:
      return text
  }
}

/** Normalizes a search input to the stored text of a value; undefined for one that cannot be a value of the type. */
export function searchTextOf({ type }: CustomFieldRow, input: string): string | undefined {
  switch (type as CustomFieldType) {
    case 'number':
      return /^[-+.\de]+$/i.test(input) && Number.isFinite(Number(input)) ? String(Number(input)) : undefined
    case 'boolean':
      return input === 'true' || input === 'false' ? input : undefined
    default:
      return input
  }
}

/** True when the field accepts these texts: other fields of its type may have other options. */
export function acceptsTexts(field: CustomFieldRow, texts: readonly string[]): boolean {
  return !field.type.startsWith('select:') || texts.every((text) => isOption(field, text))
}

function isOption({ options }: CustomFieldRow, text: string): boolean {
  return optionsIn(options).includes(text)
}

function isDistinct(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length
}

function optionsOf({ options }: CustomFieldRow): string {
  return optionsIn(options)
    .map((option) => JSON.stringify(option))
    .join(', ')
}

export function optionsIn(options: string | null): readonly string[] {
  return options === null ? [] : (JSON.parse(options) as string[])
}
