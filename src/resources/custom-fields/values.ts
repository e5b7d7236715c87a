/**
 * Values of custom fields and the texts that they are kept as. A value is one text, or for tags and choices of several
 * one for each; so a space is found by what it says without looking into anything.
 */
import type { CustomFieldType, CustomFieldValue } from '../../contract/custom-fields.js'
import { ApiError } from '../../contract/errors.js'
import type { CustomFieldRow, Said } from './store.js'

/** Returns the texts of a value; throws 400, naming the member, when it is none of the field's type. */
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

/** The value that a space has in a field. */
export function valueOf({ field, texts }: Said): CustomFieldValue {
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

/** Returns the text by which spaces with a value are found, from how somebody wrote it; undefined when no value is meant. */
export function textSought({ type }: CustomFieldRow, written: string): string | undefined {
  switch (type as CustomFieldType) {
    case 'number':
      return /^[-+.\de]+$/i.test(written) && Number.isFinite(Number(written))
        ? String(Number(written))
        : undefined
    case 'boolean':
      return written === 'true' || written === 'false' ? written : undefined
    default:
      return written
  }
}

/** True when the field may have the value of these texts: other fields of its type may offer other choices. */
export function takesTexts(field: CustomFieldRow, texts: readonly string[]): boolean {
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
