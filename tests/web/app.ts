/**
 * Browser fixture of the app: a server as users start it, Chromium, and an organization whose administrator is signed in.
 *
 * `describeApp` shares server and browser with the other files that the process runs, `describeOwnApp` starts both for the
 * file. Tabs that a test leaves open are closed, and a test in which a page threw fails.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { browserPath } from '../browser.js'
import { sessionCookie } from '../../src/access/signin/sessions.js'
import { type ServerProgram, cleanEnvironment, startProgram } from '../server-program.js'
import { type TestBrowser, launchBrowser, openBrowser } from '../shared-browser.js'
import { type SharedServer, sharedServer } from './shared-server.js'

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
  /** Folder for files of a test, removed at the end. A server of its own has its data in it. */
  folder!: string
  server!: ServerProgram
  browser!: TestBrowser
  /** The administrator's, signed in. */
  context!: BrowserContext
  /** Address and API token of the administrator. */
  email = 'admin@localhost'
  token!: string
  /** The organization of the administrator, empty on a shared server, with the guide on the first start. */
  organization!: string
  /** Exceptions of pages; a test that expects one takes it out. */
  readonly errors: string[] = []
  private shared: SharedServer | undefined
  /** Environment of a server of its own. */
  private settings: Readonly<Record<string, string>> = {}
  /** An empty tab at the host, whose renderer all tabs of the administrator share. */
  private emptyTab: Page | undefined

  get base(): string {
    return this.server.base
  }

  /** Opens an organization on the server, and a context of the browser, of this process. */
  async openShared(): Promise<void> {
    this.folder = mkdtempSync(join(tmpdir(), 'octavo-app-'))
    const [shared, browser] = await Promise.all([sharedServer(program), openBrowser()])
    Object.assign(this, { shared, server: shared.program, browser })
    const { session, ...tenant } = await shared.newTenant()
    Object.assign(this, tenant)
    this.context = await browser.newContext({ baseURL: this.base, viewport: screen })
    await this.context.addCookies([{ name: sessionCookie, value: session, url: this.base }])
    this.emptyTab = await this.context.newPage()
    await this.emptyTab.goto('/readyz')
  }

  /** Starts a server and a browser of its own. */
  async open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    this.settings = settings
    this.folder = mkdtempSync(join(tmpdir(), 'octavo-app-'))
    const launching = launchBrowser()
    this.server = await startProgram(this.folder, program, settings)
    this.browser = await launching
    const output = this.server.errorOutput()
    this.token = /API token: +(\S+)/.exec(output)![1]!
    this.context = await this.signIn(/\/~octavo\/sign-in\?link=\S+/.exec(output)![0])
    this.organization = (await this.call('GET', '/orgs')).items[0].id
  }

  async close(): Promise<void> {
    await this.browser?.close()
    if (this.shared === undefined) await this.server?.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Closes the tabs that a test left open. */
  async closeTabs(): Promise<void> {
    for (const page of this.context.pages()) if (page !== this.emptyTab) await page.close()
  }

  /** Kills the server, which is its own, and starts it again at the same address. */
  async restart(): Promise<void> {
    if (this.shared !== undefined) throw new Error('Other files use this server: open one with useApp.')
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

  /** A link by which a person signs in, the administrator by default. */
  async signInLink(email = this.email): Promise<string> {
    if (this.shared !== undefined) return this.shared.signInLink(email)
    const words = [program, 'user', 'sign-in-link', email]
    const { stdout } = await run(process.execPath, words, { cwd: this.folder, env: cleanEnvironment })
    return /\/~octavo\/sign-in\?link=\S+/.exec(stdout)![0]
  }

  async openTab(path: string, context = this.context): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => this.errors.push(error.message))
    await page.goto(path)
    return page
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
  describeBrowser(title, declare, (app) => app.openShared())
}

/** The same with a server and a browser that the tests may kill. */
export function describeOwnApp(title: string, declare: (app: App) => void): void {
  describeBrowser(title, declare, (app) => app.open())
}

function describeBrowser(
  title: string,
  declare: (app: App) => void,
  open: (app: App) => Promise<void>,
): void {
  describe.skipIf(!existsSync(browserPath))(title, () => {
    const app = new App()
    useApp(app, open)
    declare(app)
  })
}

/** Opens the app before the tests of a group, and closes it after them. */
export function useApp(app: App, open: (app: App) => Promise<void>): void {
  beforeAll(() => open(app))
  afterAll(() => app.close())
  afterEach(async () => {
    await app.closeTabs()
    expect(app.errors.splice(0)).toEqual([])
  })
}
