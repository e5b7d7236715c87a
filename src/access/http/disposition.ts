/** Names of files in `Content-Disposition`, written and read by a library: in any script, and with any punctuation. */
import { create, parse } from 'content-disposition'

/** Returns the header of bytes that are shown in place, or offered for download, under a name. */
export function disposition(type: 'inline' | 'attachment', name: string): string {
  // Half a character has no bytes.
  return create(name.replace(/\p{Surrogate}/gu, '\ufffd'), { type })
}

/** Returns the name that the sender of some bytes gives them; undefined for none. */
export function nameIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parse(header).parameters['filename'] || undefined
}
