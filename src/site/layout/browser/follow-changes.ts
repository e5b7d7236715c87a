/**
 * Change notice of space previews, by server-sent events: announces new content; the page stays unchanged until the reader
 * reloads it. Only visible pages listen: browsers open six connections per host, and a reader may have more tabs.
 */
const notice = document.querySelector<HTMLElement>('[data-follow]')
if (notice !== null) {
  const { prerendering = false } = document as { readonly prerendering?: boolean }
  if (prerendering) document.addEventListener('prerenderingchange', () => follow(notice), { once: true })
  else follow(notice)
}

function follow(notice: HTMLElement): void {
  const pageLifetime = new AbortController()
  let events: EventSource | undefined
  let last = ''

  function open(): void {
    events = new EventSource(notice.dataset['follow']! + (last === '' ? '' : `?after=${last}`))
    // A page in a background tab also receives the current event id, from which it resumes.
    events.addEventListener('ready', ({ lastEventId }) => {
      last = lastEventId
      if (document.hidden) events?.close()
    })
    for (const type of ['space_content_updated', 'missed']) events.addEventListener(type, announceChange)
  }

  function announceChange(): void {
    events?.close()
    pageLifetime.abort()
    notice.hidden = false
  }

  document.addEventListener(
    'visibilitychange',
    () => {
      if (!document.hidden) open()
      else if (last !== '') events?.close()
    },
    { signal: pageLifetime.signal },
  )
  notice.querySelector('a')!.addEventListener('click', (event) => {
    event.preventDefault()
    location.reload()
  })
  open()
}
