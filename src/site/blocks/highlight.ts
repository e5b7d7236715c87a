/**
 * Source code with its words coloured by class, and cut into lines.
 *
 * Highlight.js on its core, each language loaded when first met (1 to 3 ms). Colours are ours, in the
 * style sheet. Long code stays plain: colouring is linear in most languages, not in all.
 */
import { createRequire } from 'node:module'
import type { LanguageFn } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import { escapeHtml, html, type Html, trusted } from '../html.js'

/** Bytes would be dearer to count; UTF-16 units bound the work as well. */
const longest = 100_000

/** Words that writers use → the file of the language. A word that is a file itself need not stand here. */
const languageNames: Readonly<Record<string, string>> = {
  asm: 'x86asm',
  bat: 'dos',
  cs: 'csharp',
  'c#': 'csharp',
  'c++': 'cpp',
  cc: 'cpp',
  h: 'c',
  hpp: 'cpp',
  console: 'shell',
  shellsession: 'shell',
  sh: 'bash',
  zsh: 'bash',
  docker: 'dockerfile',
  ex: 'elixir',
  erl: 'erlang',
  golang: 'go',
  gql: 'graphql',
  hs: 'haskell',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  svelte: 'xml',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  node: 'javascript',
  json5: 'json',
  jsonc: 'json',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mdx: 'markdown',
  objc: 'objectivec',
  patch: 'diff',
  pl: 'perl',
  ps1: 'powershell',
  postgres: 'pgsql',
  postgresql: 'pgsql',
  proto: 'protobuf',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  solidity: 'javascript',
  toml: 'ini',
  env: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  tf: 'ini',
  hcl: 'ini',
  vb: 'vbnet',
  yml: 'yaml',
}

const require = createRequire(import.meta.url)

/** Names of files that could not be loaded: asking the disk once is enough. Bounded, since writers choose them. */
const unknown = new Set<string>()

function languageOf(syntax: string): string | undefined {
  const word = syntax.toLowerCase()
  const name = Object.hasOwn(languageNames, word) ? (languageNames[word] as string) : word
  if (hljs.getLanguage(name) !== undefined) return name
  if (!/^[a-z0-9-]{1,20}$/.test(name) || unknown.has(name)) return undefined
  try {
    hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`) as LanguageFn)
    return name
  } catch {
    if (unknown.size < 1000) unknown.add(name)
    return undefined
  }
}

/** The code as markup with `hljs-` classes; plain when the language is unknown or the code is too long. Never throws. */
export function highlight(code: string, syntax: string | undefined): Html {
  const language = syntax === undefined || code.length > longest ? undefined : languageOf(syntax)
  if (language === undefined) return html`${code}`
  try {
    return trusted(hljs.highlight(code, { language, ignoreIllegals: true }).value)
  } catch {
    return html`${code}`
  }
}

/** The markup of `highlight` cut at line ends, each line with its spans closed, and opened again on the next. */
export function markupLines(markup: Html): Html[] {
  const lines: Html[] = []
  const open: string[] = []
  let start = ''
  for (const line of markup.toString().split('\n')) {
    for (const tag of line.matchAll(/<span[^>]*>|<\/span>/g)) {
      if (tag[0] === '</span>') open.pop()
      else open.push(tag[0])
    }
    lines.push(trusted(start + line + '</span>'.repeat(open.length)))
    start = open.join('')
  }
  return lines
}

const shownNames: Readonly<Record<string, string>> = {
  bash: 'Bash',
  sh: 'Shell',
  shell: 'Shell',
  console: 'Console',
  javascript: 'JavaScript',
  js: 'JavaScript',
  jsx: 'JSX',
  typescript: 'TypeScript',
  ts: 'TypeScript',
  tsx: 'TSX',
  json: 'JSON',
  yaml: 'YAML',
  yml: 'YAML',
  html: 'HTML',
  css: 'CSS',
  sql: 'SQL',
  php: 'PHP',
  graphql: 'GraphQL',
  csharp: 'C#',
  cpp: 'C++',
  http: 'HTTP',
  xml: 'XML',
  toml: 'TOML',
  md: 'Markdown',
}

/** The language as a reader would write it. */
export function languageName(syntax: string): string {
  const word = syntax.toLowerCase()
  if (Object.hasOwn(shownNames, word)) return shownNames[word] as string
  return escapeHtml(word) === word ? word.charAt(0).toUpperCase() + word.slice(1) : word
}
