/** UI texts that the server embeds in a page for its client script. */
import type { Words } from './en.js'

/** Texts by name; plural texts are used by the server only. */
export type ClientWords = Readonly<Partial<Record<ClientWordName, string>>>
type ClientWordName = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words]

/** Id of the element that contains them. */
export const clientWordsId = 'octavo-words'
