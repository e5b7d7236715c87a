/**
 * Browser fixture of the app: one server as users start it, one Chromium and one signed-in context for each group of tests.
 *
 * `describeApp` opens and closes it, closes the tabs that a test leaves open, and fails the test in which a page threw.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  chromium,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { browserPath } from '../browser.js'
import { type ServerProgram, cleanEnvironment, startProgram } from '../server-program.js'

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../bin/octavo.js')
const screen = { width: 1280, height: 800 }

/** A change request of a space with one page, whose path is `start`. */
export interface OpenChange {
  readonly space: string
  readonly page: string
  /** Path of the change request in the API, without a slash at its end. */
  readonly apiPath: string
  /** Addresses in the app: the page in the change request, and the space. */
  readonly path: string
  readonly spacePath: string
  /** Markdown of the page in the change request. */
  text(): Promise<string>
}

export class App {
  /** Folder of the server: its data are in it, and commands are run there. */
  folder!: string
  server!: ServerProgram
  browser!: Browser
  /** The administrator's, signed in. */
  context!: BrowserContext
  /** API token of the administrator. */
  token!: string
  /** The organization of the first start. */
  organization!: string
  /** Exceptions of pages; a test that expects one takes it out. */
  readonly errors: string[] = []
  /** Environment of the server. */
  private settings: Readonly<Record<string, string>> = {}

  get base(): string {
    return this.server.base
  }

  async open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    this.settings = settings
    this.folder = mkdtempSync(join(tmpdir(), 'octavo-app-'))
    const launching = chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
    this.server = await startProgram(this.folder, program, settings)
    this.browser = await launching
    const output = this.server.errorOutput()
    this.token = /API token: +(\S+)/.exec(output)![1]!
    this.context = await this.signIn(/\/~octavo\/sign-in\?link=\S+/.exec(output)![0])
    this.organization = (await this.call('GET', '/orgs')).items[0].id
  }

  async close(): Promise<void> {
    await this.browser?.close()
    await this.server?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Kills the server and starts it again at the same address. */
  async restart(): Promise<void> {
    const { port } = new URL(this.base)
    await this.server.kill()
    this.server = await startProgram(this.folder, program, this.settings, port)
  }

  /** A context of its own, signed in by a link. */
  async signIn(link: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.browser.newContext({ baseURL: this.base, viewport: screen, ...options })
    const page = await context.newPage()
    await page.goto(link)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.close()
    return context
  }

  /** Invites a person to the organization, and returns the link by which they sign in. */
  async invite(email: string, role = 'edit'): Promise<string> {
    await this.call('POST', `/orgs/${this.organization}/invites`, { emails: [email], role })
    return this.signInLink(email)
  }

  /** Runs a command of `octavo` in the folder of the server. */
  command(...words: readonly string[]) {
    return run(process.execPath, [program, ...words], { cwd: this.folder, env: cleanEnvironment })
  }

  async openTab(path: string, context = this.context): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => this.errors.push(error.message))
    await page.goto(path)
    return page
  }

  /** A link by which a person signs in, the administrator by default. */
  async signInLink(email = 'admin@localhost'): Promise<string> {
    const { stdout } = await this.command('user', 'sign-in-link', email)
    return /\/~octavo\/sign-in\?link=\S+/.exec(stdout)![0]
  }

  /** Publishes a space on a site for everybody, and returns its address. */
  async publish(space: string, title: string): Promise<string> {
    const sites = `/orgs/${this.organization}/sites`
    const { id } = await this.call('POST', sites, { title, spaces: [space], visibility: 'public' })
    const { urls } = await this.call('POST', `${sites}/${id}/publish`)
    return urls.published
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  async call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${this.base}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.json()
  }

  /** Creates a space with one page, and a change request of it. */
  async newChange(title: string, markdown: string): Promise<OpenChange> {
    const { id: space } = await this.call('POST', `/orgs/${this.organization}/spaces`, { title, empty: true })
    const requests = `/spaces/${space}/change-requests`
    const first = await this.call('POST', requests, {})
    await this.call('POST', `${requests}/${first.number}/content`, {
      changes: [{ operation: 'insert_page', title: 'Start', document: { markdown } }],
    })
    await this.call('POST', `${requests}/${first.number}/merge`)
    const { number } = await this.call('POST', requests, {})
    const { pages } = await this.call('GET', `/spaces/${space}/content/pages`)
    const page: string = pages[0].id
    const apiPath = `${requests}/${number}`
    return {
      space,
      page,
      apiPath,
      path: `/s/${space}/~/changes/${number}/${pages[0].path}`,
      spacePath: `/s/${space}/`,
      text: async () => (await this.call('GET', `${apiPath}/content/page/${page}?format=markdown`)).markdown,
    }
  }
}

/** Declares tests in a browser; they are skipped where there is none. */
export function describeApp(title: string, declare: (app: App) => void): void {
  describe.skipIf(!existsSync(browserPath))(title, () => {
    const app = new App()
    useApp(app)
    declare(app)
  })
}

/** Opens the app before the tests of a group, with what `settings` returns as environment of the server. */
export function useApp(
  app: App,
  settings: () => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
): void {
  beforeAll(async () => app.open(await settings()))
  afterAll(() => app.close())
  afterEach(async () => {
    for (const page of app.context.pages()) await page.close()
    expect(app.errors.splice(0)).toEqual([])
  })
}
