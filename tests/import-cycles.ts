/**
 * Import cycles. In every folder the entries, files and folders alike, have to import in one direction: then no file
 * depends on itself, and each folder can be read with what is below it alone.
 */
type ImportGraph = Map<string, Set<string>>

/** Returns one line for each circle that is found: the folder, and the way round. Types count as everything else. */
export function findImportCycles(
  imports: readonly { readonly file: string; readonly target: string }[],
): string[] {
  const folders = new Map<string, ImportGraph>()
  for (const { file, target } of imports) {
    const { folder, from, to } = commonFolder(file.split('/'), target.split('/'))
    const arrows = folders.get(folder) ?? new Map<string, Set<string>>()
    folders.set(folder, arrows.set(from, (arrows.get(from) ?? new Set()).add(to)))
  }
  return [...folders].flatMap(([folder, arrows]) =>
    cyclesOf(arrows).map((circle) => `${folder || '.'}: ${circle.join(' → ')}`),
  )
}

/** The common folder of both, and the entry of it that contains each. */
function commonFolder(file: readonly string[], target: readonly string[]) {
  let depth = 0
  while (file[depth] === target[depth] && depth < file.length - 1) depth += 1
  return { folder: file.slice(0, depth).join('/'), from: file[depth]!, to: target[depth]! }
}

function cyclesOf(arrows: ImportGraph): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const walk = (entry: string): void => {
    const at = way.indexOf(entry)
    if (at >= 0) circles.push([...way.slice(at), entry])
    if (at >= 0 || done.has(entry)) return
    way.push(entry)
    for (const next of arrows.get(entry) ?? []) walk(next)
    way.pop()
    done.add(entry)
  }
  for (const entry of arrows.keys()) walk(entry)
  return circles
}
