/**
 * Live updates: the event stream of an organization, one connection for all tabs of the browser. The tab that holds the
 * Web Lock has the connection and passes events on; what they name is fetched again where it is displayed.
 */
import { useEffect } from 'react'
import { type OrganizationEvents, eventTypes, organizationEvents } from '../../contract/events.js'
import { refresh } from './queries.js'

type OrganizationEvent = Pick<OrganizationEvents['items'][number], 'type' | 'isOwn' | 'space'>

/** Milliseconds in which events are collected: a merge has several. */
const collection = 250

/** Fetches again what events change, while the component is mounted. */
export function useLiveUpdates(organization: string | undefined): void {
  useEffect(() => {
    if (organization === undefined || navigator.locks === undefined) return undefined
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

/** Streams events; undefined stands for events that were missed. The browser connects again by itself. */
function followEvents(
  organization: string,
  onEvent: (event: OrganizationEvent | undefined) => void,
): () => void {
  const source = new EventSource(`/v1${organizationEvents.path.replace(':organizationId', organization)}`)
  source.addEventListener('missed', () => onEvent(undefined))
  for (const type of Object.keys(eventTypes)) {
    source.addEventListener(type, ({ data }) => {
      const { isOwn, space } = JSON.parse(data as string) as OrganizationEvent
      onEvent({ type, isOwn, ...(space !== undefined && { space }) })
    })
  }
  return () => source.close()
}

function createCollector(organization: string): (event: OrganizationEvent | undefined) => void {
  const spaces = new Set<string>()
  let isWhole = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (isWhole) void refresh('organization', organization)
    for (const space of spaces) void refresh('space', space)
    isWhole = false
    spaces.clear()
  }
  return (event) => {
    // The screen that saves knows what it saved; it would be fetched again with each save otherwise.
    if (event?.isOwn === true && event.type === 'change_request_updated') return
    isWhole ||= event === undefined || !event.type.startsWith('comment_')
    if (event?.space !== undefined) spaces.add(event.space)
    timer ??= setTimeout(flush, collection)
  }
}
