/**
 * Screenshots of the app: `npm run screenshots -- app <to> [<screen>…]`. A server with the guide, two spaces of texts as companies write
 * them and open change requests; each screen at two widths, light and dark.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Page, chromium } from 'playwright-core'
import sharp from 'sharp'
import { browserPath } from '../../tests/browser.js'
import { type ServerProgram, cleanEnvironment, startProgram } from '../../tests/server-program.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/octavo.js')

const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

interface DemoWorld {
  readonly organization: string
  readonly space: string
  /** Address of a page in an open change request. */
  readonly change: string
}

type Step = (page: Page) => Promise<void>
interface Screen {
  readonly path: (world: DemoWorld) => string
  /** What a person does before the picture is taken. */
  readonly act?: Step
}

const rich: Step = async (page) => {
  await page.getByRole('button', { name: 'Rich text' }).click()
  await page.locator('.document-editor').waitFor()
}
const inChange = ({ change }: DemoWorld) => change

const appScreens: Readonly<Record<string, Screen>> = {
  home: { path: () => '/' },
  account: { path: () => '/account' },
  trash: { path: ({ organization }) => `/o/${organization}/trash` },
  import: { path: () => '/', act: (page) => page.getByRole('button', { name: 'Import' }).first().click() },
  'new-space': {
    path: () => '/',
    act: (page) => page.getByRole('button', { name: 'New space' }).first().click(),
  },
  palette: {
    path: () => '/',
    async act(page) {
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type('meeting')
    },
  },
  keys: { path: ({ space }) => `/s/${space}/`, act: (page) => page.keyboard.press('?') },
  space: { path: ({ space }) => `/s/${space}/` },
  write: { path: inChange, act: rich },
  markdown: {
    path: inChange,
    act: (page) => page.getByRole('button', { name: 'Markdown' }).click(),
  },
  preview: { path: inChange, act: (page) => page.getByRole('button', { name: 'Preview' }).click() },
  settings: {
    path: inChange,
    async act(page) {
      await rich(page)
      await page.getByRole('button', { name: 'Page settings' }).click()
    },
  },
  changes: { path: inChange, act: (page) => page.getByRole('link', { name: 'Changes' }).click() },
  merge: { path: inChange, act: (page) => page.getByRole('button', { name: 'Merge' }).click() },
  missing: { path: () => '/s/unknown/' },
  ui: { path: () => '/~octavo/ui' },
  // The last one: it leaves a slash in the text.
  slash: {
    path: inChange,
    async act(page) {
      await rich(page)
      await page.locator('.document-editor > p').last().click()
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await page.keyboard.type('/')
    },
  },
}

/** Takes pictures of all screens, or of those with these names, into a folder. */
export async function takeAppScreens(to: string, names: readonly string[] = []): Promise<void> {
  await mkdir(to, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'octavo-screenshots-'))
  const server = await startProgram(folder, program)
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  try {
    const world = await fillWorld(folder, server)
    const { stdout } = await command(folder, 'user', 'sign-in-link', 'admin@localhost')
    const context = await browser.newContext({ baseURL: server.base, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto('/~octavo/sign-in')
    await takeBoth(page, to, 'sign-in')
    await page.goto(/\/~octavo\/sign-in\?link=\S+/.exec(stdout)![0])
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    const chosen = Object.entries(appScreens).filter(([name]) => names.length === 0 || names.includes(name))
    for (const [name, { path, act }] of chosen)
      for (const screen of screens) {
        await page.setViewportSize(screen)
        await page.goto(path(world), { waitUntil: 'networkidle' })
        // What a narrow window has no room for is in no picture.
        await act?.(page).catch((error: unknown) =>
          console.log(`${name} at ${screen.width}: ${String(error)}`),
        )
        await page.waitForTimeout(400)
        await take(page, to, `${name}-${screen.width}`)
      }
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function takeBoth(page: Page, to: string, name: string): Promise<void> {
  for (const screen of screens) {
    await page.setViewportSize(screen)
    await take(page, to, `${name}-${screen.width}`)
  }
}

async function take(page: Page, to: string, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForTimeout(100)
    const file = `app-${name}-${colorScheme}.webp`
    await sharp(await page.screenshot())
      .webp({ quality: 75 })
      .toFile(join(to, file))
    console.log(file)
  }
}

const command = (folder: string, ...words: readonly string[]) =>
  run(process.execPath, [program, ...words], { cwd: folder, env: cleanEnvironment, maxBuffer: 1 << 28 })

/** Imports the templates of the app as spaces, and opens change requests in them. */
async function fillWorld(folder: string, server: ServerProgram): Promise<DemoWorld> {
  const token = /API token: +(\S+)/.exec(server.errorOutput())![1]!
  // oxlint-disable-next-line typescript/no-explicit-any
  async function call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${server.base}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response.json()
  }
  const spaces: string[] = []
  for (const [name, title] of [
    ['handbook', 'Team handbook'],
    ['product', 'Product documentation'],
  ] as const) {
    const source = join(root, 'src/web/templates', name)
    const { stdout } = await command(
      folder,
      'import',
      source,
      '--title',
      title,
      '--json',
      '--url',
      server.base,
    )
    const result = stdout.split('\n').findLast((line) => line.includes('"event":"result"'))!
    spaces.push(/\/s\/(\w+)/.exec(result)![1]!)
  }
  const organization = (await call('GET', '/orgs')).items[0].id as string
  await call('PATCH', `/orgs/${organization}`, { title: 'Northwind' })
  const [handbook, product] = spaces
  await call('PATCH', `/spaces/${handbook}`, { emoji: '1f9ed' })
  await call('PATCH', `/spaces/${product}`, { emoji: '1f4e6' })
  await call('POST', `/spaces/${product}/change-requests`, { subject: 'Describe the new plans' })
  const requests = `/spaces/${handbook}/change-requests`
  const { number } = await call('POST', requests, { subject: 'Say when meetings may be short' })
  const { pages } = await call('GET', `/spaces/${handbook}/content/pages`)
  const meetings = pages.find(({ path }: { path: string }) => path === 'meetings') ?? pages[0]
  const { markdown } = await call('GET', `/spaces/${handbook}/content/page/${meetings.id}?format=markdown`)
  await call('POST', `${requests}/${number}/content`, {
    changes: [
      {
        operation: 'update_page',
        page: meetings.id,
        document: {
          markdown: `${markdown}\n## Short meetings\n\n{% hint style="info" %}\nA meeting without an agenda is cancelled. Nobody has to ask why.\n{% endhint %}\n\n| Meeting | At most | Who comes |\n| --- | --- | --- |\n| Weekly | 30 minutes | The whole team |\n| Planning | 60 minutes | Who does the work |\n| Review | 45 minutes | Everybody who is curious |\n\n- [x] The agenda is in the invitation\n- [ ] Somebody writes the notes\n\nNotes are published the same day.\n`,
        },
      },
    ],
  })
  return { organization, space: handbook!, change: `/s/${handbook}/~/changes/${number}/${meetings.path}` }
}
