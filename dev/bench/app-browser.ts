/**
 * Chromium for the benchmarks of the app: signed in, with what its main thread used and what came over the wire.
 *
 * Scripts for the page are strings: a compiled function would refer to helpers that do not exist there.
 */
import { type Browser, type BrowserContext, type CDPSession, type Page, chromium } from 'playwright-core'
import { browserPath } from '../../tests/browser.js'
import { require2xx } from '../server-process.js'
import type { World } from './world.js'

export interface AppBrowser {
  /** A tab with an empty cache. */
  openTab(path: string): Promise<AppTab>
  close(): Promise<void>
}

export interface AppTab {
  readonly page: Page
  readonly session: CDPSession
  /** Files, by the last part of their URL, with their bytes over the wire. */
  readonly files: ReadonlyMap<string, number>
  close(): Promise<void>
}

const screen = { width: 1280, height: 800 }

export async function openAppBrowser({ server, organization }: World): Promise<AppBrowser> {
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  try {
    const { id } = await require2xx(server.request('GET', '/user'))
    const { url } = await require2xx(
      server.request('POST', `/orgs/${organization}/members/${id}/sign-in-link`),
    )
    const state = await signIn(browser, url)
    return {
      async openTab(path) {
        const context = await browser.newContext({
          baseURL: server.url,
          viewport: screen,
          storageState: state,
        })
        return openTab(context, path)
      },
      close: () => browser.close(),
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}

async function signIn(browser: Browser, link: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: /sign in/i }).click()
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

async function openTab(context: BrowserContext, path: string): Promise<AppTab> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const files = new Map<string, number>()
  const names = new Map<string, string>()
  session.on('Network.responseReceived', ({ requestId, response }) =>
    names.set(requestId, new URL(response.url).pathname.split('/').at(-1)!),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const name = names.get(requestId) ?? ''
    // What is fetched again answers that nothing changed.
    files.set(name, Math.max(encodedDataLength, files.get(name) ?? 0))
  })
  await session.send('Network.enable')
  // Time on the processor: other programs of a shared machine are not in it.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(path)
  return { page, session, files, close: () => context.close() }
}

export interface MainThread {
  /** Milliseconds of the main thread, with style, layout and painting. */
  readonly task: number
  /** Those of scripts. */
  readonly script: number
}

/** Answers what the main thread used during `work`. */
export async function measureMainThread(
  { session }: AppTab,
  work: () => Promise<unknown>,
): Promise<MainThread> {
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    const valueOf = (wanted: string) => metrics.find(({ name }) => name === wanted)!.value * 1_000
    return { task: valueOf('TaskDuration'), script: valueOf('ScriptDuration') }
  }
  const before = await read()
  await work()
  const after = await read()
  return { task: after.task - before.task, script: after.script - before.script }
}
