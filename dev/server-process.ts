/**
 * Server child process, for programs that measure it or kill it: started on a data folder and a free
 * port of loopback, ready after its ready line, ended by the handle that started it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'bin/octavo.js')

/** A token that every server started by this module accepts; its data is thrown away. */
export const token = `oct_${'throwaway'.repeat(5).slice(0, 40)}`

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Milliseconds from the start to the ready line. */
  readonly readyAfter: number
  /** Resolves when the process has ended, for any reason. */
  readonly ended: Promise<void>
  /** Stops it, and kills it after ten seconds. */
  stop(): Promise<void>
  /** Kills it, as a power cut would. */
  kill(): Promise<void>
  /** Sends a request to the API below `/v1`; the body is JSON, or bytes that are sent as a zip. */
  request<Body = any>(method: string, path: string, body?: unknown): Promise<ServerResponse<Body>>
}

export interface ServerResponse<Body = any> {
  readonly status: number
  readonly body: Body
}

export interface ServerOptions {
  readonly data: string
  /** The program must have spoken within this many milliseconds. */
  readonly patience?: number
  readonly environment?: NodeJS.ProcessEnv
  /** A file that what it writes is added to. */
  readonly log?: string
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[]
}

/** Resolves when the server answers; rejects with what it wrote when it ends or stays silent. */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const { data, patience = 60_000, environment = {}, log, nodeFlags = [] } = options
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
      // Rate limits are counted as always, but too high for a program that sends requests as fast as it can.
      OCTAVO_REQUESTS_PER_TOKEN: '1000000000',
      OCTAVO_REQUESTS_PER_ADDRESS: '1000000000',
      ...environment,
    },
  })
  if (log !== undefined)
    for (const stream of [child.stdout, child.stderr]) stream.pipe(createWriteStream(log, { flags: 'a' }))
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
    async request(method, path, body) {
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
  throw new Error(`The server did not become ready within ${patience} ms: ${complaints || 'no output'}`)
}

/** Answers the body, or throws with it when the answer is no success. */
export async function require2xx<Body>(answer: Promise<ServerResponse<Body>>): Promise<Body> {
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

/**
 * Answers the resident memory of a process as Linux counts it; undefined where there is no such count, as of a process
 * that has ended and was not waited for yet.
 */
export async function readMemory(pid: number): Promise<Memory | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]) * 1024
  const [now, peak] = [bytes('VmRSS'), bytes('VmHWM')]
  return Number.isNaN(peak) ? undefined : { now, peak }
}

export interface Processor {
  /** Id of the process that began this one. */
  readonly parent: number
  /** Milliseconds that it and its threads were on a processor. */
  readonly own: number
  /** The same of its children that have ended and were waited for. */
  readonly children: number
}

/** Answers what a process took of the processor as Linux counts it, in steps of 10 ms; undefined as for its memory. */
export async function readProcessor(pid: number): Promise<Processor | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program comes before, in parentheses, and may contain any character.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields === undefined) return undefined
  const time = (at: number) => (Number(fields[at]) + Number(fields[at + 1])) * 10
  return { parent: Number(fields[1]), own: time(11), children: time(13) }
}
