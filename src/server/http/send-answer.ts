/**
 * Conditional responses of sites: an ETag of the content, headers that are built once, and 304 without a body.
 *
 * The content security policy allows nothing that the pages do not use themselves: were markup of an author ever
 * to slip through, it could not run, load or send anything. Scripts that a site's administrators allow are named
 * one by one.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isNotModified } from '../../access/http/conditional-requests.js'
import { originOf, sourceOf } from '../../resources/sites/scripts.js'
import { speculationRulesHash } from '../../site/layout/speculation.js'
import { themeScriptHash } from '../../site/layout/theme.js'
import type { SiteResponse } from '../../site/answer.js'
import { type ResponseHeaders, defaultHeaders, noStore, permissionsPolicy } from './headers.js'

/** Status and headers of an answer, whatever the encoding of its body. */
export interface AnswerHead {
  readonly status: number
  /** Hash of body, status and headers. */
  readonly digest: string
  readonly etag: string
  /** True when it may be sent compressed. */
  readonly isCompressed: boolean
  readonly headers: ResponseHeaders
  /** Those of them that a 304 carries. */
  readonly notModifiedHeaders: ResponseHeaders
  /** The same as a flat list of names and values: an object takes Node a tenth of all that it does for such an answer. */
  readonly rawHeaders: readonly string[]
  readonly rawNotModifiedHeaders: readonly string[]
}

/** An answer ready to be sent many times. */
export interface ReadyAnswer extends AnswerHead {
  readonly body: Buffer
}

/** Who may cache an answer: everyone, the reader's own browser, or no one; a cached copy is revalidated before each use. */
export type Cacheability = 'public' | 'private' | 'none'

type PolicyOptions = Pick<SiteResponse, 'connects' | 'scripts' | 'isFramable'>

const formatPolicy = ({ connects = [], scripts = [], isFramable }: PolicyOptions): string =>
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
    `frame-ancestors ${isFramable === true ? "'self'" : "'none'"}`,
  ].join('; ')

/** The policy of nearly every page. */
const defaultPolicy = formatPolicy({})

const policyFor = (answer: SiteResponse): string => {
  const { connects, scripts, isFramable } = answer
  const isDefault = connects === undefined && scripts === undefined && isFramable === undefined
  return isDefault ? defaultPolicy : formatPolicy(answer)
}

/**
 * Sent uncompressed, or compressed for clients that accept it. An answer that repeats words of the request is never
 * compressed together with content that is not public: its length would leak the content (BREACH).
 */
export type CompressionPolicy = 'plain' | 'compressed'

export function readyAnswer(
  answer: SiteResponse,
  cacheability: Cacheability,
  compression: CompressionPolicy = 'plain',
): ReadyAnswer {
  const body = Buffer.from(answer.body)
  const isCompressed =
    compression === 'compressed' &&
    body.length > 0 &&
    !answer.contentType.startsWith('image/') &&
    (cacheability === 'public' || answer.echoesRequest !== true)
  const varies = [
    ...(isCompressed ? ['accept-encoding'] : []),
    ...(answer.variesByAccept === true ? ['accept'] : []),
  ]
  const representationHeaders = {
    'content-type': answer.contentType,
    'content-length': String(body.length),
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(answer.contentType.startsWith('text/html') && {
      'content-security-policy': policyFor(answer),
      ...permissionsPolicy,
    }),
    ...(!answer.isIndexed && { 'x-robots-tag': 'noindex' }),
    ...(answer.location !== undefined && { location: answer.location }),
  }
  const description = JSON.stringify([answer.status, cacheability, varies, representationHeaders])
  const digest = createHash('sha256').update(description).update(body).digest('base64url').slice(0, 22)
  const etag = etagOf(digest)
  const notModifiedHeaders = {
    ...defaultHeaders,
    ...(cacheability === 'none'
      ? noStore
      : {
          etag,
          'cache-control':
            answer.isImmutable === true
              ? `${cacheability}, max-age=31536000, immutable`
              : `${cacheability}, max-age=0, must-revalidate`,
        }),
    ...(varies.length > 0 && { vary: varies.join(', ') }),
  }
  const headers = { ...notModifiedHeaders, ...representationHeaders }
  return {
    status: answer.status,
    body,
    digest,
    etag,
    isCompressed,
    ...headerSets(headers, notModifiedHeaders),
  }
}

/** Returns the headers of a full answer and of a 304, as objects and as flat lists. */
export function headerSets(
  headers: ResponseHeaders,
  notModifiedHeaders: ResponseHeaders,
): Pick<AnswerHead, 'headers' | 'notModifiedHeaders' | 'rawHeaders' | 'rawNotModifiedHeaders'> {
  const flatten = (some: ResponseHeaders) => {
    const list: string[] = []
    for (const name in some) list.push(name, some[name]!)
    return list
  }
  return {
    headers,
    notModifiedHeaders,
    rawHeaders: flatten(headers),
    rawNotModifiedHeaders: flatten(notModifiedHeaders),
  }
}

export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, etag, headers, notModifiedHeaders }: ReadyAnswer,
): FastifyReply {
  if (status === 200 && isNotModified(request.raw.headers, etag)) {
    return reply.code(304).headers(notModifiedHeaders).send()
  }
  reply.code(status).headers(headers)
  return request.raw.method === 'HEAD' ? reply.send() : reply.send(body)
}

/** Sends the answer on Node's response, without Fastify; returns the status that was sent. */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, etag, rawHeaders, rawNotModifiedHeaders }: ReadyAnswer,
): number {
  if (status === 200 && isNotModified(request.headers, etag)) {
    response.writeHead(304, rawNotModifiedHeaders as string[]).end()
    return 304
  }
  response.writeHead(status, rawHeaders as string[]).end(request.method === 'HEAD' ? undefined : body)
  return status
}
