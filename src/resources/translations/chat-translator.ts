/**
 * A translator at the other end of any endpoint that speaks the protocol of OpenAI chat completions.
 *
 * What it says is believed in nothing: an answer that is no answer is none, and what is one is looked through by
 * whoever asked. The client of addresses that people give sends it; redirects are not followed, with a key least of all.
 */
import { parseJson } from '../../core/parse-json.js'
import type { Services } from '../../access/route/scope.js'
import { RemoteError } from '../../store/remote/remote.js'
import type { AskedLines, LineTranslator } from './translator.js'
import { TranslatorFailure } from './translator.js'
import { type TranslatorRow, openKey } from './translators.js'

/** Milliseconds for one answer unless said otherwise, and bytes of it. */
const usualPatience = 120_000
const largestAnswer = 2_000_000

export function chatTranslator(
  services: Pick<Services, 'addresses' | 'remote'>,
  row: TranslatorRow,
  patience = usualPatience,
): LineTranslator {
  return {
    charactersPerRun: row.characters_per_run,
    async translate(asked, signal) {
      const key = openKey(services, row)
      if (row.sealed_key !== null && key === undefined)
        throw new TranslatorFailure('The key of the translator cannot be read: give it again.', {
          isFinal: true,
        })
      const bytes = await send(services, { row, key, asked, patience, signal })
      return readAnswer(bytes.toString('utf8'), new Set(asked.lines.map(({ id }) => id)))
    },
  }
}

interface Sending {
  readonly row: TranslatorRow
  readonly key: string | undefined
  readonly asked: AskedLines
  readonly patience: number
  readonly signal: AbortSignal
}

async function send(
  { remote }: Pick<Services, 'remote'>,
  { row, key, asked, patience, signal }: Sending,
): Promise<Buffer> {
  const body = {
    model: row.model,
    temperature: 0,
    messages: [
      { role: 'system', content: orderOf(asked) },
      { role: 'user', content: JSON.stringify({ lines: asked.lines }) },
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
    timeout: patience,
    maxBytes: largestAnswer,
    signal,
  }
  const {
    status,
    headers: said,
    bytes,
    brokeOff,
  } = await remote.post(address, sending).catch((error: unknown) => {
    throw error instanceof RemoteError ? failureOf(error) : error
  })
  if (status === 200) {
    // The passages that it lacks were not left out: they had yet to come.
    if (brokeOff !== undefined) throw failureOf(brokeOff)
    return Buffer.from(bytes)
  }
  const waits = Number(said['retry-after'])
  throw new TranslatorFailure(`The translator answered ${status}.`, {
    ...(Number.isFinite(waits) && waits >= 0 && { retryAfter: waits * 1_000 }),
    // Whoever asks so again is answered so again.
    isFinal: status < 500 && status !== 408 && status !== 409 && status !== 429,
  })
}

const failureOf = ({ message }: RemoteError) => new TranslatorFailure(`The translator failed: ${message}.`)

function orderOf({ from, to, instructions, glossary, fault }: AskedLines): string {
  const terms = glossary.map(({ term, words }) =>
    words === null ? `- "${term}" stays as it is` : `- "${term}": "${words}"`,
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

/** Returns the lines of an answer by their ids, as far as it can be read; throws where whoever answered is no translator. */
function readAnswer(text: string, ids: ReadonlySet<string>): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  const choices = memberOf(parseJson(text), 'choices')
  if (!Array.isArray(choices)) throw noTranslator(text)
  const said = memberOf(memberOf(memberOf(choices, 0), 'message'), 'content')
  if (typeof said !== 'string') return lines
  // Some put their JSON into a fence, whatever they were told.
  const [start, end] = [said.indexOf('{'), said.lastIndexOf('}')]
  const given = start < 0 ? undefined : memberOf(parseJson(said.slice(start, end + 1)), 'lines')
  if (!Array.isArray(given)) return lines
  for (const one of given) {
    const [id, line] = [memberOf(one, 'id'), memberOf(one, 'text')]
    const name = typeof id === 'number' ? String(id) : id
    if (typeof name !== 'string' || typeof line !== 'string' || !ids.has(name)) continue
    // Said twice: which of them is meant?
    if (lines.has(name)) lines.set(name, '')
    else lines.set(name, line)
  }
  return lines
}

/** Another address may lead to a translator; its passages are not to be marked as refused. */
function noTranslator(text: string): TranslatorFailure {
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
