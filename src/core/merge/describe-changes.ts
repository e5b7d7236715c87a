/** Change summary in a sentence or two: the note of a merge, and the heading of a list of changes. Its length is bounded. */
import { nameOf } from '../pages/paths.js'
import { titleOfText } from '../pages/read.js'
import type { ContentChange } from './diff-snapshots.js'

/** Names listed of each kind of change, and characters of each name. */
const [maxNames, maxNameLength] = [3, 60]

/** Returns a sentence for each kind of change, with its first names in alphabetical order. */
export function describeChanges(changes: readonly ContentChange[]): string {
  const texts = sentences.flatMap(({ verb, one, many, nameIn }) => {
    const names = changes.flatMap((change) => nameIn(change) ?? []).toSorted(byCharacters)
    if (names.length === 0) return []
    const noun = names.length === 1 ? one : many
    return [`${verb}${noun === '' ? '' : ` ${noun}`} ${enumerate(names)}.`]
  })
  if (changes.some(isOfVariables)) texts.push('Changed the variables.')
  return texts.length === 0 ? 'Nothing that a reader would see.' : texts.join(' ')
}

/** Returns a sentence that describes one change. */
export function describeChange(change: ContentChange): string {
  if (isOfVariables(change)) return 'Changed the variables.'
  if (change.type === 'page_edited' || change.type === 'file_edited') {
    const { title, ...others } = change.attributes as Record<string, { before?: unknown; after?: unknown }>
    const name = 'page' in change ? change.page.title : change.file.name
    const parts = Object.keys(others).map((attribute) => attributeNames.get(attribute) ?? attribute)
    if (title === undefined) return `Edited ${quote(name)}: ${parts.join(', ')}.`
    const renamed = `Renamed ${quote(String(title.before))} to ${quote(name)}`
    return parts.length === 0 ? `${renamed}.` : `${renamed}, and edited it: ${parts.join(', ')}.`
  }
  return describeChanges([change])
}

const attributeNames: ReadonlyMap<string, string> = new Map([
  ['document', 'text'],
  ['downloadURL', 'bytes'],
  ['contentType', 'type'],
  ['linkTitle', 'title of links'],
])

interface Sentence {
  readonly verb: string
  readonly one: string
  readonly many: string
  readonly nameIn: (change: ContentChange) => string | undefined
}

const page = { one: 'the page', many: 'the pages' }
const file = { one: 'the file', many: 'the files' }
const text = { one: 'the reusable content', many: 'the reusable contents' }
const ofPage = (verb: string, type: ContentChange['type']): Sentence => ({
  verb,
  ...page,
  nameIn: (change) => (change.type === type && 'page' in change ? quote(change.page.title) : undefined),
})
const ofFile = (verb: string, type: ContentChange['type']): Sentence => ({
  verb,
  ...file,
  nameIn: (change) => (change.type === type && 'file' in change ? quote(change.file.name) : undefined),
})
const ofText = (verb: string, type: TextChange['type']): Sentence => ({
  verb,
  ...text,
  nameIn: (change) =>
    'path' in change && change.type === type && isReusable(change)
      ? quote(titleOfText(change.path))
      : undefined,
})

const sentences: readonly Sentence[] = [
  ofPage('Added', 'page_created'),
  ofPage('Removed', 'page_deleted'),
  {
    verb: 'Renamed',
    one: '',
    many: '',
    nameIn(change) {
      const title = change.type === 'page_edited' ? change.attributes['title'] : undefined
      if (title === undefined || change.type !== 'page_edited') return undefined
      return `${quote(String(title.before))} to ${quote(change.page.title)}`
    },
  },
  ofPage('Moved', 'page_moved'),
  {
    verb: 'Edited',
    ...page,
    nameIn: (change) =>
      change.type === 'page_edited' && change.attributes['title'] === undefined
        ? quote(change.page.title)
        : undefined,
  },
  ofFile('Added', 'file_created'),
  ofFile('Removed', 'file_deleted'),
  ofFile('Changed', 'file_edited'),
  ofText('Added', 'text_created'),
  ofText('Removed', 'text_deleted'),
  ofText('Edited', 'text_edited'),
]

type TextChange = Extract<ContentChange, { readonly path: string }>

function isReusable({ before, after }: TextChange): boolean {
  const entry = after ?? before
  return entry !== undefined && 'id' in entry && entry.id !== undefined
}

function isOfVariables(change: ContentChange): boolean {
  return 'path' in change && nameOf(change.path) === 'vars.yaml' && !isReusable(change)
}

function enumerate(names: readonly string[]): string {
  const texts = names.slice(0, maxNames)
  const more = names.length - texts.length
  if (more > 0) return `${texts.join(', ')} and ${more} more`
  return texts.length === 1 ? texts[0]! : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

function quote(name: string): string {
  const characters = Array.from(name.slice(0, 2 * maxNameLength + 2))
  const isLong = characters.length > maxNameLength
  return `“${isLong ? `${characters.slice(0, maxNameLength).join('')}…` : name}”`
}

function byCharacters(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
