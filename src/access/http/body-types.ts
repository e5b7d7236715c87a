/** Content types of request bodies, as they are accepted, named in errors, and described in the OpenAPI document. */
import type { IncomingMessage } from 'node:http'

export const jsonTypes: readonly string[] = ['application/json']

/** Of an upload: a form with one file, or the bytes themselves. */
export const uploadTypes: readonly string[] = [
  'multipart/form-data',
  'application/octet-stream',
  'application/zip',
]

/** Of the forms of the product's own pages. */
export const formTypes: readonly string[] = ['application/x-www-form-urlencoded']

/** Returns a content type without its parameters, in lower case. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase()
}

/** Returns the media type of a body; empty where the request names none. */
export function bodyTypeOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return mediaTypeOf(headers['content-type'] ?? '')
}

/** True for a request that announces no body. */
export function isWithoutBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}
