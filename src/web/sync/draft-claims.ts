/**
 * Locks of drafts where the browser has none: Web Locks are for secure addresses alone. Tabs ask each other on a broadcast
 * channel who has a draft (mutual exclusion by messages); one that does not answer is gone. A tab that was frozen meanwhile
 * hears afterwards that another one has its draft, and gives it up.
 */

/** Names this tab. */
export const tab = crypto.getRandomValues(new Uint32Array(3)).join('-')

type Message =
  | { readonly kind: 'ask'; readonly client: string; readonly from: string }
  | { readonly kind: 'held'; readonly client: string }
  /** The sender has the draft from now on. */
  | { readonly kind: 'taken'; readonly client: string }
  /** Whoever has the draft gives it up. */
  | { readonly kind: 'return'; readonly client: string }
  | { readonly kind: 'returned'; readonly client: string }

/** Milliseconds in which a tab answers, also a busy one. */
const answering = 500
/** Milliseconds between two questions about a draft that another tab has. */
const pause = 1000

const channel = navigator.locks === undefined ? new BroadcastChannel('octavo-drafts') : undefined
/** Drafts that this tab is asking for. */
const claims = new Set<string>()

const post = (message: Message): void => channel?.postMessage(message)

export function answerClaims({
  holds,
  giveUp,
}: {
  readonly holds: (client: string) => boolean
  /** Stops writing; what is unsaved is in the journal. */
  readonly giveUp: (client: string) => Promise<void>
}): void {
  channel?.addEventListener('message', ({ data }) => {
    const message = data as Message
    const { kind, client } = message
    // Of two tabs that ask at once, one has the lower name.
    if (kind === 'ask' && (holds(client) || (claims.has(client) && tab < message.from)))
      post({ kind: 'held', client })
    if (kind === 'taken' && holds(client)) void giveUp(client)
    if (kind === 'return' && holds(client)) void giveUp(client).then(() => post({ kind: 'returned', client }))
  })
}

/** Resolves with whether a message about a draft comes within the time that a tab has to answer. */
function hears(kind: Message['kind'], client: string, ask: Message): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isHeard: boolean) => {
      clearTimeout(timer)
      channel?.removeEventListener('message', listen)
      resolve(isHeard)
    }
    const listen = ({ data }: MessageEvent) => {
      const message = data as Message
      if (message.kind === kind && message.client === client) end(true)
    }
    const timer = setTimeout(() => end(false), answering)
    channel?.addEventListener('message', listen)
    post(ask)
  })
}

export const isHeldElsewhere = (client: string): Promise<boolean> =>
  hears('held', client, { kind: 'ask', client, from: tab })

/** Waits for a draft until no other tab has it; false when the signal comes first. */
export async function claimDraft(client: string, isLeft: boolean, signal?: AbortSignal): Promise<boolean> {
  claims.add(client)
  const isAborted = () => signal?.aborted === true
  let isFree = isLeft
  while (!isFree && !isAborted()) {
    isFree = !(await isHeldElsewhere(client))
    if (!isFree) await new Promise((resolve) => setTimeout(resolve, pause))
  }
  claims.delete(client)
  if (isFree) post({ kind: 'taken', client })
  return isFree
}

/** Asks the tab that has taken a draft to give it up, and waits until it has. */
export async function takeBackDraft(client: string): Promise<void> {
  await hears('returned', client, { kind: 'return', client })
}
