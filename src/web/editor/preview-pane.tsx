/**
 * Preview of what is being written, as its readers will see it: in a site that has the space, for a visitor with claims, at
 * three widths, light and dark. It follows each save, and keeps its place.
 */
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { previewChangeRequestContent } from '../../contract/previews.js'
import { getSiteAdaptiveSchema } from '../../contract/site-adaptive.js'
import { listSites } from '../../contract/sites.js'
import { api } from '../api/client.js'
import type { ChangeSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { useSaveCount } from '../sync/save-states.js'
import { displayedTheme } from '../shell/theme.js'
import { fetchPageText } from '../sync/save-text.js'
import { Button, IconButton } from '../ui/button.js'
import { ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { Segmented } from '../ui/segmented.js'
import { showToast } from '../ui/toast.js'
import type { Claims } from './claim-fields.js'
import { ClaimsForm } from './claims-form.js'
import { previewTargetOf } from './preview-links.js'
import './preview-pane.css'

/** In pixels; a window that is narrower shows them smaller. The widest takes what there is. */
const widths = { wide: 1200, tablet: 768, phone: 390 } as const
type Width = keyof typeof widths

/** What a person has chosen stays while they go from page to page; before, it is as the app is displayed. */
const chosen: {
  width: Width | undefined
  theme: 'light' | 'dark' | undefined
  site: string
  claims: Claims | undefined
} = { width: undefined, theme: undefined, site: '', claims: undefined }

const widthOfWindow = (): Width => (window.matchMedia('(max-width: 48rem)').matches ? 'phone' : 'wide')

export function PreviewPane({
  source,
  organization,
  page,
  isBeside,
  onBeside,
}: {
  readonly source: ChangeSource
  readonly organization: string
  readonly page: string
  readonly isBeside: boolean
  readonly onBeside: () => void
}) {
  const saves = useSaveCount()
  const [width, setWidth] = useState(chosen.width ?? widthOfWindow())
  const [theme, setTheme] = useState(chosen.theme ?? displayedTheme())
  const [site, setSite] = useState(chosen.site)
  const [claims, setClaims] = useState(chosen.claims)
  const [isChoosing, setChoosing] = useState(false)
  const [html, setHtml] = useState<string>()
  const [error, setError] = useState<Error>()
  const frame = useRef<HTMLIFrameElement>(null)
  const top = useRef(0)
  const [room, setRoom] = useState<HTMLElement | null>(null)
  const [roomWidth, setRoomWidth] = useState(0)
  useEffect(() => {
    if (room === null) return undefined
    const observer = new ResizeObserver(() => setRoomWidth(room.clientWidth))
    observer.observe(room)
    return () => observer.disconnect()
  }, [room])
  useEffect(() => void Object.assign(chosen, { site, claims }), [site, claims])
  const { data: sites } = useQuery({
    queryKey: ['organization', organization, 'sites', 'of', source.space],
    queryFn: async ({ signal }) =>
      (
        await api.call(listSites, {
          params: { organizationId: organization },
          query: { space: source.space, limit: 100 },
          signal,
        })
      ).items,
  })
  const isSite = sites?.some(({ id }) => id === site) === true
  const { data: schema } = useQuery({
    queryKey: ['organization', organization, 'sites', site, 'adaptive'],
    queryFn: async ({ signal }) =>
      (
        await api.call(getSiteAdaptiveSchema, {
          params: { organizationId: organization, siteId: site },
          signal,
        })
      ).jsonSchema,
    enabled: isSite,
    retry: false,
  })

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    async function load() {
      const { text: markdown } = await fetchPageText(source, page)
      const response = await api.send(previewChangeRequestContent, {
        params: { spaceId: source.space, changeRequestId: source.change },
        body: { page, markdown, theme, ...(isSite && { site }), ...(claims && { claims }) },
        signal,
      })
      const next = await response.text()
      if (signal.aborted) return
      top.current = frame.current?.contentWindow?.scrollY ?? 0
      setError(undefined)
      setHtml(next)
    }
    load().catch((failure: unknown) => !signal.aborted && setError(failure as Error))
    return () => controller.abort()
  }, [source, page, theme, site, isSite, claims, saves])

  const onLoad = ({
    currentTarget: { contentDocument, contentWindow },
  }: {
    currentTarget: HTMLIFrameElement
  }) => {
    contentWindow?.scrollTo(0, top.current)
    contentDocument?.addEventListener('click', (event) => followLink(event, contentDocument, source))
  }
  return (
    <section className="preview" aria-label={text.change.preview}>
      <div className="preview-bar">
        <IconButton
          icon="columns"
          label={text.preview.beside}
          aria-pressed={isBeside}
          className="preview-beside"
          onClick={onBeside}
        />
        <Segmented
          label={text.preview.width}
          value={width}
          onChange={(next) => setWidth((chosen.width = next))}
          choices={(['wide', 'tablet', 'phone'] as const).map((value) => ({
            value,
            name: text.preview.widths[value],
          }))}
        />
        <Segmented
          label={text.account.theme}
          value={theme}
          onChange={(next) => setTheme((chosen.theme = next))}
          choices={(['light', 'dark'] as const).map((value) => ({ value, name: text.account.themes[value] }))}
        />
        {sites !== undefined && sites.length > 0 && (
          <select
            className="input preview-site"
            aria-label={text.preview.site}
            value={isSite ? site : ''}
            onChange={({ currentTarget }) => setSite(currentTarget.value)}
          >
            <option value="">{text.preview.noSite}</option>
            {sites.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        )}
        <Button
          icon="user"
          variant="quiet"
          aria-expanded={isChoosing}
          onClick={() => setChoosing(!isChoosing)}
        >
          {claims === undefined ? text.preview.everything : text.preview.asVisitor}
        </Button>
      </div>
      {isChoosing && (
        <ClaimsForm
          key={site}
          schema={isSite ? schema : undefined}
          claims={claims}
          onApply={(next) => {
            setClaims(next)
            setChoosing(false)
          }}
        />
      )}
      {error !== undefined && html === undefined && <ErrorNotice error={error} />}
      {error !== undefined && html !== undefined && (
        <Notice tone="amber" icon="cloudOff">
          {text.preview.stale} {error.message}
        </Notice>
      )}
      {html === undefined ? (
        error === undefined && <Skeleton lines={10} />
      ) : (
        <div className="preview-room" ref={setRoom}>
          {/* Without `allow-scripts`: nothing in it runs. */}
          <iframe
            ref={frame}
            className="preview-frame"
            title={text.change.preview}
            sandbox="allow-same-origin"
            srcDoc={html}
            onLoad={onLoad}
            style={frameStyle(width, roomWidth)}
          />
        </div>
      )}
    </section>
  )
}

function frameStyle(width: Width, roomWidth: number): CSSProperties {
  const wanted = width === 'wide' ? Math.max(widths.wide, roomWidth) : widths[width]
  const scale = roomWidth === 0 ? 1 : Math.min(1, roomWidth / wanted)
  return {
    width: wanted,
    height: `${100 / scale}%`,
    transform: `translateX(-50%) scale(${scale})`,
  }
}

/** Scrolls to a part of the page, opens the preview of another page, and says where other links lead. */
function followLink(event: MouseEvent, frame: Document, source: ChangeSource): void {
  const link = (event.target as Element).closest('a[href], area[href]')
  if (link === null) return
  // A frame that followed it would show the app in itself, or another host.
  event.preventDefault()
  const target = previewTargetOf(link.getAttribute('href')!, location.href, source)
  switch (target.kind) {
    case 'part':
      frame.getElementById(target.id)?.scrollIntoView()
      return
    case 'page':
      navigate(changePath(source.space, source.change, target.path))
      return
    case 'away':
      showToast(text.preview.leadsAway(target.address), {
        action: {
          name: text.preview.openLink,
          run: () => window.open(target.address, '_blank', 'noopener'),
        },
      })
      return
    case 'none':
      return
  }
}
