/** Code samples of a request in common languages; the library is loaded on first use. */
import type { RequestView } from './request.js'
import type { SampleView } from './view.js'

const languages = [
  { target: 'shell', client: 'curl', language: 'bash', label: 'curl' },
  { target: 'javascript', client: 'fetch', language: 'javascript', label: 'JavaScript' },
  { target: 'python', client: 'requests', language: 'python', label: 'Python' },
  { target: 'go', client: 'native', language: 'go', label: 'Go' },
] as const

/** Returns the samples of a request; none of one that cannot be written, such as to an invalid address. */
export async function writeSamples(request: RequestView): Promise<readonly SampleView[]> {
  const { HTTPSnippet } = await import('httpsnippet-lite')
  const { method, url, query, headers, cookies, body } = request
  // A header that the library sets itself, with the boundary of the parts, would be duplicated.
  const isParts = body?.fields !== undefined
  const snippet = () =>
    new HTTPSnippet({
      method,
      url,
      httpVersion: 'HTTP/1.1',
      headersSize: -1,
      bodySize: -1,
      queryString: query.map((pair) => ({ ...pair })),
      cookies: cookies.map((pair) => ({ ...pair })),
      headers: headers.filter(({ name }) => !isParts || name !== 'Content-Type').map((pair) => ({ ...pair })),
      ...(body !== undefined && {
        postData: {
          mimeType: body.mediaType,
          ...(body.fields === undefined
            ? { text: body.text }
            : {
                params: body.fields.map(({ name, value, isFile }) => ({
                  name,
                  ...(isFile ? { fileName: value } : { value }),
                })),
              }),
        },
      }),
    } as never)
  const samples: SampleView[] = []
  for (const { target, client, language, label } of languages) {
    try {
      const source = await snippet().convert(target, client as never)
      if (typeof source === 'string') samples.push({ language, label, source: readable(source) })
    } catch {
      // Samples that the library cannot write are omitted: an unknown method or kind of address.
    }
  }
  return samples
}

/** Restores names in the path; an opened file is no text. */
function readable(source: string): string {
  return source.replace(/%7B([\w.-]{1,100})%7D/g, '{$1}').replace(/"(open\('[^'"\n]{1,200}', 'rb'\))"/g, '$1')
}
