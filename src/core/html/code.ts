/** Code blocks: the text of `<pre>` without line numbers, with the language that the generator names. */
import type { Block } from '../document/types.js'
import { defined } from '../markdown/reader.js'
import {
  type HtmlElement,
  type HtmlNode,
  classesOf,
  descendants,
  elementsOf,
  findElement,
  hasClass,
  textOf,
  valueOf,
} from './nodes.js'
import { noSpan } from './reader.js'

/** Classes of code tables whose first column has the line numbers. */
const gutters = [
  'highlighttable',
  'rouge-table',
  'hljs-ln',
  'linenodiv',
  'gutter-table',
  'lntable',
  'codehilitetable',
]

/** Returns whether an element is a code block. */
export function isCode(element: HtmlElement): boolean {
  if (element.name === 'pre' || element.name === 'listing' || element.name === 'xmp') return true
  return element.name === 'table' && hasClass(element, ...gutters)
}

/** Returns the code block; none when it is empty. */
export function readCode(element: HtmlElement): readonly Block[] {
  const rows = element.name === 'table' ? linesOfTable(element) : undefined
  const code = (rows ?? textOfCode(element)).replace(/^\n/, '').replace(/\r\n?/g, '\n')
  const written = code.replaceAll('\u200b', '').replaceAll('\u00a0', ' ')
  if (written.trim() === '') return []
  const end = endOfWords(written)
  return [
    defined({
      type: 'code' as const,
      span: noSpan,
      syntax: syntaxOf(element),
      title: titleOf(element),
      code: written.slice(0, end),
    }),
  ]
}

function endOfWords(code: string): number {
  let end = code.length
  while (end > 0 && (code[end - 1] === '\n' || code[end - 1] === ' ')) end--
  return end
}

function linesOfTable(table: HtmlElement): string | undefined {
  const pres = [...descendants(table)].filter(({ name }) => name === 'pre')
  // Line numbers in one column, the code in the other.
  if (pres.length > 0) return textOfCode(pres.at(-1)!)
  const cells = [...descendants(table)]
    .filter((one) => one.name === 'tr')
    .flatMap((row) => elementsOf(row).slice(-1))
  return cells.map((cell) => textOfCode(cell)).join('\n')
}

const lineNumberClasses = new Set([
  'lineno',
  'linenos',
  'linenumber',
  'line-number',
  'line-numbers-rows',
  'ln',
  'lnt',
  'gutter',
  'hljs-ln-numbers',
])

/** The text as rendered: line breaks and elements that are lines end a line. */
function textOfCode(element: HtmlElement): string {
  const parts: string[] = []
  let endsLine = true
  const put = (text: string): void => {
    if (text === '') return
    parts.push(text)
    endsLine = text.endsWith('\n')
  }
  const pending: (HtmlNode | 'line end')[] = [element]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next === 'line end') {
      if (!endsLine) put('\n')
    } else if (next.kind === 'text') put(next.value)
    else {
      if (next.name === 'br') put('\n')
      if (isNoCode(next)) continue
      const isLine =
        next !== element &&
        (next.name === 'div' || next.name === 'p' || next.name === 'li' || next.name === 'tr')
      if (isLine) pending.push('line end')
      for (let index = next.children.length - 1; index >= 0; index--) pending.push(next.children[index]!)
    }
  }
  return parts.join('')
}

function isNoCode(element: HtmlElement): boolean {
  if (element.name === 'button' || element.name === 'svg' || element.name === 'style') return true
  if (element.attributes.has('data-line-number') && element.name !== 'tr' && element.name !== 'div')
    return true
  return (
    element.name !== 'pre' &&
    element.name !== 'code' &&
    classesOf(element).some((name) => lineNumberClasses.has(name))
  )
}

const plainTextNames = new Set([
  'text',
  'plain',
  'plaintext',
  'none',
  'default',
  'nohighlight',
  'notranslate',
  'txt',
  'auto',
  'source',
  'output',
  'verbatim',
])
/** Classes beside the language in the same attribute. */
const ignoredClasses = new Set([
  'highlight',
  'hljs',
  'notranslate',
  'code',
  'prettyprint',
  'sourcecode',
  'numberlines',
  'codehilite',
  'shiki',
  'prism',
  'linenums',
  'highlighter-rouge',
  'line-numbers',
  'programlisting',
  'screen',
  'listingblock',
  'astro-code',
  'chroma',
  'literal-block',
  'doctest',
])

/** Matches nearly all Java code. */
const java =
  /\b(?:public|private|protected|class|interface|import|package|void|final|static|new|throws|int|String)\b[^\n]{0,200}[;{(]/

/** The language named by an element, by its `<code>` or by an ancestor. */
function syntaxOf(element: HtmlElement): string | undefined {
  const candidates: HtmlElement[] = []
  for (let one: HtmlElement | undefined = element; one && candidates.length < 4; one = one.parent)
    candidates.push(one)
  const code = findElement(element, ({ name }) => name === 'code')
  for (const one of [...(code ? [code] : []), ...candidates]) {
    const brush = /(?:^|[\s;])brush:\s?([\w#+-]{1,40})/.exec(
      valueOf(one, 'data-syntaxhighlighter-params') ?? '',
    )?.[1]
    // Confluence writes "java" when no language was chosen.
    if (brush === 'java' && !java.test(textOf(element))) return undefined
    const syntax = brush ?? valueOf(one, 'data-lang') ?? valueOf(one, 'data-language') ?? syntaxOfClasses(one)
    if (syntax === undefined) continue
    const word = syntax.toLowerCase().replace(/^console$/, 'shell-session')
    return plainTextNames.has(word) || !/^[a-z\d][a-z\d+#._-]{0,40}$/.test(word) ? undefined : word
  }
  return undefined
}

function syntaxOfClasses(element: HtmlElement): string | undefined {
  const all = classesOf(element)
  for (const [index, name] of all.entries()) {
    const syntax =
      /^(?:highlight-source|language|lang|highlight|brush|source)[-:]([a-z\d+#._-]{1,40});?$/.exec(name)?.[1]
    if (syntax !== undefined && syntax !== 'wrapper') return syntax
    if (name === 'brush:') return all[index + 1]?.replace(/;$/, '')
  }
  // Pandoc and highlight.js write the language beside their own class.
  const isMarked = all.some((name) => name === 'sourcecode' || name === 'hljs')
  return isMarked && (element.name === 'code' || element.name === 'pre')
    ? all.find((name) => !ignoredClasses.has(name) && !name.includes('-'))
    : undefined
}

/** The title: from an attribute, or a caption just before the code. */
function titleOf(element: HtmlElement): string | undefined {
  const titleAttribute = valueOf(element, 'data-title') ?? valueOf(element, 'data-filename')
  if (titleAttribute !== undefined) return titleAttribute
  let inner = element
  for (
    let outer = element.parent, level = 0;
    outer && level < 3;
    level++, inner = outer, outer = outer.parent
  ) {
    // A caption and its code share a wrapper with few other children.
    if (outer.children.length > 9) return undefined
    const row = elementsOf(outer)
    const before = row[row.indexOf(inner) - 1]
    if (before && isTitle(before)) return titleWords(before)
  }
  return undefined
}

function titleWords(caption: HtmlElement): string | undefined {
  const words = textOf(caption, (one) => hasClass(one, 'collapse-source', 'collapse-spinner-wrapper'))
  return words.replace(/\s+/g, ' ').trim().slice(0, 200) || undefined
}

function isTitle(element: HtmlElement): boolean {
  return classesOf(element).some((name) =>
    /^(?:code-block-caption|filename|code-title|codeheader)$|^codeblocktitle/.test(name),
  )
}
