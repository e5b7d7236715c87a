/** What the server writes into a page for the program of the page, and the program reads there. */
import type { Words } from './en.js'

/** Sentences by their names; counted words are said by the server alone. */
export type ClientWords = Readonly<Partial<Record<ClientWordName, string>>>
type ClientWordName = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words]

/** Id of the element that holds them. */
export const clientWordsId = 'octavo-words'
