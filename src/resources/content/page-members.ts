/** Which members a change of a page may have: those of its type. */
import { parseExpression } from '../../core/conditions/parse.js'
import { EditError } from '../../core/pages/edit-error.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { ChangeOf } from '../../contract/changes.js'
import { refuseMember } from './change-batch.js'

type PageChange = ChangeOf<'insert_page'> | ChangeOf<'update_page'>
type PageType = PageRecord['type']

/** Members of every type; a link title has an error of its own. */
const common = [
  'operation',
  'type',
  'page',
  'base',
  'ref',
  'title',
  'linkTitle',
  'emoji',
  'icon',
  'hidden',
  'into',
  'at',
]
const membersOf: Readonly<Record<PageType, ReadonlySet<string>>> = {
  document: new Set([
    ...common,
    'slug',
    'document',
    'description',
    'noIndex',
    'noRobotsIndex',
    'condition',
    'tags',
    'cover',
    'layout',
    'variables',
  ]),
  group: new Set([...common, 'slug']),
  link: new Set([...common, 'target']),
  computed: new Set([...common, 'slug', 'computed']),
}
const nameOf = { document: 'a document', group: 'a group', link: 'a link page', computed: 'a computed page' }

/** Returns the type of a new page; throws 400 where members of it are missing, or of another one. */
export function requireMembersOfType(change: ChangeOf<'insert_page'>, index: number): PageType {
  const { target, computed, document, title } = change
  const implied = target !== undefined ? 'link' : computed !== undefined ? 'computed' : 'document'
  const type = change.type ?? implied
  const isAmbiguous = [document, computed, target].filter((one) => one !== undefined).length !== 1
  if (change.type === undefined && isAmbiguous) throw new EditError('no-content', title ?? '')
  requireMembersOf(type, change, index)
  requireValidCondition(change, index)
  const needed = {
    document: ['document'],
    computed: ['computed'],
    group: ['title'],
    link: ['title', 'target'],
  }
  const missing = needed[type].find((name) => !(name in change))
  if (missing !== undefined) refuseMember(`changes[${index}].${missing}`, `is needed for ${nameOf[type]}`)
  return type
}

/** Throws 400 for a member that pages of the type do not have. */
export function requireMembersOf(type: PageType, change: PageChange, index: number): void {
  const other = Object.entries(change).find(
    ([name, value]) => value !== undefined && !membersOf[type].has(name),
  )
  if (other !== undefined) refuseMember(`changes[${index}].${other[0]}`, `is none of ${nameOf[type]}`)
}

/** Throws 400 for a condition that is no expression: it would hide the page from everybody. */
export function requireValidCondition({ condition = '' }: PageChange, index: number): void {
  const parsed = condition === '' ? undefined : parseExpression(condition)
  if (parsed?.ok === false) {
    const problem = parsed.problem.message.replace(/\.$/, '')
    refuseMember(`changes[${index}].condition`, `is not a valid expression: ${problem}`)
  }
}
