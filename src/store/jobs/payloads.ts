/**
 * Typed job payloads: the module that declares a job type extends `JobPayloads` with its payload, so that `enqueue` and
 * the handlers are checked against it. Payloads are stored as JSON: queued jobs of earlier versions must stay readable.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- extended by the owners
export interface JobPayloads {}

export type JobType = keyof JobPayloads

/** For jobs without parameters. */
export type EmptyPayload = Readonly<Record<string, never>>
