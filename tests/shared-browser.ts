/**
 * Browser pool: one Chromium for each worker process, which runs its files of tests one after the other. Contexts separate
 * them: each file opens its own. Starting a browser takes a second of a processor; Playwright ends it with the process.
 */
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { browserPath } from './browser.js'

export type TestBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>

/** Starts a browser that only the caller uses, whose tabs may crash. */
export function launchBrowser(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', ...more] })
}

let launched: Promise<Browser> | undefined

/** Returns the browser of this process; `close` closes what was opened by it. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await sharedBrowser()
  const contexts: BrowserContext[] = []
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options)
    contexts.push(context)
    return context
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    async close() {
      for (const context of contexts) await context.close()
    },
  }
}

async function sharedBrowser(): Promise<Browser> {
  const browser = await launched
  if (browser?.isConnected() === true) return browser
  // Tabs of one context that are at one host have one renderer: opening the next one takes half of the time.
  launched = launchBrowser('--process-per-site')
  return launched
}
