/** What the program says: sentences in the page's language, which come with the page as far as it needs them. */
import { type ProgramWords, programWordsId } from '../../words/program-words.js'

let given: ProgramWords = {}
let givenBy: Element | null = null

/** Returns a sentence with what belongs in place of `{}`. */
export function word(name: keyof ProgramWords, content = ''): string {
  const element = document.getElementById(programWordsId)
  if (element !== givenBy) {
    given = JSON.parse(element?.textContent ?? '{}') as ProgramWords
    givenBy = element
  }
  return (given[name] ?? '').replace('{}', () => content)
}
