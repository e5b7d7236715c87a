import { expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import type { OrganizationId, UserId } from '../../core/ids.js'
import { type Settings, readSettings } from '../settings/settings.js'
import { firstStartLines, prepareFirstStart } from './first-start.js'

const password = 'a password of the settings'
const token = `oct_${'a'.repeat(40)}`

describeSqlite('the first start', (engine) => {
  async function start(settings: Partial<Settings>) {
    const database = await engine.open()
    const all = { ...(await readSettings({}, {}, '/nowhere')), ...settings }
    const first = (await prepareFirstStart(database, all, 1))!
    const links = await database.read.selectFrom('sign_in_links').select('user_id').execute()
    return { text: firstStartLines(first, '/data', 'http://octavo.test').join('\n'), links: links.length }
  }

  test('prints a sign-in link and a token', async () => {
    const { text, links } = await start({})
    expect(text).toMatch(/sign-in\?link=\S+\nAPI token: {2}oct_\w{40}\nThis is shown once/)
    expect(links).toBe(1)
  })

  test('prints no secret, and makes no link, where the settings have password and token', async () => {
    const { text, links } = await start({ adminPassword: password, adminToken: token })
    expect(text).toBe(
      'Octavo keeps its data in /data\nSign in as admin@localhost with the password of OCTAVO_ADMIN_PASSWORD:  http://octavo.test/~octavo/sign-in',
    )
    expect(links).toBe(0)
  })
})

test.each([
  [{ signInLink: undefined, token: 'oct_x' }, /^(?![^]*link)[^]*API token: {2}oct_x\nThis is shown once/],
  [{ signInLink: 'abc', token: undefined }, /link=abc\nThis is shown once[^\n]*sign-in-link a@x\.test$/],
])('the first start prints only what no setting has: %j', (secrets, printed) => {
  const first = {
    organizationId: 'o' as OrganizationId,
    userId: 'u' as UserId,
    email: 'a@x.test',
    ...secrets,
  }
  expect(firstStartLines(first, '/data', 'http://octavo.test').join('\n')).toMatch(printed)
})
