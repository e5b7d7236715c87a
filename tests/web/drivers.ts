/**
 * WebDriver clients for the browsers that Playwright does not drive as Debian packages them: Firefox ESR by WebDriver BiDi
 * (puppeteer-core), WebKitGTK by WebDriver over HTTP. Both get one small interface: real pointer and key events, and
 * scripts for what a test looks up.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type KeyInput } from 'puppeteer-core'
import { expect } from 'vitest'
import { firefoxPath, webkit } from '../browser.js'

/** Keys of commands: letters, and those that WebDriver numbers. */
const keyCodes = { Control: '\uE009', Enter: '\uE007', End: '\uE010', Shift: '\uE008' }
export type Key = keyof typeof keyCodes | 'a' | 'b' | 'z'

interface Browser {
  open(url: string): Promise<void>
  evaluate(expression: string): Promise<unknown>
  clickAt(x: number, y: number): Promise<void>
  /** Types characters one by one. */
  type(characters: string): Promise<void>
  /** Presses keys together, the last one while the others are held. */
  press(...keys: readonly Key[]): Promise<void>
  close(): Promise<void>
}

/** A tab, with what is looked up in it by text. */
export class Tab {
  constructor(private readonly browser: Browser) {}

  open(url: string): Promise<void> {
    return this.browser.open(url)
  }
  evaluate(expression: string): Promise<unknown> {
    return this.browser.evaluate(expression)
  }
  type(characters: string): Promise<void> {
    return this.browser.type(characters)
  }
  press(...keys: readonly Key[]): Promise<void> {
    return this.browser.press(...keys)
  }
  close(): Promise<void> {
    return this.browser.close()
  }

  /** Waits for an element with this text or label, and returns the centre of what is visible of it. */
  async find(selector: string, text = ''): Promise<readonly [number, number]> {
    const expression = `(() => {
      for (const one of document.querySelectorAll(${JSON.stringify(selector)})) {
        const label = (one.getAttribute('aria-label') ?? '') + ' ' + (one.innerText ?? '')
        if (!label.includes(${JSON.stringify(text)}) || one.checkVisibility?.() === false || one.disabled) continue
        one.scrollIntoView({ block: 'nearest' })
        const { left, top, width, height } = one.getBoundingClientRect()
        if (width > 0) return [Math.round(left + width / 2), Math.round(top + height / 2)]
      }
      return null
    })()`
    let place: unknown
    await expect
      .poll(async () => (place = await this.evaluate(expression).catch(() => null)), {
        message: `${selector} ${text}`,
      })
      .not.toBeNull()
    return place as [number, number]
  }

  async click(selector: string, text?: string): Promise<void> {
    const [x, y] = await this.find(selector, text)
    await this.browser.clickAt(x, y)
  }
}

/** Starts Firefox without a window, in a profile of its own. */
export async function openFirefox(): Promise<Tab> {
  const firefox = await puppeteer.launch({ browser: 'firefox', executablePath: firefoxPath, headless: true })
  const [page] = await firefox.pages()
  await page!.setViewport({ width: 1280, height: 800 })
  // The app asks before a page with unsaved text is left.
  page!.on('dialog', (dialog) => void dialog.accept())
  return new Tab({
    open: async (url) => void (await page!.goto(url)),
    evaluate: (expression) => page!.evaluate(expression),
    clickAt: (x, y) => page!.mouse.click(x, y),
    type: (characters) => page!.keyboard.type(characters),
    async press(...keys) {
      for (const key of keys) await page!.keyboard.down(key as KeyInput)
      for (const key of keys.toReversed()) await page!.keyboard.up(key as KeyInput)
    },
    close: () => firefox.close(),
  })
}

/** Starts WebKitGTK's driver and browser on a display of their own. */
export async function openWebkit(): Promise<Tab> {
  const home = mkdtempSync(join(tmpdir(), 'octavo-webkit-'))
  const display = spawn(
    webkit.display,
    ['-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1280x900x24'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const [number] = (await once(display.stdout, 'data')) as [Buffer]
  const port = await freePort()
  const driver = spawn(webkit.driver, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${number.toString().trim()}`,
      GDK_BACKEND: 'x11',
      HOME: home,
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    },
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  async function call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: { message?: string } | null }
    if (!response.ok) throw new Error(`${path}: ${value?.message}`)
    return value
  }
  async function end(): Promise<void> {
    for (const child of [driver, display])
      if (child.exitCode === null && child.kill()) await once(child, 'exit')
    rmSync(home, { recursive: true, force: true })
  }
  try {
    await expect.poll(() => call('GET', '/status').catch(() => ({}))).toMatchObject({ ready: true })
    const options = { binary: webkit.browser, args: ['--automation'] }
    const { sessionId } = await call('POST', '/session', {
      capabilities: { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options } },
    })
    const session = `/session/${sessionId}`
    const act = (action: object) => call('POST', `${session}/actions`, { actions: [action] })
    const key = (type: 'keyDown' | 'keyUp', value: string) => ({ type, value })
    await call('POST', `${session}/window/rect`, { width: 1280, height: 900 })
    return new Tab({
      open: (url) => call('POST', `${session}/url`, { url }),
      evaluate: (expression) =>
        call('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
      clickAt: (x, y) =>
        act({
          type: 'pointer',
          id: 'mouse',
          parameters: { pointerType: 'mouse' },
          actions: [
            { type: 'pointerMove', x, y, duration: 0, origin: 'viewport' },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        }),
      type: (characters) =>
        act({
          type: 'key',
          id: 'keyboard',
          actions: [...characters].flatMap((one) => [key('keyDown', one), key('keyUp', one)]),
        }),
      press(...keys) {
        const codes = keys.map((name) => keyCodes[name as keyof typeof keyCodes] ?? name)
        const actions = [
          ...codes.map((code) => key('keyDown', code)),
          ...codes.toReversed().map((code) => key('keyUp', code)),
        ]
        return act({ type: 'key', id: 'keyboard', actions })
      },
      async close() {
        await call('DELETE', session)
        await end()
      },
    })
  } catch (error) {
    await end()
    throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
