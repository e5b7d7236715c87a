/** What the program says: sentences in the page's language, which come with the page as far as it needs them. */
import { type ClientWords, clientWordsId } from '../../words/client-words.js'

let strings: ClientWords = {}
let source: Element | null = null

/** Returns a sentence with what belongs in place of `{}`. */
export function word(name: keyof ClientWords, content = ''): string {
  const element = document.getElementById(clientWordsId)
  if (element !== source) {
    strings = JSON.parse(element?.textContent ?? '{}') as ClientWords
    source = element
  }
  return (strings[name] ?? '').replace('{}', () => content)
}
