/**
 * Tells whoever has a space open by itself that it says something else by now; what they read stays until they load it
 * again. Only a page that is seen follows: browsers open six connections to a host, and somebody may have more tabs.
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
    // Also a page that nobody has seen yet learns where its space stood when it was made.
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
