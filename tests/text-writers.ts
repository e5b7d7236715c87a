/**
 * Writers of one text, as editors behave: they type words and delete lines, save by splices, lose requests and responses,
 * send them again with the same number, and type on while they wait.
 */
import { createHash } from 'node:crypto'
import { diffTexts } from '../src/core/editing/diff-texts.js'
import { rebaseSplices } from '../src/core/editing/rebase.js'
import { type Splice, applySplices } from '../src/core/editing/splice.js'

export interface SaveRequest {
  readonly base: string
  readonly splices: readonly Splice[]
  readonly client: string
  readonly seq: number
}

interface SaveResponse {
  readonly status: number
  readonly body: any
}

/** Sends a save; undefined when the connection was cut, whether it was written or not. */
export type SendSave = (request: SaveRequest) => Promise<SaveResponse | undefined>

export interface WriterOptions {
  readonly name: string
  readonly text: string
  /** From 0 up to 1, not including it. */
  readonly random: () => number
  readonly send: SendSave
  /** The share of connections that are cut, half of them before the request arrives. */
  readonly cuts: number
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

export class TextWriter {
  /** Words that were typed, and those of them that were acknowledged. */
  readonly words: string[] = []
  readonly acknowledged = new Set<string>()
  conflicts = 0
  retries = 0
  /** The text as it was last acknowledged, and as it is in the editor. */
  private base: string
  text: string
  private seq = 0

  constructor(private readonly options: WriterOptions) {
    this.base = this.text = options.text
  }

  /** Types a word between two others, or deletes a line that nobody has typed into. */
  edit(): void {
    const { random, name } = this.options
    if (random() < 0.1) {
      const lines = [...this.text.matchAll(/^- line \d+ of the text\n/gm)]
      const line = lines[Math.floor(random() * lines.length)]
      if (line) this.text = this.text.replace(line[0], '')
      return
    }
    const word = `${name}w${this.words.length}z`
    this.words.push(word)
    // Often at the same few places, where others type as well.
    const spaces = [...this.text.matchAll(/(?<=\w) (?=\w)|(?<=\w)(?=\n)/g)]
    const choices = random() < 0.3 ? spaces.slice(0, 3) : spaces
    const at = choices[Math.floor(random() * choices.length)]?.index ?? this.text.length
    this.text = `${this.text.slice(0, at)} ${word}${this.text.slice(at)}`
  }

  /** Saves until the save is acknowledged or refused; the writer types on meanwhile. */
  async save(typesOn = false): Promise<void> {
    const { send, name, random, cuts } = this.options
    const sent = this.text
    const request = {
      base: hashOf(this.base),
      splices: diffTexts(this.base, sent),
      client: name,
      seq: this.seq++,
    }
    let response: SaveResponse | undefined
    for (let attempt = 0; response === undefined; attempt++) {
      if (attempt > 0) this.retries++
      if (attempt > 3_000) throw new Error(`${name} cannot save`)
      const fate = random()
      if (typesOn && random() < 0.5) this.edit()
      if (fate < cuts / 2) continue
      response = await send(request)
      if (fate < cuts) response = undefined
    }
    if (response.status === 200) this.acknowledge(sent, request.splices, response.body)
    else if (response.status === 409) this.resolve(response.body.error.conflicts[0].theirs.markdown)
    else throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
  }

  private acknowledge(sent: string, splices: readonly Splice[], { hash, came }: any): void {
    const stored = applySplices(applySplices(this.base, splices), came)
    if (hashOf(stored) !== hash) throw new Error(`${this.options.name} has another text than the server`)
    for (const word of this.words) if (stored.includes(word)) this.acknowledged.add(word)
    const typed = rebaseSplices(sent, diffTexts(sent, this.text), came)
    this.base = stored
    this.text = applySplices(stored, typed.splices)
  }

  /** Takes the text of others, and types again what is not in it. */
  private resolve(theirs: string): void {
    this.conflicts++
    const missing = this.words.filter((word) => !this.acknowledged.has(word) && !theirs.includes(word))
    this.base = theirs
    this.text = theirs + (missing.length > 0 ? `\n${missing.join(' ')}\n` : '')
  }
}

/** Returns what is wrong with the words of a text: those that are not there once. */
export function findMiscounted(text: string, writers: readonly TextWriter[]): string[] {
  return writers.flatMap(({ acknowledged }) =>
    [...acknowledged].flatMap((word) => {
      const count = text.split(word).length - 1
      return count === 1 ? [] : [`${word} is there ${count} times`]
    }),
  )
}
