/**
 * Sending what a site answered: bytes with a name, headers made once, and "not modified" without a body.
 *
 * The content policy allows nothing that the pages do not use themselves: were markup of an author ever
 * to slip through, it could not run, load or send anything. Scripts that whoever administers a site allows are named
 * one by one.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isKnown } from '../../access/http/conditions.js'
import { originOf, sourceOf } from '../../resources/sites/scripts.js'
import { speculationRulesHash } from '../../site/layout/speculation.js'
import { themeScriptHash } from '../../site/layout/theme.js'
import type { Answer } from '../../site/answer.js'
import { type Headers, everyAnswer, keptByNobody } from './headers.js'

/** What is said of an answer, whatever its bytes are compressed by. */
export interface AnswerHead {
  readonly status: number
  /** Names the bytes and everything that is said of them. */
  readonly digest: string
  readonly etag: string
  /** True when it may leave compressed. */
  readonly isCompressed: boolean
  readonly headers: Headers
  /** Those of them that an answer without a body carries. */
  readonly unchangedHeaders: Headers
  /** The same, each behind its name: of an object they take Node a tenth of all that it does for such an answer. */
  readonly listed: readonly string[]
  readonly listedUnchanged: readonly string[]
}

/** An answer ready to be sent many times. */
export interface ReadyAnswer extends AnswerHead {
  readonly body: Buffer
}

/** Who may keep an answer, besides the reader's own browser or not; each asks again before using what it kept. */
export type Keeping = 'public' | 'private' | 'nobody'

const writePolicy = ({ connects = [], scripts = [] }: Pick<Answer, 'connects' | 'scripts'>): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    ["script-src 'self'", themeScriptHash, speculationRulesHash, ...scripts.map(sourceOf)].join(' '),
    "img-src 'self' data: https:",
    "media-src 'self'",
    "font-src 'self'",
    [...new Set(["connect-src 'self'", ...connects, ...scripts.map(originOf)])].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Of nearly every page. */
const usualPolicy = writePolicy({})

const policyFor = (answer: Answer): string =>
  answer.connects === undefined && answer.scripts === undefined ? usualPolicy : writePolicy(answer)

/**
 * Whose bytes leave as they are, or compressed for whoever takes that. What repeats the words of a request is never
 * compressed together with what is not for all: by its length strangers could guess at what is in it.
 */
export type Forms = 'plain' | 'compressed'

export function readyAnswer(answer: Answer, keeping: Keeping, forms: Forms = 'plain'): ReadyAnswer {
  const body = Buffer.from(answer.body)
  const isCompressed =
    forms === 'compressed' &&
    body.length > 0 &&
    !answer.contentType.startsWith('image/') &&
    (keeping === 'public' || answer.repeatsRequest !== true)
  const varies = [
    ...(isCompressed ? ['accept-encoding'] : []),
    ...(answer.hasForms === true ? ['accept'] : []),
  ]
  const unnamedHeaders = {
    'content-type': answer.contentType,
    'content-length': String(body.length),
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(answer.contentType.startsWith('text/html') && {
      'content-security-policy': policyFor(answer),
    }),
    ...(!answer.isIndexed && { 'x-robots-tag': 'noindex' }),
    ...(answer.location !== undefined && { location: answer.location }),
  }
  const about = JSON.stringify([answer.status, keeping, varies, unnamedHeaders])
  const digest = createHash('sha256').update(about).update(body).digest('base64url').slice(0, 22)
  const etag = etagOf(digest)
  const unchangedHeaders = {
    ...everyAnswer,
    ...(keeping === 'nobody'
      ? keptByNobody
      : {
          etag,
          'cache-control':
            answer.isForEver === true
              ? `${keeping}, max-age=31536000, immutable`
              : `${keeping}, max-age=0, must-revalidate`,
        }),
    ...(varies.length > 0 && { vary: varies.join(', ') }),
  }
  const headers = { ...unchangedHeaders, ...unnamedHeaders }
  return {
    status: answer.status,
    body,
    digest,
    etag,
    isCompressed,
    ...withHeaders(headers, unchangedHeaders),
  }
}

/** Answers what is said with some bytes, and with none where somebody has them. */
export function withHeaders(
  headers: Headers,
  unchangedHeaders: Headers,
): Pick<AnswerHead, 'headers' | 'unchangedHeaders' | 'listed' | 'listedUnchanged'> {
  const inList = (some: Headers) => {
    const listed: string[] = []
    for (const name in some) listed.push(name, some[name]!)
    return listed
  }
  return { headers, unchangedHeaders, listed: inList(headers), listedUnchanged: inList(unchangedHeaders) }
}

export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, etag, headers, unchangedHeaders }: ReadyAnswer,
): FastifyReply {
  if (status === 200 && isKnown(request.raw.headers, etag)) {
    return reply.code(304).headers(unchangedHeaders).send()
  }
  reply.code(status).headers(headers)
  return request.raw.method === 'HEAD' ? reply.send() : reply.send(body)
}

/** The same on the bare response; returns the status that was sent. */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, etag, listed, listedUnchanged }: ReadyAnswer,
): number {
  if (status === 200 && isKnown(request.headers, etag)) {
    response.writeHead(304, listedUnchanged as string[]).end()
    return 304
  }
  response.writeHead(status, listed as string[]).end(request.method === 'HEAD' ? undefined : body)
  return status
}
