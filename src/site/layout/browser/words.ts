/** What the program says: sentences in the page's language, which come with the page as far as it needs them. */
import { type ProgramWords, programWordsId } from '../../words/program-words.js'

let given: ProgramWords | undefined

/** Returns a sentence with what belongs in place of `{}`. */
export function word(name: keyof ProgramWords, content = ''): string {
  given ??= JSON.parse(document.getElementById(programWordsId)?.textContent ?? '{}') as ProgramWords
  return (given[name] ?? '').replace('{}', () => content)
}
