/**
 * "Try it" panels of API blocks: send a request to the selected server. Input is read when it is sent, and never stored;
 * the content security policy of the page allows only the listed servers.
 */
import { word } from './words.js'

/** Maximum displayed characters of a response. */
const maxResponseLength = 100_000

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}

async function send(form: HTMLFormElement): Promise<void> {
  const output = form.querySelector<HTMLElement>('.answer')!
  const button = form.querySelector('button')!
  button.disabled = true
  try {
    const { url, init } = requestOf(form)
    const answer = await fetch(url, init)
    const text = await answer.text()
    show(output, `${answer.status} ${answer.statusText}`.trim(), readable(text))
  } catch {
    show(output, word('noAnswer'), '')
  }
  button.disabled = false
}

function requestOf(form: HTMLFormElement): { readonly url: string; readonly init: RequestInit } {
  const { method = 'GET', path = '' } = form.dataset
  const headers = new Headers()
  const query = new URLSearchParams()
  let filled = path
  for (const field of form.querySelectorAll<HTMLInputElement>('input[data-place]')) {
    const { place, name = '', prefix = '', basic } = field.dataset
    if (field.value === '') continue
    const value =
      basic === undefined ? field.value : btoa(String.fromCharCode(...new TextEncoder().encode(field.value)))
    const whole = prefix === '' ? value : `${prefix} ${value}`
    if (place === 'path') filled = filled.replaceAll(`{${name}}`, () => encodeURIComponent(value))
    else if (place === 'query') query.append(name, whole)
    else if (place === 'querystring')
      for (const [key, one] of new URLSearchParams(value)) query.append(key, one)
    else headers.set(name, whole)
  }
  const body = form.querySelector<HTMLTextAreaElement>('textarea[data-body]')
  const isSent = body !== null && body.value !== '' && method !== 'GET' && method !== 'HEAD'
  if (isSent && !body.dataset['body']!.startsWith('multipart/'))
    headers.set('content-type', body.dataset['body']!)
  const server = form.querySelector<HTMLSelectElement>('select')!.value
  const queryString = query.size > 0 ? `?${query}` : ''
  return {
    url: server.replace(/\/$/, '') + filled + queryString,
    init: {
      method,
      headers,
      ...(isSent && {
        body: body.dataset['body']!.startsWith('multipart/') ? partsOf(body.value) : body.value,
      }),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
    },
  }
}

/** Returns the members of the JSON text as form data. */
function partsOf(text: string): FormData {
  const parts = new FormData()
  for (const [name, value] of Object.entries(JSON.parse(text) as object))
    parts.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  return parts
}

function readable(text: string): string {
  const short = text.slice(0, maxResponseLength)
  if (short.length < text.length) return `${short}\n…`
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function show(output: HTMLElement, status: string, text: string): void {
  const line = document.createElement('p')
  line.textContent = status
  const lines = document.createElement('pre')
  lines.tabIndex = 0
  const code = document.createElement('code')
  code.textContent = text
  lines.append(code)
  output.replaceChildren(line, ...(text === '' ? [] : [lines]))
}
