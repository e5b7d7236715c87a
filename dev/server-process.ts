/**
 * The server as a process of its own, for programs that measure it or kill it: started on a data
 * folder and a free port of loopback, ready when its ready line came, ended by the handle that began it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'bin/octavo.js')

/** A token that every server started here knows; its data is thrown away. */
export const token = `oct_${'throwaway'.repeat(5).slice(0, 40)}`

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Milliseconds from the start to the ready line. */
  readonly readyAfter: number
  /** Resolves when the process is gone, however it went. */
  readonly ended: Promise<void>
  /** Asks it to stop, and makes it after ten seconds. */
  stop(): Promise<void>
  /** Ends it at once, as a power cut would end it. */
  kill(): Promise<void>
  /** Sends a request to the API below `/v1`; the body is JSON, or bytes that are sent as a zip. */
  ask<Body = any>(method: string, path: string, body?: unknown): Promise<ServerAnswer<Body>>
}

export interface ServerAnswer<Body = any> {
  readonly status: number
  readonly body: Body
}

export interface ServerOptions {
  readonly data: string
  /** The program must have spoken within this many milliseconds. */
  readonly patience?: number
  readonly environment?: NodeJS.ProcessEnv
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
}

/** Resolves when the server answers; rejects with what it wrote when it ends or stays silent. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { data, patience = 60_000, environment = {}, nodeFlags = [] } = options
  const begun = performance.now()
  const child = spawn(process.execPath, [...nodeFlags, program, 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OCTAVO_'))),
      NODE_OPTIONS: '',
      OCTAVO_DATA: data,
      OCTAVO_HOST: '127.0.0.1',
      OCTAVO_PORT: '0',
      OCTAVO_URL: '',
      OCTAVO_DEMO: 'false',
      OCTAVO_ADMIN_EMAIL: 'admin@octavo.test',
      OCTAVO_ADMIN_TOKEN: token,
      // Counted as always, and never reached by a program that asks as fast as it can.
      OCTAVO_REQUESTS_PER_TOKEN: '1000000000',
      OCTAVO_REQUESTS_PER_ADDRESS: '1000000000',
      ...environment,
    },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await readyUrl(child, ended, patience)
  const readyAfter = performance.now() - begun

  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(force)
  }

  return {
    url,
    pid: child.pid!,
    readyAfter,
    ended,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async ask(method, path, body) {
      const isBytes = body instanceof Uint8Array
      const answer = await fetch(`${url}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': isBytes ? 'application/zip' : 'application/json',
        },
        ...(body !== undefined && {
          body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
        }),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
      return { status: answer.status, body: isJson ? JSON.parse(text) : text }
    },
  }
}

async function readyUrl(child: ChildProcess, ended: Promise<void>, patience: number): Promise<string> {
  let output = ''
  let complaints = ''
  child.stderr!.on('data', (piece: Buffer) => (complaints = (complaints + piece.toString()).slice(-4000)))
  const ready = new Promise<string>((resolve) => {
    child.stdout!.on('data', (piece: Buffer) => {
      output += piece.toString()
      const url = /^octavo ready (\S+)$/m.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<string>((resolve) => (timer = setTimeout(() => resolve(''), patience)))
  const url = await Promise.race([ready, silence, ended.then(() => '')])
  clearTimeout(timer)
  if (url !== '') return url
  child.kill('SIGKILL')
  throw new Error(`The server did not become ready within ${patience} ms: ${complaints || 'it said nothing'}`)
}

/** Answers the body, or throws with it when the answer is no success. */
export async function require2xx<Body>(answer: Promise<ServerAnswer<Body>>): Promise<Body> {
  const { status, body } = await answer
  if (status < 200 || status > 299)
    throw new Error(`Answered ${status}: ${JSON.stringify(body).slice(0, 500)}`)
  return body
}

export interface Memory {
  /** Bytes in memory now. */
  readonly now: number
  /** The most that it ever was. */
  readonly peak: number
}

/** Answers the resident memory of a process as Linux counts it; undefined where there is no such count. */
export async function readMemory(pid: number): Promise<Memory | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  if (status === undefined) return undefined
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]) * 1024
  return { now: kilobytes('VmRSS'), peak: kilobytes('VmHWM') }
}
