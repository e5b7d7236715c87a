/** Localized texts of the client script, embedded in the page as far as it needs them. */
import { type ClientWords, clientWordsId } from '../../words/client-words.js'

let strings: ClientWords = {}
let source: Element | null = null

/** Returns a text with `content` in place of `{}`. */
export function word(name: keyof ClientWords, content = ''): string {
  const element = document.getElementById(clientWordsId)
  if (element !== source) {
    strings = JSON.parse(element?.textContent ?? '{}') as ClientWords
    source = element
  }
  return (strings[name] ?? '').replace('{}', () => content)
}
