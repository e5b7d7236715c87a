/**
 * Request generator: requests from the contract, valid, nearly valid, and hostile. Resources have names (`@A.space`), so
 * that a failed request can be replayed on other data.
 */
import { NoSchema, type Endpoint } from '../../src/contract/endpoint.js'
import type { Random } from './random.js'

export interface FuzzRequest {
  readonly operationId: string
  readonly actor: string
  readonly method: string
  /** With its query; names of resources are replaced when it is sent. */
  readonly path: string
  readonly contentType?: string
  /** As it is sent, but for the names. */
  readonly body?: string
}

type Json = Record<string, any>

/** Senders, drawn more often the more permissions they have. */
export const actors = [
  ...Array<string>(12).fill('A.admin'),
  ...Array<string>(5).fill('A.editor'),
  ...Array<string>(3).fill('A.reader'),
  'A.content',
  'outsider',
  'B.admin',
  'anonymous',
  'guess',
]

const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066',
  'é'.repeat(40),
  '🙂',
  "' or 1=1 --",
  '"; drop table x',
  '../../etc/passwd',
  '%',
  '%25',
  '\\',
  '{{',
  '{% if',
  '<script>alert(1)</script>',
  '$&',
  '__proto__',
  'constructor',
  'a'.repeat(3000),
  '('.repeat(500),
  '[['.repeat(300),
  '*'.repeat(1000),
  '> '.repeat(400),
  '- '.repeat(500),
  '`'.repeat(300),
  '\n'.repeat(500),
  '\r\n',
  '---\n',
  '# '.repeat(200),
  'NaN',
  '-0',
  '1e999',
  '٣',
  'null',
  'undefined',
  '/'.repeat(200),
  '..',
  '.',
  '?x=1',
  '#x',
  'visitor.claims.x',
  'a'.repeat(50) + '!',
  '|'.repeat(200),
  '==',
  '(((((((((((((((1)))))))))))))))',
  '$$x$$',
  '![](x)',
  '[a](b "c")',
  'http://[::1]/',
  'javascript:alert(1)',
]
const plainTexts = [
  'Title',
  'guide',
  'A longer title',
  'word',
  '# Page\n\nText with a [link](start.md).\n',
  'en',
  'a-b',
  'start',
  'x',
  '## Two\n\n{% hint style="info" %}\nHi\n{% endhint %}\n',
  '| a | b |\n| - | - |\n| 1 | 2 |\n',
  'visitor.claims.a == 1',
]
const hostileNumbers = [-1, 0, 1.5, 1e21, -1e-7, 2 ** 53, 1001, 2147483648, 999999999999]
const hostileValues: readonly unknown[] = [null, true, 0, '', [], {}, [[]], [null], { a: 1 }, 'x', -1]

/** Names of resources by the parameters that take them. */
const resourceNames: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^organization(Id)?$/, ['org']],
  [/^(space|spaceId|spaces)$/, ['space', 'live']],
  [/^changeRequest(Id)?$/, ['changeRequest', 'changeRequestNumber']],
  [/^(page|pageId|targetPage|into)$/, ['page']],
  [/^pagePath$/, ['pagePath']],
  [/^(commentId)$/, ['comment']],
  [/^(commentReplyId)$/, ['reply']],
  [/^(user|userId|users|authors|members|member|owner|creator|contributor)$/, ['admin', 'editor', 'reader']],
  [/^(team|teamId|teams|defaultTeam)$/, ['team']],
  [/^(collection|collectionId|parent)$/, ['collection']],
  [/^(site|siteId)$/, ['site']],
  [/^(siteSpace|siteSpaceId|defaultSiteSpace)$/, ['siteSpace']],
  [/^(siteSection|siteSectionId|sectionId|defaultSiteSection)$/, ['section']],
  [/^(siteSectionGroupId|sectionGroupId|parentSectionGroupId)$/, ['group']],
  [/^siteRedirectId$/, ['redirect']],
  [/^shareLinkId$/, ['shareLink']],
  [/^shareKey$/, ['shareKey']],
  [/^(revision|revisionId)$/, ['revision']],
  [/^(file|fileId)$/, ['file']],
  [/^(inviteId)$/, ['invite']],
  [/^fieldName$/, ['field']],
  [/^specSlug$/, ['spec']],
  [/^samlProviderId$/, ['saml']],
  [/^translationSettingsId$/, ['translation']],
  [/^documentId$/, ['document']],
  [/^(id)$/, ['page', 'comment', 'space']],
]

export function makeRequest(endpoint: Endpoint, chance: Random): FuzzRequest {
  const actor = chance.pick(actors)
  // Members of B only read, so that nothing of B is ever shared with others.
  const method = actor === 'B.admin' && endpoint.method !== 'GET' ? 'GET' : endpoint.method
  const mood = chance.pick(['valid', 'valid', 'nearly', 'hostile'] as const)
  const home = actor === 'B.admin' ? 'B' : 'A'
  const maker = makerOf(chance, mood, home)
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => maker.part(name)) + maker.query(endpoint)
  return { operationId: endpoint.operationId, actor, method, path, ...maker.body(endpoint, method) }
}

type Validity = 'valid' | 'nearly' | 'hostile'

function makerOf(chance: Random, mood: Validity, home: string) {
  const isOdd = (): boolean =>
    mood === 'hostile' ? chance.percent(25) : mood === 'nearly' && chance.percent(6)
  const text = (): string => (isOdd() ? chance.pick(hostileTexts) : chance.pick(plainTexts))

  /** A resource for a parameter, mostly of the right kind and organization. */
  function pickResource(name: string): string | undefined {
    const kinds = resourceNames.find(([names]) => names.test(name))?.[1]
    if (kinds === undefined) return undefined
    const [whose, kind] = [
      chance.percent(12) ? 'B' : home,
      chance.percent(6) ? chance.pick(resourceNames)[1][0] : chance.pick(kinds),
    ]
    return `@${whose}.${kind}`
  }

  function part(name: string): string {
    if (mood === 'hostile' && chance.percent(15))
      return chance.pick([
        '%00',
        '..%2f..',
        '%ff',
        '%',
        'a'.repeat(2100),
        '%2F',
        '.',
        '%E2%80%AE',
        "'",
        '*',
        '0',
        '~',
        '%5B%5D',
      ])
    // An empty one would be another address.
    return pickResource(name) ?? (encodeURIComponent(Buffer.from(text()).toString()).slice(0, 1500) || '-')
  }

  function value(schema: Json, name: string, depth: number): unknown {
    if (mood !== 'valid' && chance.percent(mood === 'hostile' ? 12 : 3)) return chance.pick(hostileValues)
    const choices = schema['anyOf'] ?? schema['oneOf']
    if (choices !== undefined) return value(chance.pick(choices), name, depth)
    if (schema['allOf'] !== undefined)
      return Object.assign({}, ...schema['allOf'].map((one: Json) => value(one, name, depth)))
    if (schema['const'] !== undefined) return schema['const']
    if (schema['enum'] !== undefined) return chance.pick(schema['enum'] as unknown[])
    const type = Array.isArray(schema['type']) ? chance.pick(schema['type'] as string[]) : schema['type']
    switch (type) {
      case 'string':
        return string(schema, name)
      case 'integer':
      case 'number':
        return isOdd() ? chance.pick(hostileNumbers) : (schema['minimum'] ?? 0) + chance.below(3)
      case 'boolean':
        return chance.percent(50)
      case 'null':
        return null
      case 'array': {
        const length = depth > 6 ? 0 : isOdd() ? 60 : Math.max(schema['minItems'] ?? 0, chance.below(3))
        return Array.from({ length }, () => value(schema['items'] ?? {}, name, depth + 1))
      }
      case 'object':
        return object(schema, depth)
      default:
        return chance.pick(hostileValues)
    }
  }

  function string(schema: Json, name: string): string {
    if (!isOdd()) {
      const known = pickResource(name)
      if (known !== undefined) return known
      if (schema['format'] === 'uri' || /url|origin/i.test(name))
        return chance.pick([
          'http://127.0.0.1:1/x',
          'https://10.0.0.1/',
          'http://[::1]/',
          'https://192.0.2.1/a?b#c',
        ])
      if (schema['format'] === 'date-time') return '2026-01-01T00:00:00Z'
      if (schema['format'] === 'email' || name === 'emails') return `new${chance.below(50)}@octavo.test`
      if (typeof schema['pattern'] === 'string')
        return chance.pick(['a', 'abc-d', '/a', '#ff0000', '/old', 'a_b', '1', '2026-01-01'])
    }
    const made = text()
    const longest: number = schema['maxLength'] ?? 10_000
    if (mood === 'valid') return made.padEnd(schema['minLength'] ?? 0, 'a').slice(0, longest)
    return chance.percent(10)
      ? made.repeat(Math.min(20, Math.ceil(longest / Math.max(1, made.length)) + 1))
      : made
  }

  function object(schema: Json, depth: number): Json {
    const made: Json = {}
    const required: readonly string[] = schema['required'] ?? []
    for (const [name, inner] of Object.entries((schema['properties'] ?? {}) as Json)) {
      const isRequired = required.includes(name)
        ? mood === 'valid' || !chance.percent(4)
        : depth < 6 && chance.percent(35)
      if (isRequired) made[name] = value(inner as Json, name, depth + 1)
    }
    for (const inner of Object.values((schema['patternProperties'] ?? {}) as Json))
      if (depth < 6) made[chance.pick(['audience', 'a', 'b c'])] = value(inner as Json, 'x', depth + 1)
    if (mood === 'hostile' && chance.percent(5))
      made[chance.pick(['__proto__', 'constructor', 'toString', 'extra'])] = { x: 1 }
    return made
  }

  return {
    part,
    query(endpoint: Endpoint): string {
      const { properties = {}, required = [] } = endpoint.query as { properties?: Json; required?: string[] }
      const members = new URLSearchParams()
      for (const [name, schema] of Object.entries(properties)) {
        if (!required.includes(name) && !chance.percent(30)) continue
        const made =
          name === 'page'
            ? chance.pick(['x', '0', '10', 'eyJhIjoxfQ', '=', '%00', 'a'.repeat(500)])
            : value(schema, name, 0)
        for (const one of [made].flat())
          members.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
      }
      if (mood === 'hostile' && chance.percent(10))
        members.append(chance.pick(['limit', 'a[]', 'constructor', '']), '1')
      // Names of resources remain readable, everything else is encoded as it is sent.
      const written = members.toString().replaceAll('%40', '@')
      return written === '' ? '' : `?${written}`
    },
    body(endpoint: Endpoint, method: string): Pick<FuzzRequest, 'body' | 'contentType'> {
      if (method === 'GET' || (endpoint.body === NoSchema && !endpoint.upload)) return {}
      if (endpoint.upload) {
        const contentType = chance.pick([
          'application/octet-stream',
          'application/zip',
          'multipart/form-data; boundary=x',
          'text/plain',
        ])
        return {
          contentType,
          body: chance.pick([
            '',
            'PK\u0003\u0004',
            'PK\u0005\u0006'.padEnd(22, '\0'),
            'text',
            '--x\r\n\r\n--x--',
          ]),
        }
      }
      if (mood === 'hostile' && chance.percent(20))
        return {
          contentType: chance.pick([
            'application/json',
            'text/plain',
            'application/json; charset=utf-16',
            '',
          ]),
          body: chance.pick([
            '',
            '{',
            'null',
            '[]',
            '"x"',
            '{"a":1}{',
            '['.repeat(5000),
            '{"__proto__":{}}',
            '\u0000',
            '1e400',
            `"${'\\u0000'}"`,
          ]),
        }
      return { contentType: 'application/json', body: JSON.stringify(value(endpoint.body as Json, '', 0)) }
    },
  }
}
