/**
 * Unused exports. A use is an import by another source file that names it, or another mention in its own file; what tests
 * alone use is unused.
 */
import { dirname, join, normalize } from 'node:path'

/** Returns `file name` of every exported function and constant without a use; `texts` are source files by their paths. */
export function findUnusedExports(texts: ReadonlyMap<string, string>): string[] {
  const used = new Set<string>()
  for (const [file, text] of texts) {
    const resolve = (name: string) => normalize(join(dirname(file), name)).replace(/\.js$/, '.ts')
    for (const [, names, from] of text.matchAll(/\{([^{}]*)\}\s*from\s+'(\.[^']+)'/g)) {
      for (const name of names!.split(',')) used.add(`${resolve(from!)} ${nameOf(name)}`)
    }
    // What is imported dynamically, or as a namespace, is used where its name occurs.
    for (const [, star, late] of text.matchAll(/\*(?: as \w+)? from '(\.[^']+)'|import\('(\.[^']+)'\)/g)) {
      for (const [name] of text.matchAll(/\w+/g)) used.add(`${resolve(star ?? late!)} ${name}`)
    }
  }
  return [...texts].flatMap(([file, text]) => {
    const exported = text.matchAll(/^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm)
    return [...exported]
      .map(([, name]) => name!)
      .filter((name) => !used.has(`${file} ${name}`) && text.split(new RegExp(`\\b${name}\\b`)).length <= 2)
      .map((name) => `${file} ${name}`)
  })
}

function nameOf(specifier: string): string {
  return specifier
    .replace(/\btype\b/, '')
    .trim()
    .split(' as ')[0]!
}
