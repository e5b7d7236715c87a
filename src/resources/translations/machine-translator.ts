/** Machine translator: the single interface between runs and the translation provider. */

export interface GlossaryTerm {
  readonly term: string
  /** Null when the term is not translated. */
  readonly translation: string | null
}

export interface TranslationRequest {
  readonly from: string
  readonly to: string
  readonly instructions: string
  readonly glossary: readonly GlossaryTerm[]
  /** Tagged text by ids, which the response repeats. */
  readonly lines: readonly { readonly id: string; readonly text: string }[]
  /** What was wrong with the previous response, if there was one. */
  readonly fault?: string
}

export interface MachineTranslator {
  /** Characters that one run may send. */
  readonly charactersPerRun: number
  /** Returns the translated lines by id, as far as available; throws `TranslatorFailure` when there is no response. */
  translate(request: TranslationRequest, signal: AbortSignal): Promise<ReadonlyMap<string, string>>
}

export class TranslatorFailure extends Error {
  /** Milliseconds after which to retry, as the provider requested. */
  readonly retryAfter: number | undefined
  /** Retrying is useless: the key is wrong, or the model unknown. */
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
