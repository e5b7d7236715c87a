/** Flushing counts in batches, without losing what could not be written. */
import { OutcomeUnknown } from '../../store/db/unavailable.js'

/**
 * Writes the batches one after the other. When one fails, the rest and then this one are requeued, so that a batch that
 * always fails does not block the others; then rethrows the error. At most once: a batch that may have been written is
 * not requeued.
 */
export async function writeBatches<Batch>(
  batches: readonly Batch[],
  write: (batch: Batch) => Promise<void>,
  requeue: (batch: Batch) => void,
): Promise<void> {
  for (const [at, batch] of batches.entries()) {
    try {
      await write(batch)
    } catch (error) {
      batches.slice(at + 1).forEach(requeue)
      if (!(error instanceof OutcomeUnknown)) requeue(batch)
      throw error
    }
  }
}
