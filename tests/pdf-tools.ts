/** PDF readers for tests: programs of the machine (`qpdf`, poppler); tests that need them are skipped without. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const folders = (process.env['PATH'] ?? '').split(':')
const has = (program: string): boolean => folders.some((folder) => existsSync(`${folder}/${program}`))

/** False where "qpdf" or the tools of Poppler are missing. */
export const hasPdfTools = ['qpdf', 'pdftotext'].every(has)

/** Throws with what is wrong with the file. */
export function checkPdf(path: string): void {
  execFileSync('qpdf', ['--check', path], { stdio: 'pipe' })
}

/** Returns the words on the pages, one blank between them. */
export function textOfPdf(path: string): string {
  const text = execFileSync('pdftotext', ['-enc', 'UTF-8', path, '-'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  return text.replaceAll('\u200b', '').replace(/\s+/g, ' ')
}

/** Returns where words of each page begin and end, in points from the left. */
export function wordsOfPdf(
  path: string,
): { readonly text: string; readonly from: number; readonly to: number }[][] {
  const markup = execFileSync('pdftotext', ['-enc', 'UTF-8', '-bbox', path, '-'], { encoding: 'utf8' })
  return markup
    .split('<page ')
    .slice(1)
    .map((page) =>
      [...page.matchAll(/<word xMin="([\d.]+)"[^>]* xMax="([\d.]+)"[^>]*>([^<]*)</g)].map(
        ([, from, to, text = '']) => ({ text, from: Number(from), to: Number(to) }),
      ),
    )
}

interface PdfJson {
  readonly qpdf: readonly [unknown, Readonly<Record<string, { readonly value?: any }>>]
  readonly outlines: readonly Outline[]
  readonly pages: readonly { readonly object: string }[]
}

export interface Outline {
  readonly title: string
  readonly destpageposfrom1: number
  readonly kids: readonly Outline[]
}

export interface ReadPdf {
  readonly pages: number
  readonly outlines: readonly Outline[]
  /** Addresses of other hosts that are linked to. */
  readonly away: readonly string[]
  /** For each link within the document, its target page, from 1; 0 for a broken link. */
  readonly within: readonly number[]
}

/** Reads the links and their targets. */
export function readPdf(path: string): ReadPdf {
  const json = execFileSync(
    'qpdf',
    ['--json', '--json-key=qpdf', '--json-key=outlines', '--json-key=pages', path],
    {
      encoding: 'utf8',
      maxBuffer: 1 << 29,
    },
  )
  const { qpdf, outlines, pages } = JSON.parse(json) as PdfJson
  const objects = qpdf[1]
  const numbers = new Map(pages.map(({ object }, index) => [object, index + 1]))
  const follow = (value: any): any =>
    typeof value === 'string' && /^\d+ \d+ R$/.test(value) ? objects[`obj:${value}`]?.value : value
  const away: string[] = []
  const within: number[] = []
  const named = new Map<string, any>()
  const collect = (node: any): void => {
    const names = node?.['/Names'] ?? []
    for (let at = 0; at < names.length; at += 2) named.set(names[at], names[at + 1])
    for (const kid of node?.['/Kids'] ?? []) collect(follow(kid))
  }
  for (const { value } of Object.values(objects)) {
    if (value?.['/Type'] === '/Catalog') collect(follow(follow(value['/Names'])?.['/Dests']))
  }
  for (const { value } of Object.values(objects)) {
    if (value?.['/Subtype'] !== '/Link') continue
    const action = follow(value['/A'])
    const uri = action?.['/URI'] as string | undefined
    if (uri !== undefined) {
      away.push(uri.replace(/^u:/, ''))
      continue
    }
    let target = follow(value['/Dest'] ?? action?.['/D'])
    if (typeof target === 'string') target = follow(named.get(target))
    if (target?.['/D'] !== undefined) target = follow(target['/D'])
    within.push(Array.isArray(target) ? (numbers.get(target[0]) ?? 0) : 0)
  }
  return { pages: pages.length, outlines, away, within }
}
