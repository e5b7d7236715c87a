/** Translation jobs, run in place of the worker, and a fake translator that speaks its protocol. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OrganizationId, SpaceId, TranslationSettingsId, UserId } from '../src/core/ids.js'
import { insertSpaceTranslation } from '../src/resources/translations/space-translation-store.js'
import {
  type TranslationRunContext,
  translationHandlers,
  translationGiveUpHandlers,
} from '../src/resources/translations/run.js'
import { drainJobs } from '../src/store/jobs/testing.js'
import type { TestClient } from './test-client.js'
import { acrossTestOrganizations } from './test-rows.js'

/** Runs waiting translations; returns the failures of jobs that will be retried. */
export async function runTranslations(
  { services, now }: Pick<TestClient, 'services' | 'now'>,
  signal: AbortSignal = new AbortController().signal,
  more: Pick<TranslationRunContext, 'timeout'> = {},
): Promise<Error[]> {
  const failures: Error[] = []
  const running = { services, now, pause: async () => {}, ...more }
  await drainJobs({
    database: services.database,
    handlers: translationHandlers(running),
    onGiveUp: translationGiveUpHandlers(running),
    now,
    random: () => 0.5,
    report: (error) => failures.push(error as Error),
    signal,
  })
  return failures
}

export interface TranslatorRequest {
  readonly lines: readonly { readonly id: string; readonly text: string }[]
  readonly order: string
  readonly authorization: string | undefined
  readonly url: string | undefined
}

/** Reads a request to a translator. */
export async function readTranslatorRequest(request: IncomingMessage): Promise<TranslatorRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] }
  const { lines } = JSON.parse(messages[1]!.content) as Pick<TranslatorRequest, 'lines'>
  return {
    lines,
    order: messages[0]!.content,
    authorization: request.headers.authorization,
    url: request.url,
  }
}

/** Answers as a translator does. */
export function answerLines(response: ServerResponse, lines: readonly { id: string; text: string }[]): void {
  const content = JSON.stringify({ lines })
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
}

/** A fake translation: words in capitals, with tags unchanged. */
export function translateToCapitals(text: string): string {
  return text.replace(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()))
}

interface Bound {
  readonly organization: string
  readonly space: string
  readonly source: string
  readonly settings: string
  readonly userId: string
}

/** Has a space follow another one that it was not made from, as no operation does. */
export async function bind(
  { services, now }: Pick<TestClient, 'services' | 'now'>,
  { organization, space, source, settings, userId }: Bound,
): Promise<void> {
  await services.database.write(async (tx) => {
    const head = await acrossTestOrganizations(tx)
      .selectFrom('revisions')
      .innerJoin('spaces', 'spaces.revision_id', 'revisions.id')
      .select(['revisions.id', 'revisions.snapshot'])
      .where('spaces.id', '=', source as SpaceId)
      .executeTakeFirstOrThrow()
    await insertSpaceTranslation(tx, {
      organization_id: organization as OrganizationId,
      space_id: space as SpaceId,
      source_space_id: source as SpaceId,
      settings_id: settings as TranslationSettingsId,
      source_language: 'en',
      language: 'fr',
      follows: 0,
      source_revision_id: head.id,
      machine: head.snapshot,
      is_whole: 0,
      state: 'completed',
      asked: 0,
      again: null,
      done: 0,
      total: 0,
      characters: 0,
      characters_ever: 0,
      problem: null,
      asked_by: userId as UserId,
      began_at: null,
      ended_at: null,
      created_at: now(),
      updated_at: now(),
    })
  })
}
