/**
 * Synthetic documentation, the same on every run: pages with headings, paragraphs, lists, code and
 * links to each other, in words whose frequencies follow Zipf's law as those of real texts do.
 */

/** Numbers from 0 up to 1 (mulberry32); the same seed gives the same numbers. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const vocabularySize = 20_000
const consonants = 'b c d f g h k l m n p r s t v z br dr gr st tr pl'.split(' ')
const vowels = 'a e i o u ai ea io ou'.split(' ')

/** Words in order of their frequency, and what draws them. */
export interface Vocabulary {
  readonly words: readonly string[]
  draw(random: () => number): string
}

export function createVocabulary(seed = 1): Vocabulary {
  const random = createRandom(seed)
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!
  const known = new Set<string>()
  while (known.size < vocabularySize) {
    // Frequent words are short.
    const syllables = 1 + Math.floor(Math.log10(1 + known.size) / 1.5) + (random() < 0.4 ? 1 : 0)
    known.add(
      Array.from({ length: syllables }, () => pick(consonants) + pick(vowels)).join('') +
        pick(['', '', 'n', 's', 'r']),
    )
  }
  const words = [...known]
  const heights = new Float64Array(vocabularySize)
  let total = 0
  for (let rank = 0; rank < vocabularySize; rank += 1) heights[rank] = total += 1 / (rank + 2.7)
  return {
    words,
    draw(random) {
      const wanted = random() * total
      let low = 0
      let high = vocabularySize - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if (heights[middle]! < wanted) low = middle + 1
        else high = middle
      }
      return words[low]!
    },
  }
}

export interface CorpusFile {
  readonly path: string
  readonly bytes: Buffer
}

export interface CorpusOptions {
  readonly pages: number
  /** Of a page, about. */
  readonly bytes: number
  readonly seed?: number
  readonly vocabulary?: Vocabulary
  /** After so many blocks there is a heading. */
  readonly blocksPerSection?: number
}

const pagesPerFolder = 20

/** Returns the files of a space: its table of contents, and pages in folders of twenty. */
export function createCorpus({
  pages,
  bytes,
  seed = 7,
  vocabulary = createVocabulary(),
  blocksPerSection = 7,
}: CorpusOptions): CorpusFile[] {
  const random = createRandom(seed)
  const titles = Array.from(
    { length: pages },
    (_, index) => `${capital(phrase(2 + (index % 3)))} ${index + 1}`,
  )
  function phrase(count: number): string {
    return Array.from({ length: count }, () => vocabulary.draw(random)).join(' ')
  }
  const files: CorpusFile[] = titles.map((title, index) => ({
    path: pathOf(index),
    bytes: Buffer.from(pageText(title, index)),
  }))
  const contents = titles.map((title, index) => {
    const depth = index % pagesPerFolder === 0 ? '' : '  '
    return `${depth}* [${title}](${pathOf(index)})`
  })
  return [
    { path: 'SUMMARY.md', bytes: Buffer.from(`# Table of contents\n\n${contents.join('\n')}\n`) },
    ...files,
  ]

  function pageText(title: string, index: number): string {
    const parts = [`---\ndescription: ${capital(phrase(8))}\n---\n\n# ${title}\n`]
    let size = parts[0]!.length
    for (let block = 0; size < bytes; block += 1) {
      const part = blockText(block, index)
      parts.push(part)
      size += part.length
    }
    return parts.join('\n')
  }

  function blockText(block: number, index: number): string {
    if (block % blocksPerSection === 0) return `## ${capital(phrase(3))}\n`
    if (block % 7 === 3) return Array.from({ length: 4 }, () => `* ${phrase(9)}\n`).join('')
    if (block % 14 === 5)
      return `\`\`\`js\nconst ${vocabulary.draw(random)} = (${phrase(3).replaceAll(' ', ', ')}) => [\n  '${phrase(5)}',\n]\n\`\`\`\n`
    if (block % 14 === 12) return `{% hint style="info" %}\n${sentence()} ${sentence()}\n{% endhint %}\n`
    const target = Math.floor(random() * pages)
    const link = `[${phrase(2)}](${relative(index, target)})`
    return `${sentence()} ${sentence()} See ${link} for **${phrase(2)}**. ${sentence()}\n`
  }

  function sentence(): string {
    return `${capital(phrase(10 + Math.floor(random() * 8)))}.`
  }
}

function pathOf(index: number): string {
  if (index === 0) return 'README.md'
  const folder = `part-${Math.floor(index / pagesPerFolder)}`
  return index % pagesPerFolder === 0 ? `${folder}/README.md` : `${folder}/page-${index}.md`
}

function relative(from: number, to: number): string {
  return from === 0 ? pathOf(to) : `../${pathOf(to)}`
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}

/** Returns how many pages contain each word. */
export function countPages(files: readonly CorpusFile[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { bytes } of files.slice(1)) {
    for (const word of new Set(
      bytes
        .toString()
        .toLowerCase()
        .match(/[a-z]+/g),
    ))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
