/**
 * Live updates: the event stream of an organization, one connection for all tabs of the browser. The tab that holds the
 * Web Lock has the connection and passes events on; what they name is fetched again where it is displayed.
 *
 * Some networks let no stream through. Then, and where the browser has no Web Locks (only secure addresses have them), the
 * tab in front asks every half a minute instead.
 */
import { useEffect } from 'react'
import {
  type OrganizationEvents,
  eventTypes,
  inboxEventType,
  organizationEvents,
} from '../../contract/events.js'
import { checkAppVersion } from './app-version.js'
import { refresh } from './queries.js'

type OrganizationEvent = Pick<OrganizationEvents['items'][number], 'type' | 'isOwn' | 'space'>

/** Milliseconds in which events are collected: a merge has several. */
const collection = 250
/** Milliseconds between two questions where there is no stream, and until a stream counts as blocked. */
const polling = 30_000
const silence = 10_000

/** Fetches again what events change, while the component is mounted. */
export function useLiveUpdates(organization: string | undefined): void {
  useEffect(() => {
    if (organization === undefined) return undefined
    if (navigator.locks === undefined) return poll(createCollector(organization))
    const stop = new AbortController()
    const channel = new BroadcastChannel(`octavo-events-${organization}`)
    const collect = createCollector(organization)
    channel.addEventListener('message', ({ data }) => collect(data as OrganizationEvent | undefined))
    const lead = () =>
      new Promise<void>((resolve) => {
        const close = followEvents(organization, (event) => {
          channel.postMessage(event)
          collect(event)
        })
        stop.signal.addEventListener('abort', () => {
          close()
          resolve()
        })
      })
    // Waits until the leading tab is gone; an abort while waiting is no error.
    navigator.locks.request(`octavo-events-${organization}`, { signal: stop.signal }, lead).catch(() => {})
    return () => {
      stop.abort()
      channel.close()
    }
  }, [organization])
}

/** Streams events; undefined stands for events that were missed, and for any while there is no stream. */
function followEvents(
  organization: string,
  onEvent: (event: OrganizationEvent | undefined) => void,
): () => void {
  const url = `/v1${organizationEvents.path.replace(':organizationId', organization)}`
  let source: EventSource | undefined
  let stopPolling: (() => void) | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const startPolling = () => {
    stopPolling ??= poll(onEvent)
  }
  const open = () => {
    source = new EventSource(url)
    // A proxy that holds the stream back neither opens nor refuses it.
    timer = setTimeout(startPolling, silence)
    source.addEventListener('open', () => {
      clearTimeout(timer)
      // What happened while there was no stream.
      if (stopPolling !== undefined) onEvent(undefined)
      stopPolling?.()
      stopPolling = undefined
      void checkAppVersion()
    })
    source.addEventListener('error', () => {
      startPolling()
      // The browser connects again by itself after a cut, and never after a refusal.
      if (source?.readyState !== EventSource.CLOSED) return
      clearTimeout(timer)
      timer = setTimeout(open, polling)
    })
    source.addEventListener('missed', () => onEvent(undefined))
    for (const type of [...Object.keys(eventTypes), inboxEventType]) {
      source.addEventListener(type, ({ data }) => {
        const { isOwn, space } = JSON.parse(data as string) as OrganizationEvent
        onEvent({ type, isOwn, ...(space !== undefined && { space }) })
      })
    }
  }
  open()
  return () => {
    clearTimeout(timer)
    stopPolling?.()
    source?.close()
  }
}

/** Says that something may have happened, again and again while the tab is in front. */
function poll(onEvent: (event: undefined) => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') onEvent(undefined)
  }, polling)
  return () => clearInterval(timer)
}

function createCollector(organization: string): (event: OrganizationEvent | undefined) => void {
  const spaces = new Set<string>()
  let isWhole = false
  let isUnknown = false
  let hasInbox = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (hasInbox) void refresh('inbox')
    if (isWhole) void refresh('organization', organization)
    if (isUnknown) void refresh('space')
    else for (const space of spaces) void refresh('space', space)
    isWhole = false
    isUnknown = false
    hasInbox = false
    spaces.clear()
  }
  return (event) => {
    // The screen that saves knows what it saved; it would be fetched again with each save otherwise.
    if (event?.isOwn === true && event.type === 'change_request_updated') return
    isUnknown ||= event === undefined
    hasInbox ||= event === undefined || event.type === inboxEventType
    if (event?.type === inboxEventType) {
      timer ??= setTimeout(flush, collection)
      return
    }
    isWhole ||= event === undefined || !event.type.startsWith('comment_')
    if (event?.space !== undefined) spaces.add(event.space)
    timer ??= setTimeout(flush, collection)
  }
}
