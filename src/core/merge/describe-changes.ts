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
  for (const [name, sentence] of settings)
    if (changes.some((change) => isOfSetting(change, name))) texts.push(sentence)
  return texts.length === 0 ? 'Nothing that a reader would see.' : texts.join(' ')
}

/** Returns a sentence that describes one change. */
export function describeChange(change: ContentChange): string {
  if (change.type === 'page_edited' || change.type === 'file_edited') {
    const renamed = renamingIn(change)
    const name = 'page' in change ? change.page.title : change.file.name
    const implied = 'page' in change ? ['title'] : renamed === undefined ? [] : ['name', 'path']
    const parts = Object.keys(change.attributes)
      .filter((attribute) => !implied.includes(attribute))
      .map((attribute) => attributeNames.get(attribute) ?? attribute)
    if (renamed === undefined) return `Edited ${quote(name)}: ${parts.join(', ')}.`
    return `Renamed ${renamed}${parts.length === 0 ? '' : `, and edited it: ${parts.join(', ')}`}.`
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
  nameIn: (change) =>
    change.type === type && 'file' in change && renamingIn(change) === undefined
      ? quote(change.file.name)
      : undefined,
})
const ofText = (verb: string, type: TextChange['type']): Sentence => ({
  verb,
  ...text,
  nameIn: (change) =>
    'path' in change && change.type === type && isReusable(change) && renamingIn(change) === undefined
      ? quote(titleOfText(change.path, change.after ?? change.before))
      : undefined,
})

const sentences: readonly Sentence[] = [
  ofPage('Added', 'page_created'),
  ofPage('Removed', 'page_deleted'),
  {
    verb: 'Renamed',
    one: '',
    many: '',
    nameIn: renamingIn,
  },
  ofPage('Moved', 'page_moved'),
  {
    verb: 'Edited',
    ...page,
    nameIn: (change) =>
      change.type === 'page_edited' && renamingIn(change) === undefined
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

/** Settings that have a sentence of their own, by the name of their file. */
const settings = [
  ['vars.yaml', 'Changed the variables.'],
  ['tags.yaml', 'Changed the tags.'],
] as const

function isOfSetting(change: ContentChange, name: string): boolean {
  return 'path' in change && nameOf(change.path) === name && !isReusable(change)
}

/** Returns the former and the new name of what was renamed, undefined for all else. */
function renamingIn(change: ContentChange): string | undefined {
  const [was, is] = namesIn(change)
  return was === undefined || was === is ? undefined : `${quote(was)} to ${quote(is)}`
}

function namesIn(change: ContentChange): readonly [was: string | undefined, is: string] {
  switch (change.type) {
    case 'page_edited':
      return [textOf(change.attributes['title']?.before), change.page.title]
    case 'file_edited':
      return [textOf(change.attributes['name']?.before), change.file.name]
    case 'text_edited': {
      if (!isReusable(change)) return [undefined, '']
      const { path, before, after } = change
      return [titleOfText(path, before), titleOfText(path, after)]
    }
    default:
      return [undefined, '']
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
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
