/** Preview of what is being written, as its readers will see it: at three widths, light and dark. */
import { useEffect, useState } from 'react'
import { previewChangeRequestContent } from '../../contract/previews.js'
import { api } from '../api/client.js'
import type { ChangeSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { fetchPageText } from '../sync/save-text.js'
import { ErrorNotice, Skeleton } from '../ui/display.js'
import { Segmented } from '../ui/segmented.js'
import './preview-pane.css'

const widths = { wide: '100%', tablet: '48rem', phone: '24.375rem' } as const
type Width = keyof typeof widths

/** Makes links within the page scroll: a `srcdoc` document has the address of the app, which they would open. */
function scrollToFragments({ contentDocument }: HTMLIFrameElement): void {
  contentDocument?.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a[href^="#"]')
    if (link === null) return
    event.preventDefault()
    const fragment = decodeURIComponent(link.getAttribute('href')!.slice(1))
    contentDocument.getElementById(fragment)?.scrollIntoView()
  })
}

export function PreviewPane({ source, page }: { readonly source: ChangeSource; readonly page: string }) {
  const [width, setWidth] = useState<Width>('wide')
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  const [html, setHtml] = useState<string>()
  const [error, setError] = useState<Error>()

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    async function load() {
      const { text: markdown } = await fetchPageText(source, page)
      const response = await api.send(previewChangeRequestContent, {
        params: { spaceId: source.space, changeRequestId: source.change },
        body: { page, markdown, theme },
        signal,
      })
      const next = await response.text()
      if (!signal.aborted) setHtml(next)
    }
    load().catch((failure: unknown) => !signal.aborted && setError(failure as Error))
    return () => controller.abort()
  }, [source, page, theme])

  if (error !== undefined) return <ErrorNotice error={error} />
  return (
    <div className="preview">
      <div className="preview-bar">
        <Segmented
          label={text.preview.width}
          value={width}
          onChange={setWidth}
          choices={(['wide', 'tablet', 'phone'] as const).map((value) => ({
            value,
            name: text.preview.widths[value],
          }))}
        />
        <Segmented
          label={text.account.theme}
          value={theme}
          onChange={setTheme}
          choices={(['light', 'dark'] as const).map((value) => ({ value, name: text.account.themes[value] }))}
        />
      </div>
      {html === undefined ? (
        <Skeleton lines={10} />
      ) : (
        // Without `allow-scripts`: nothing in it runs.
        <iframe
          className="preview-frame"
          title={text.change.preview}
          sandbox="allow-same-origin"
          srcDoc={html}
          onLoad={(event) => scrollToFragments(event.currentTarget)}
          style={{ width: widths[width] }}
        />
      )}
    </div>
  )
}
