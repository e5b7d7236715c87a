/**
 * Syntax highlighting: code as markup with classes, and split into lines.
 *
 * Uses the core of highlight.js, each language loaded on first use (1 to 3 ms). Colours are defined in
 * our style sheet. Its patterns are quadratic in many languages: callers limit the length of the code.
 */
import { createRequire } from 'node:module'
import type { LanguageFn } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import type { PageRenderer } from './context.js'
import { type Html, trusted } from '../html.js'

/** Aliases of languages → the file of the language. File names themselves need no entry. */
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

/** File names that failed to load, so that the disk is read once only. Bounded, since authors choose them. */
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

/** Returns the code as markup with `hljs-` classes; undefined if the language is unknown. Never throws. */
export function highlightMarkup(code: string, syntax: string): string | undefined {
  const language = languageOf(syntax)
  if (language === undefined) return undefined
  try {
    return hljs.highlight(code, { language, ignoreIllegals: true }).value
  } catch {
    return undefined
  }
}

/** Splits highlighted markup at line ends; open spans are closed and reopened on the next line. */
export function markupLines(markup: Html, page: Pick<PageRenderer, 'spend'>): Html[] {
  const lines: Html[] = []
  const open: string[] = []
  let start = ''
  for (const line of markup.toString().split('\n')) {
    const opened = start
    for (const tag of line.matchAll(/<span[^<>]*>|<\/span>/g)) {
      if (tag[0] === '</span>') open.pop()
      else open.push(tag[0])
    }
    // Each line reopens all enclosing spans, however many.
    page.spend('output', opened.length + open.length * '</span>'.length)
    lines.push(trusted(opened + line + '</span>'.repeat(open.length)))
    start = open.join('')
  }
  return lines
}

const displayNames: Readonly<Record<string, string>> = {
  bat: 'Batch',
  c: 'C',
  cmd: 'Batch',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  cshtml: 'Razor',
  css: 'CSS',
  csv: 'CSV',
  dos: 'Batch',
  fsharp: 'F#',
  gql: 'GraphQL',
  graphql: 'GraphQL',
  hcl: 'HCL',
  html: 'HTML',
  http: 'HTTP',
  ini: 'INI',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  json5: 'JSON5',
  jsonc: 'JSON',
  jsx: 'JSX',
  kt: 'Kotlin',
  latex: 'LaTeX',
  md: 'Markdown',
  mdx: 'MDX',
  objectivec: 'Objective-C',
  pgsql: 'PostgreSQL',
  php: 'PHP',
  powershell: 'PowerShell',
  ps1: 'PowerShell',
  py: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  scss: 'SCSS',
  sh: 'Shell',
  shellsession: 'Console',
  sql: 'SQL',
  svg: 'SVG',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  vb: 'Visual Basic',
  vbnet: 'Visual Basic',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
}

/** Names for "no language", and strings that are no language name. */
const withoutName = /^(?:text|txt|plain|plaintext|none|raw|output|undefined)$|[^a-z0-9+#._-]|^.{25}/

/** Returns the display name of the language; empty if there is none. */
export function languageName(syntax: string | undefined): string {
  const word = syntax?.toLowerCase() ?? ''
  if (withoutName.test(word)) return ''
  if (Object.hasOwn(displayNames, word)) return displayNames[word] as string
  return word.charAt(0).toUpperCase() + word.slice(1)
}
