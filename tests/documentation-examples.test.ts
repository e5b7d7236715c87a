/**
 * Documentation examples: every example of the README and of `docs/` is pasted into a shell, page by page, in a folder with the
 * program and a separate server. A fence after a shell example is the expected output of its last command.
 */
import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseFrontMatter } from '../src/core/markdown/front-matter.js'
import { parsePage } from '../src/core/markdown/parse.js'
import { diagramMarkup } from '../src/site/blocks/diagram-markup.js'
import { type Example, type ExamplePage, collectExamples, differsFrom } from './documentation-examples.js'
import { checkPages, checkText } from './merge-examples.js'
import { type ServerProgram, cleanEnvironment, startProgram } from './server-program.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = join(root, 'bin/octavo.js')
/** The default URL of a server, which all examples use. */
const usualBase = 'http://127.0.0.1:4000'

const files = [
  'README.md',
  ...(await readdir(join(root, 'docs'), { recursive: true })).map((name) => `docs/${name}`),
]
const pages = await Promise.all(
  files
    .filter((name) => name.endsWith('.md'))
    .map(async (name) => collectExamples(name, await readFile(join(root, name), 'utf8'))),
)
const examples = pages.flatMap((page) => page.examples)

/** For all the processes of some pages, on a busy machine; in milliseconds. */
const timeout = 300_000

let folder: string
let server: ServerProgram

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-examples-'))
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
  await symlink(program, join(folder, 'node_modules/.bin/octavo'))
  await mkdir(join(folder, 'shortcuts'))
  await writeFile(
    join(folder, 'shortcuts/npx'),
    '#!/bin/sh\nprogram=$1\nshift\nexec "node_modules/.bin/$program" "$@"\n',
    { mode: 0o755 },
  )
  await cp(join(root, 'docs'), join(folder, 'docs'), { recursive: true })
  server = await startProgram(folder, program)
})

afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What is done with an example of each language, besides the answers of shell examples. */
const checks: Record<string, (example: Example) => unknown> = {
  // Page by page, below.
  sh: () => {},
  text: () => {},
  // On a database with every table: tests/scaling-documented.test.ts.
  sql: () => {},
  'merge-pages': ({ text }) => checkPages(text),
  'merge-text': ({ text }) => checkText(text),
  json: ({ text }) => JSON.parse(text),
  js: async ({ text }) => {
    const [token] = /oct_\w+/.exec(server.errorOutput())!
    const values = { base: server.base, token }
    const constants = Object.entries(values).map(
      ([name, value]) => `const ${name} = ${JSON.stringify(value)}\n`,
    )
    await writeFile(join(folder, 'example.mjs'), constants.join('') + text)
    await runShell('sh', [{ place: 'program', text: 'node example.mjs' }])
  },
  ts: ({ text }) => transform(text, { loader: 'ts' }),
  markdown: ({ text }) => expect(parsePage(`# Example\n\n${text}`).problems).toEqual([]),
  mermaid: async ({ text }) => expect(await diagramMarkup(text)).toBeDefined(),
  yaml: ({ text }) => expect(parseFrontMatter(`${text}\n`).problems).toEqual([]),
}

test.each([
  ['{ "id": "…", "title": "A" }', '{ "title": "A", "id": "x" }', undefined],
  ['{ "title": "A" }', '{ "title": "A", "id": "x" }', 'the answer has also id'],
  ['{ "title": "A", "…": "…" }', '{ "title": "A", "id": "x" }', undefined],
  ['{ "items": [{ "size": 1 }] }', '{ "items": [{ "size": 2 }] }', 'the answer.items.0.size is 2, not 1'],
  ['{ "items": ["a"] }', '{ "items": ["a", "b"] }', 'the answer.items has also 1'],
  ['{ "items": [] }', '{ "error": 1 }', 'the answer has also error'],
  ['"http://…/a.b"', '"http://host/a.b"', undefined],
  ['"http://…/a.b"', '"http://host/axb"', 'the answer is "http://host/axb", not "http://…/a.b"'],
  ['{ "a": "b" }', '{}', 'the answer.a is undefined, not "b"'],
])('compared with %s, %s differs: %s', (documented, answer, expected) => {
  expect(differsFrom(JSON.parse(documented), JSON.parse(answer))).toBe(expected)
})

test('every example names its language, and a reason if it is not run', () => {
  const known = new Set(examples.filter(({ reason, language }) => reason !== undefined || language in checks))
  expect(examples.filter((one) => !known.has(one)).map(({ place }) => place)).toEqual([])
  expect(examples.length).toBeGreaterThan(30)
})

test.each(examples.filter(({ language, reason }) => language !== 'sh' && reason === undefined))(
  '$place can be read as $language',
  async (example) => void (await checks[example.language]!(example)),
)

describe('a shell', () => {
  const first = pages.filter((page) => page.after === undefined && shellExamples(page).length > 0)

  test.each(first)(
    'runs $file, and the pages that continue it',
    async (page) => {
      expect(await runPages('bash', page)).toEqual([])
    },
    timeout,
  )

  test('of another kind runs the README a second time', async () => {
    expect(
      await runPages(
        'sh',
        pages.find(({ file }) => file === 'README.md')!,
      ),
    ).toEqual([])
  })

  test('finds the page that others continue', () => {
    const lost = pages.filter(
      ({ file, after }) => after !== undefined && !first.some((page) => continues({ file, after }, page)),
    )
    expect(lost.map(({ file }) => file)).toEqual([])
  })
})

function shellExamples({ examples: all }: ExamplePage): readonly Example[] {
  return all.filter(({ language, reason }) => language === 'sh' && reason === undefined)
}

function continues({ file, after }: Pick<ExamplePage, 'file' | 'after'>, page: ExamplePage): boolean {
  return after !== undefined && join(dirname(file), after) === page.file
}

/** Runs a page and those that continue it, and returns the differences from the documented output. */
async function runPages(shell: 'bash' | 'sh', first: ExamplePage): Promise<string[]> {
  const following = pages.filter((page) => continues(page, first))
  const answers = await runShell(shell, shellExamples(first), following.map(shellExamples))
  return [first, ...following].flatMap((page) =>
    shellExamples(page).flatMap((example) => {
      const next = page.examples[page.examples.indexOf(example) + 1]
      const documented = next?.isAnswer === true ? next : undefined
      const difference = compare(answers.get(example.place)!, documented)
      return difference === undefined ? [] : [`${documented?.place ?? example.place}: ${difference}`]
    }),
  )
}

/** Returns the difference of the output of a shell example: of its last command where output is documented. */
function compare(output: string, documented: Example | undefined): string | undefined {
  const answer = output.replace(/\n+$/, '').replaceAll(server.base, usualBase)
  if (documented?.language === 'json') {
    const last = answer.split('\n').at(-1)!
    if (!/^[[{"]/.test(last)) return `the answer is not JSON: ${last}`
    return differsFrom(JSON.parse(documented.text), JSON.parse(last))
  }
  if (documented?.language === 'text')
    return differsFrom(documented.text.trimEnd(), answer.slice(-documented.text.trimEnd().length))
  const refused = answer.split('\n').filter((line) => line.startsWith('{"error":') || line === 'undefined')
  return refused.length > 0 ? refused.join('\n') : undefined
}

type ShellText = Pick<Example, 'place' | 'text'>

/**
 * Runs the texts one after the other in one shell, and after them each of the others in a copy of that shell. Returns
 * what each wrote to standard output, by place; throws with the place of the first command that fails.
 */
async function runShell(
  shell: 'bash' | 'sh',
  texts: readonly ShellText[],
  others: readonly (readonly ShellText[])[] = [],
): Promise<ReadonlyMap<string, string>> {
  const marker = '@@ '
  const script = (some: readonly ShellText[]) =>
    some.flatMap(({ place, text }) => [`echo '${marker}${place}'`, text.replaceAll(usualBase, server.base)])
  const strict = shell === 'bash' ? 'set -eo pipefail' : 'set -e'
  const copies = others.flatMap((some) => ['(', ...script(some), ')'])
  await writeFile(join(folder, 'example.sh'), [strict, ...script(texts), ...copies, ''].join('\n'))
  // The README runs in `sh` with the npx of npm, which takes half a second each time; other pages with a shortcut.
  const path = [...(shell === 'bash' ? [join(folder, 'shortcuts')] : []), process.env.PATH].join(delimiter)
  const child = spawn(shell, ['example.sh'], { cwd: folder, env: { ...cleanEnvironment, PATH: path } })
  // The password that a user would type at a prompt.
  child.stdin.end('correct horse battery staple\n')
  let [out, error] = ['', '']
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (error += piece.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  const parts = out.split(marker).slice(1)
  const answers = new Map(
    parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]),
  )
  const [place, output] = [...answers].at(-1) ?? []
  if (code !== 0) throw new Error(`${place} fails: ${error}${output}`)
  return answers
}
