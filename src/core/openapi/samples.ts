/** A request as code in the languages that most programs are written in; the library is loaded for the first of them. */
import type { RequestView } from './request.js'
import type { SampleView } from './view.js'

const languages = [
  { target: 'shell', client: 'curl', language: 'bash', label: 'curl' },
  { target: 'javascript', client: 'fetch', language: 'javascript', label: 'JavaScript' },
  { target: 'python', client: 'requests', language: 'python', label: 'Python' },
  { target: 'go', client: 'native', language: 'go', label: 'Go' },
] as const

/** Returns the samples of a request; none of one that cannot be written, such as to an address that is none. */
export async function writeSamples(request: RequestView): Promise<readonly SampleView[]> {
  const { HTTPSnippet } = await import('httpsnippet-lite')
  const { method, url, query, headers, cookies, body } = request
  // A header that the library sets itself, with the boundary of the parts, would stand there twice.
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
      // What the library cannot write is left out: a method or an address of no kind that it knows.
    }
  }
  return samples
}

/** Names in the path stay as they are reported; a file that is opened is no text. */
function readable(source: string): string {
  return source.replace(/%7B([\w.-]{1,100})%7D/g, '{$1}').replace(/"(open\('[^'"\n]{1,200}', 'rb'\))"/g, '$1')
}
