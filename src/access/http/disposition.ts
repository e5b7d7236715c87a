/** File names in `Content-Disposition`, written and read by a library: in any script, and with any punctuation. */
import { create, parse } from 'content-disposition'

/** Returns the header value for content that is displayed inline, or offered for download, under a name. */
export function disposition(type: 'inline' | 'attachment', name: string): string {
  // A lone surrogate has no UTF-8 encoding.
  return create(name.replace(/\p{Surrogate}/gu, '\ufffd'), { type })
}

/** Returns the file name in the header; undefined without one. */
export function nameIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : parse(header).parameters['filename'] || undefined
}
