import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from './settings.js'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-settings-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function problemsOf(environment: Record<string, string>, flags = {}): Promise<string> {
  return readSettings(flags, environment, folder).then(
    () => '',
    (error: Error) => error.message,
  )
}

/** Invalid values of each setting, and the expected message. */
const wrong: readonly (readonly [setting: string, value: string, message: string])[] = [
  ['OCTAVO_PORT', '70000', 'must be a whole number from 0 to 65535, not 70000.'],
  ['OCTAVO_PORT', 'x', 'must be a whole number from 0 to 65535, not "x".'],
  [
    'OCTAVO_URL',
    'docs.test',
    'must be an address that begins with "http://" or "https://", not "docs.test".',
  ],
  ['OCTAVO_URL', 'http://', 'must be an address that begins'],
  ['OCTAVO_URL', 'http:docs.test', 'must be an address that begins'],
  ['OCTAVO_URL', 'https://docs.test/?a', 'must be an address that begins'],
  ['OCTAVO_DATABASE_URL', 'mysql://a:hush@b/c', 'must be an address that begins with "postgres://".'],
  [
    'OCTAVO_FILES_URL',
    '/files',
    'must be an address that begins with "s3://" and names a bucket, not "/files".',
  ],
  ['OCTAVO_FILES_URL', 's3://', 'must be an address that begins with "s3://" and names a bucket'],
  ['OCTAVO_SITES_DOMAIN', 'Docs.test', 'must be a domain in small letters, such as "docs.example.com", not'],
  ['OCTAVO_SITES_DOMAIN', 'docs..test', 'must be a domain in small letters'],
  ['OCTAVO_SECRET', 'hush', 'must be at least 16 characters.'],
  ['OCTAVO_ADMIN_EMAIL', '@', 'must be an e-mail address, not "@".'],
  ['OCTAVO_ADMIN_PASSWORD', 'hush', 'must be at least 10 characters.'],
  ['OCTAVO_ADMIN_TOKEN', 'hush', 'must be "oct_" and 40 letters or digits.'],
  ['OCTAVO_SMTP_URL', 'http://a:hush@b', 'must be an address that begins with "smtp://" or "smtps://".'],
  ['OCTAVO_SMTP_URL', 'smtp://', 'must be an address that begins with "smtp://" or "smtps://".'],
  [
    'OCTAVO_MAIL_FROM',
    'Docs <docs>',
    'must be an e-mail address, or one in angle brackets behind a name, not',
  ],
  [
    'OCTAVO_OIDC_ISSUER',
    'http://docs.test',
    'must be an address that begins with "https://", or with "http://" on',
  ],
  ['OCTAVO_OIDC_CLIENT_ID', 'a', 'needs OCTAVO_OIDC_ISSUER too.'],
  ['OCTAVO_OIDC_CLIENT_SECRET', 'a', 'needs OCTAVO_OIDC_ISSUER too.'],
  ['OCTAVO_OIDC_NAME', 'a'.repeat(41), 'must be at most 40 characters, not'],
  ['OCTAVO_METRICS_TOKEN', 'hush', 'must be at least 16 characters.'],
  ['OCTAVO_FETCH_NETWORKS', 'intranet', 'must be addresses or networks with commas between, such as'],
  ['OCTAVO_TRUSTED_PROXIES', '10.0.0.0/99', 'must be addresses or networks with commas between, such as'],
  ['OCTAVO_DEMO', 'maybe', 'must be "true" or "false", not "maybe".'],
  ['OCTAVO_CACHE_MB', '1', 'must be a whole number from 16 to 1000000, not 1.'],
  ['OCTAVO_COUNTRY_HEADER', 'where from', 'must be the name of a header, such as "CF-IPCountry"'],
  ['OCTAVO_AUDIT_DAYS', '0', 'must be a whole number from 1 to 36500, not 0.'],
  [
    'OCTAVO_BACKUP',
    'https://backups',
    'must be a folder, or an address that begins with "s3://" and names a bucket',
  ],
  ['OCTAVO_BACKUP_HOURS', '0', 'must be a whole number from 1 to 720, not 0.'],
  ['OCTAVO_BACKUP_COUNT', '0', 'must be a whole number from 1 to 10000, not 0.'],
  ['OCTAVO_BACKUP_PASSPHRASE', 'hush', 'must be at least 12 characters.'],
  ['OCTAVO_REQUESTS_PER_TOKEN', '-1', 'must be a whole number from 0 to 1000000000.'],
  ['OCTAVO_REQUESTS_PER_ADDRESS', 'many', 'must be a whole number from 0 to 1000000000, not "many".'],
  ['OCTAVO_LOG_LEVEL', 'loud', 'must be one of silent, error, warn, info, debug, not "loud".'],
]

/** Any text may be valid; unusable values cause errors when they are used: open.test.ts, reserve-address.test.ts. */
const anyText = ['OCTAVO_DATA', 'OCTAVO_HOST']

test.each(wrong)('%s is not %s: the message says what is allowed', async (setting, value, message) => {
  const problems = await problemsOf({ [setting]: value })
  expect(problems).toContain(`${setting} ${message}`)
  expect(problems).not.toContain('hush')
})

test.each([
  ['OCTAVO_URL', 'https://docs.test:8443/base/'],
  ['OCTAVO_DATABASE_URL', 'postgresql:///docs?host=/run/postgresql'],
  ['OCTAVO_FILES_URL', 's3://bucket/prefix'],
  ['OCTAVO_SITES_DOMAIN', 'sites.localhost'],
  ['OCTAVO_SMTP_URL', 'smtps://a:b@mail.test:465'],
  ['OCTAVO_MAIL_FROM', 'Docs of us <docs@octavo.test>'],
  ['OCTAVO_MAIL_FROM', 'docs@octavo.test'],
  ['OCTAVO_TRUSTED_PROXIES', '127.0.0.1, 10.0.0.0/8,::1'],
  ['OCTAVO_FETCH_NETWORKS', '10.0.0.0/8, fd12::/16'],
])('%s may be %s', async (setting, value) => {
  expect(await problemsOf({ [setting]: value })).toBe('')
})

test('an OpenID provider needs TLS unless it is on this machine', async () => {
  const client = { OCTAVO_OIDC_CLIENT_ID: 'a', OCTAVO_OIDC_CLIENT_SECRET: 'b' }
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80'])
    expect(await problemsOf({ ...client, OCTAVO_OIDC_ISSUER: `http://${host}/realm` })).toBe('')
  expect(await problemsOf({ ...client, OCTAVO_OIDC_ISSUER: 'http://localhost.test' })).toContain('https://')
})

test('every setting is documented and has a case of an invalid value', async () => {
  const source = await readFile(new URL('settings.ts', import.meta.url), 'utf8')
  const known = [...source.matchAll(/^ {2}\w+: '(OCTAVO_\w+)',$/gm)].map(([, name]) => name!)
  const page = await readFile(new URL('../../../docs/guide/running.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `OCTAVO_'))
  const documented = rows.flatMap((row) => {
    const [first, ...more] = [...row.split('|')[1]!.matchAll(/`(\S+)`/g)].map(([, name]) => name!)
    // `OCTAVO_OIDC_ISSUER`, `…_NAME` stands for `OCTAVO_OIDC_NAME`.
    return [first!, ...more.map((name) => name.replace('…', first!.slice(0, first!.lastIndexOf('_'))))]
  })
  expect(documented.toSorted()).toEqual(known.toSorted())
  expect([...new Set([...wrong.map(([name]) => name), ...anyText])].toSorted()).toEqual(known.toSorted())
})

test.each([
  ['OCTAVO_PROT', 'OCTAVO_PROT is no setting: did you mean OCTAVO_PORT?'],
  ['OCTAVO_DATABSE_URL', 'OCTAVO_DATABSE_URL is no setting: did you mean OCTAVO_DATABASE_URL?'],
  ['OCTAVO_SOMETHING_ELSE', 'OCTAVO_SOMETHING_ELSE is no setting.'],
])('the variable %s is refused', async (name, message) => {
  expect(await problemsOf({ [name]: '1' })).toBe(message)
})

test('ignores variables of other programs, and of Kubernetes beside a service of this name', async () => {
  const environment = {
    OTHER_PORT: 'x',
    OCTAVO_SERVICE_HOST: '10.0.0.1',
    OCTAVO_PORT_80_TCP: 'tcp://10.0.0.1',
  }
  expect(await problemsOf(environment)).toBe('')
  expect((await readSettings({ port: '0' }, environment, folder)).port).toBe(0)
})

test('reports all problems together, unknown names in the file too', async () => {
  await writeFile(join(folder, 'octavo.config.json'), '{"prot": 1, "auditDays": 0}')
  const message = await problemsOf({ OCTAVO_SMTP_URL: 'mail' })
  expect(message.split('\n')).toEqual([
    'These settings cannot be used:',
    '  "prot" in octavo.config.json is no setting: did you mean port?',
    '  OCTAVO_SMTP_URL must be an address that begins with "smtp://" or "smtps://".',
    '  OCTAVO_AUDIT_DAYS must be a whole number from 1 to 36500, not 0.',
  ])
  await rm(join(folder, 'octavo.config.json'))
})

test.each([
  ['[1]', 'must be an object: settings by their names.'],
  ['{"port": 1', 'is not valid JSON'],
])('a file that holds %s is refused', async (text, message) => {
  const path = join(folder, 'octavo.config.json')
  await writeFile(path, text)
  expect(await problemsOf({})).toContain(`${path} ${message}`)
  await rm(path)
})
