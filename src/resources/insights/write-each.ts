/** Writing what was counted, part by part, so that what could not be written is not lost. */
import { OutcomeUnknown } from '../../store/db/unavailable.js'

/**
 * Writes the parts one after the other. When one fails, the rest and then this one are kept, so that a part that fails
 * each time keeps no other back; then throws what failed. What may have been written is not kept: less is better than
 * twice.
 */
export async function writeEach<Part>(
  parts: readonly Part[],
  write: (part: Part) => Promise<void>,
  keep: (part: Part) => void,
): Promise<void> {
  for (const [at, part] of parts.entries()) {
    try {
      await write(part)
    } catch (error) {
      parts.slice(at + 1).forEach(keep)
      if (!(error instanceof OutcomeUnknown)) keep(part)
      throw error
    }
  }
}
