/**
 * Machine translation through any endpoint that implements the OpenAI chat completions API.
 *
 * Responses are untrusted: unparsable ones count as empty, and the caller validates each line. Requests go through
 * the client for user-supplied URLs; redirects are not followed, least of all with a key.
 */
import { parseJson } from '../../core/parse-json.js'
import type { Services } from '../../access/route/scope.js'
import { RemoteError } from '../../store/remote/remote.js'
import type { TranslationRequest, MachineTranslator } from './machine-translator.js'
import { TranslatorFailure } from './machine-translator.js'
import { type TranslatorRow, openKey } from './translators.js'

/** Default milliseconds for one response, and its maximum bytes. */
const defaultTimeout = 120_000
const maxResponseBytes = 2_000_000

export function chatTranslator(
  services: Pick<Services, 'addresses' | 'remote'>,
  row: TranslatorRow,
  timeout = defaultTimeout,
): MachineTranslator {
  return {
    charactersPerRun: row.characters_per_run,
    async translate(request, signal) {
      const key = openKey(services, row)
      if (row.sealed_key !== null && key === undefined)
        throw new TranslatorFailure('The key of the translator cannot be read: give it again.', {
          isFinal: true,
        })
      const bytes = await send(services, { row, key, request, timeout, signal })
      return readAnswer(bytes.toString('utf8'), new Set(request.lines.map(({ id }) => id)))
    },
  }
}

interface ChatRequest {
  readonly row: TranslatorRow
  readonly key: string | undefined
  readonly request: TranslationRequest
  readonly timeout: number
  readonly signal: AbortSignal
}

async function send(
  { remote }: Pick<Services, 'remote'>,
  { row, key, request, timeout, signal }: ChatRequest,
): Promise<Buffer> {
  const body = {
    model: row.model,
    temperature: 0,
    messages: [
      { role: 'system', content: systemPromptOf(request) },
      { role: 'user', content: JSON.stringify({ lines: request.lines }) },
    ],
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Octavo',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  const address = `${row.endpoint.replace(/\/$/, '')}/chat/completions`
  const sending = {
    bytes: Buffer.from(JSON.stringify(body)),
    headers,
    timeout,
    maxBytes: maxResponseBytes,
    signal,
  }
  const {
    status,
    headers: responseHeaders,
    bytes,
    brokeOff,
  } = await remote.post(address, sending).catch((error: unknown) => {
    throw error instanceof RemoteError ? failureOf(error) : error
  })
  if (status === 200) {
    // The connection broke: missing lines were not left out by the model, they had yet to arrive.
    if (brokeOff !== undefined) throw failureOf(brokeOff)
    return Buffer.from(bytes)
  }
  const retryAfter = Number(responseHeaders['retry-after'])
  throw new TranslatorFailure(`The translator answered ${status}.`, {
    ...(Number.isFinite(retryAfter) && retryAfter >= 0 && { retryAfter: retryAfter * 1_000 }),
    // Repeating a request with these statuses gives the same response.
    isFinal: status < 500 && status !== 408 && status !== 409 && status !== 429,
  })
}

const failureOf = ({ message }: RemoteError) => new TranslatorFailure(`The translator failed: ${message}.`)

function systemPromptOf({ from, to, instructions, glossary, fault }: TranslationRequest): string {
  const terms = glossary.map(({ term, translation }) =>
    translation === null ? `- "${term}" stays as it is` : `- "${term}": "${translation}"`,
  )
  return [
    `Translate technical documentation from the language "${from}" into the language "${to}".`,
    'You are given JSON with "lines", each with an "id" and a "text". Answer with nothing but JSON of the form ' +
      '{"lines":[{"id":"1","text":"…"}]}: every line once, by its id, each on one line.',
    'Tags such as <g1>, </g1> and <x2/> stand for markup. Keep each of them exactly once, around or beside the words ' +
      'that they belong to. Add no tags, no Markdown and no HTML. Write &lt;, &gt; and &amp; where the text does.',
    ...(terms.length > 0 ? [`Use these words:\n${terms.join('\n')}`] : []),
    ...(instructions === '' ? [] : [instructions]),
    ...(fault === undefined ? [] : [`An earlier answer could not be used: ${fault}.`]),
  ].join('\n\n')
}

/**
 * Returns the lines of a response by their ids, as far as it can be parsed; throws when the response is not a chat
 * completion.
 */
function readAnswer(text: string, ids: ReadonlySet<string>): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  const choices = memberOf(parseJson(text), 'choices')
  if (!Array.isArray(choices)) throw notAChatApi(text)
  const content = memberOf(memberOf(memberOf(choices, 0), 'message'), 'content')
  if (typeof content !== 'string') return lines
  // Some models put their JSON into a code fence despite the prompt.
  const [start, end] = [content.indexOf('{'), content.lastIndexOf('}')]
  const entries = start < 0 ? undefined : memberOf(parseJson(content.slice(start, end + 1)), 'lines')
  if (!Array.isArray(entries)) return lines
  for (const entry of entries) {
    const [id, line] = [memberOf(entry, 'id'), memberOf(entry, 'text')]
    const name = typeof id === 'number' ? String(id) : id
    if (typeof name !== 'string' || typeof line !== 'string' || !ids.has(name)) continue
    // A duplicate id is ambiguous.
    if (lines.has(name)) lines.set(name, '')
    else lines.set(name, line)
  }
  return lines
}

/** A different endpoint may work, so the lines are not marked as failed. */
function notAChatApi(text: string): TranslatorFailure {
  const kind = text.trimStart().startsWith('<') ? 'a web page' : 'something'
  return new TranslatorFailure(
    `The translator answered with ${kind} that is no chat completion: check that its endpoint is the base of such an API, which often ends with "/v1".`,
    { isFinal: true },
  )
}

function memberOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string | number, unknown>)[name]
}
