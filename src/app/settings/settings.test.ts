import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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

test.each([
  [{ OCTAVO_PORT: '70000' }, 'OCTAVO_PORT must be a whole number from 0 to 65535, not 70000.'],
  [{ OCTAVO_PORT: 'x' }, 'OCTAVO_PORT must be a whole number from 0 to 65535, not "x".'],
  [
    { OCTAVO_URL: 'docs.example.com' },
    'OCTAVO_URL must be an address that begins with "http://" or "https://", not "docs.example.com".',
  ],
  [
    { OCTAVO_LOG_LEVEL: 'loud' },
    'OCTAVO_LOG_LEVEL must be one of silent, error, warn, info, debug, not "loud".',
  ],
  [{ OCTAVO_DEMO: 'maybe' }, 'OCTAVO_DEMO must be "true" or "false", not "maybe".'],
  [{ OCTAVO_SECRET: 'hush' }, 'OCTAVO_SECRET must be at least 16 characters.'],
  [{ OCTAVO_ADMIN_TOKEN: 'hush' }, 'OCTAVO_ADMIN_TOKEN must be "oct_" and 40 letters or digits.'],
  [
    { OCTAVO_OIDC_CLIENT_ID: 'a', OCTAVO_OIDC_CLIENT_SECRET: 'b' },
    'OCTAVO_OIDC_CLIENT_ID needs OCTAVO_OIDC_ISSUER too.',
  ],
  [{ OCTAVO_PROT: '1' }, 'OCTAVO_PROT is no setting: did you mean OCTAVO_PORT?'],
  [{ OCTAVO_DATABSE_URL: '1' }, 'OCTAVO_DATABSE_URL is no setting: did you mean OCTAVO_DATABASE_URL?'],
  [{ OCTAVO_SOMETHING_ELSE: '1' }, 'OCTAVO_SOMETHING_ELSE is no setting.'],
])('%j is told with what is allowed', async (environment, told) => {
  expect(await problemsOf(environment as Record<string, string>)).toContain(told)
})

test('variables of others, and of Kubernetes beside a service of this name, are let be', async () => {
  const environment = {
    OTHER_PORT: 'x',
    OCTAVO_SERVICE_HOST: '10.0.0.1',
    OCTAVO_PORT_80_TCP: 'tcp://10.0.0.1',
  }
  expect(await problemsOf(environment)).toBe('')
  expect((await readSettings({ port: '0' }, environment, folder)).port).toBe(0)
})

test('all that is wrong is told at once, names of the file too', async () => {
  await writeFile(join(folder, 'octavo.config.json'), '{"prot": 1, "auditDays": 0}')
  const told = await problemsOf({ OCTAVO_SMTP_URL: 'mail' })
  expect(told.split('\n')).toEqual([
    'These settings cannot be used:',
    '  "prot" in octavo.config.json is no setting: did you mean port?',
    '  OCTAVO_SMTP_URL must be an address that begins with "smtp://" or "smtps://", not "mail".',
    '  OCTAVO_AUDIT_DAYS must be a whole number from 1 to 36500, not 0.',
  ])
})
