/** Upload with progress, which `fetch` does not report: an XMLHttpRequest with the errors of the API client. */
import { ApiRequestError } from '../api/client.js'

export interface UploadOptions {
  /** Of a body of bytes; a form has its own. */
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Sent bytes and their number. */
  readonly onProgress?: (sent: number, total: number) => void
}

/** Sends a file as the body and returns the JSON reply. Throws `ApiRequestError`. */
export function upload<Reply>(
  path: string,
  body: Blob | FormData,
  { contentType, headers = {}, signal, onProgress }: UploadOptions = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    if (contentType !== undefined) request.setRequestHeader('content-type', contentType)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(loaded, total))
    request.addEventListener('load', () => {
      if (request.status < 300) return resolve(request.response as Reply)
      const error = (request.response as { readonly error?: { code: number; message: string } } | null)?.error
      const message = error?.message ?? `The upload failed with status ${request.status}.`
      reject(new ApiRequestError(request.status, error?.code ?? 0, message))
    })
    request.addEventListener('error', () =>
      reject(new ApiRequestError(0, 0, 'The server cannot be reached.')),
    )
    request.addEventListener('abort', () =>
      reject(new DOMException('The upload was cancelled.', 'AbortError')),
    )
    signal?.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}
