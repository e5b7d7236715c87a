/** What the server writes into a page for the program of the page, and the program reads there. */
import type { Words } from './en.js'

/** Sentences by their names; counted words are said by the server alone. */
export type ProgramWords = Readonly<Partial<Record<SaidByProgram, string>>>
type SaidByProgram = { [Name in keyof Words]: Words[Name] extends string ? Name : never }[keyof Words]

/** Id of the element that holds them. */
export const programWordsId = 'octavo-words'
