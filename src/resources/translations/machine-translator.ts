/** What somebody who translates is asked, and answers: the one interface between runs and whatever does the work. */

export interface GlossaryTerm {
  readonly term: string
  /** Null where the term stays as it is. */
  readonly translation: string | null
}

export interface TranslationRequest {
  readonly from: string
  readonly to: string
  readonly instructions: string
  readonly glossary: readonly GlossaryTerm[]
  /** Tagged, by names that the answer repeats. */
  readonly lines: readonly { readonly id: string; readonly text: string }[]
  /** What was wrong with the answer before, where there was one. */
  readonly fault?: string
}

export interface MachineTranslator {
  /** Characters that one run may send. */
  readonly charactersPerRun: number
  /** Answers the lines in the other language, as far as there are any; throws `TranslatorFailure` where there is no answer. */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<ReadonlyMap<string, string>>
}

export class TranslatorFailure extends Error {
  /** Milliseconds after which it may be asked again, as it said. */
  readonly retryAfter: number | undefined
  /** Asking again is of no use: the key is wrong, or the model unknown. */
  readonly isFinal: boolean
  constructor(
    message: string,
    { retryAfter, isFinal = false }: { retryAfter?: number; isFinal?: boolean } = {},
  ) {
    super(message)
    this.retryAfter = retryAfter
    this.isFinal = isFinal
  }
}
