/** Site settings and their effects on pages: the table of docs/guide/customization.md names these tests. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../src/core/ids.js'
import { SiteCustomization } from '../../src/contract/customization.js'
import type { Person } from '../test-client.js'
import { describeSqlite } from '../engines.js'
import { type SiteClient, openSiteClient } from '../site-client.js'
import { plainCustomization } from './samples.js'

type Json = Record<string, any>

const link = (title: string, url = 'https://elsewhere.test/') => ({ title, to: { kind: 'url', url } })
const same = (color: string) => ({ light: color, dark: color })

describeSqlite('a setting of a site shows:', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let [one, two]: { id: string; pages: ReadonlyMap<string, string> }[] = []
  let at: string
  let base: string

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    const markdown = '---\nicon: rocket\n---\n\n# Start\n\n[Out](https://elsewhere.test/out) of here.\n'
    one = await api.space(ann, acme, 'Guide', [
      { slug: 'start', markdown },
      { slug: 'next', markdown: '# Next\n' },
    ])
    two = await api.space(ann, acme, 'Second', [{ slug: 'first', markdown: '# First\n' }])
    const site = await api.publish(ann, acme, { title: 'Docs', spaces: [one.id, two.id] })
    at = `/orgs/${acme}/sites/${site.id}`
    base = site.base
  })

  async function put(change: Json): Promise<void> {
    const answer = await api.request(ann, 'PUT', `${at}/customization`, { ...plainCustomization, ...change })
    expect(answer.status, answer.text).toBe(200)
  }
  const styled = (change: Json) => ({ styling: { ...plainCustomization.styling, ...change } })

  /** The first page as it is now, and the style sheet that it names. */
  async function readSitePage(path = ''): Promise<{ html: string; css: string }> {
    const page = await api.read(base + path)
    expect(page.status).toBe(200)
    const href = /href="([^"]*~octavo\/theme-[^"]+)"/.exec(page.text)?.[1]
    if (href === undefined) return { html: page.text, css: '' }
    const sheet = await api.read(href)
    expect([sheet.status, sheet.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(sheet.headers['cache-control']).toContain('immutable')
    return { html: page.text, css: sheet.text }
  }
  async function applySettings(change: Json): Promise<{ html: string; css: string }> {
    await put(change)
    return readSitePage()
  }

  test('titles', async () => {
    const { html } = await applySettings({ title: 'The Handbook', localizedTitle: { en: 'A Handbook' } })
    expect(html).toContain('class="brand-title">A Handbook<')
    expect(html).toContain('content="A Handbook"')
    expect((await applySettings({ title: 'The Handbook' })).html).toContain('brand-title">The Handbook<')
  })

  test('themes', async () => {
    const sheets: string[] = []
    for (const theme of ['clean', 'muted', 'bold', 'gradient'])
      sheets.push((await applySettings(styled({ theme }))).css)
    expect(new Set(sheets).size).toBe(4)
    expect(sheets[2]).toContain('.header{--page:light-dark(#346ddb,#346ddb)')
    expect(sheets[3]).toContain('body{background:linear-gradient(')
    const { css } = await applySettings(styled({ background: 'match', tint: { color: same('#ff0000') } }))
    expect(css).not.toContain('--page:light-dark(#ffffff,')
  })

  test('colours', async () => {
    const { css } = await applySettings(styled({ primaryColor: { light: '#0b4a9e', dark: '#8db1f7' } }))
    expect(css).toContain('--primary:light-dark(#0b4a9e,#8db1f7)')
    const tinted = await applySettings(styled({ tint: { color: same('#ff0000') } }))
    const [, red, , blue] = /--soft:light-dark\(#(..)(..)(..)/.exec(tinted.css)!
    expect(Number.parseInt(red!, 16)).toBeGreaterThan(Number.parseInt(blue!, 16))
    for (const name of ['info', 'success', 'warning', 'danger']) {
      const own = await applySettings(styled({ [`${name}Color`]: same('#7a0055') }))
      expect(own.css, name).toContain(`--${name}:light-dark(#7a0055,`)
    }
  })

  test('colours of code', async () => {
    const theme = (light: string, dark: string) => ({ light, dark })
    const plain = theme('default-light', 'default-dark')
    const { css } = await applySettings(
      styled({ codeTheme: { default: theme('github-light', 'nord'), openapi: plain } }),
    )
    expect(css).toContain('.code pre,.code .code-tools{background:light-dark(#ffffff,#2e3440)')
    expect(css).toContain('.openapi .code pre')
    // Dark on dark in the theme itself.
    expect(css).not.toContain('#616e88')
    expect(css).toMatch(/\.code :is\(\.hljs-string[^{]*\{color:light-dark\(#032f62,#a3be8c\)/)
    const half = await applySettings(
      styled({ codeTheme: { default: theme('default-light', 'dracula'), openapi: plain } }),
    )
    expect(half.css).toContain('background:light-dark(var(--soft),#282a36)')
    const none = await applySettings(
      styled({ codeTheme: { default: theme('unknown', 'constructor'), openapi: plain } }),
    )
    expect(none.css).not.toContain('.code')
  })

  test('corners', async () => {
    for (const corners of ['straight', 'circular'])
      expect((await applySettings(styled({ corners }))).html).toContain(`data-corners="${corners}"`)
  })

  test('choices of style', async () => {
    const rules: [Json, string][] = [
      [{ depth: 'flat' }, '--shadow:none'],
      [{ links: 'accent' }, '.body a:not([class]){color:var(--ink-strong)'],
      [{ icons: 'solid' }, 'stroke-width:2.5'],
      [{ icons: 'duotone' }, 'fill-opacity:.2'],
      [{ icons: 'light' }, 'stroke-width:1.5'],
      [{ icons: 'thin' }, 'stroke-width:1}'],
      [{ sidebar: { background: 'filled', list: 'default' } }, '.page>.navigation{'],
      [{ sidebar: { background: 'default', list: 'pill' } }, '.navigation a{border-radius:99rem'],
      [{ sidebar: { background: 'default', list: 'line' } }, '.navigation a{border-radius:0'],
      [{ search: 'prominent' }, '.search{flex:1 1 26rem'],
    ]
    const { css: usual } = await applySettings({})
    for (const [change, rule] of rules) {
      expect(usual).not.toContain(rule)
      expect((await applySettings(styled(change))).css).toContain(rule)
    }
  })

  test('fonts', async () => {
    const { css } = await applySettings(
      styled({ font: 'Lato', headingFont: 'Merriweather', monospaceFont: 'FiraCode' }),
    )
    expect(css).toContain('body{font-family:site-text,var(--sans)}')
    expect(css).toContain('h1,h2,h3,h4,.brand-title{font-family:site-heading,')
    expect(css).toContain(':root{--mono:site-mono,')
    for (const name of ['lato-latin-700-normal', 'merriweather-greek', 'fira-code-greek-600-normal']) {
      const [address] = new RegExp(`/~octavo/assets/fonts/${name}\\.woff2[^)]*`).exec(css) ?? []
      if (name === 'merriweather-greek') expect(address).toBeUndefined()
      else {
        const file = await api.read(address!)
        expect([file.status, file.headers['content-type']]).toEqual([200, 'font/woff2'])
        expect(file.headers['cache-control']).toContain('immutable')
      }
    }
    const gone = await api.read('/~octavo/assets/fonts/lato-latin-1-normal.woff2')
    expect(gone.status).toBe(404)
    const url = `http://octavo.test/~octavo/files/${one!.id}/file/own.woff2?v=1&token=secret`
    const definition = {
      id: 'own',
      custom: true,
      fontFamily: 'Own',
      fontFaces: [{ weight: 500, sources: [{ url, format: 'woff2' }] }],
    }
    const own = await applySettings(styled({ font: definition }))
    expect(own.css).toContain(
      `@font-face{font-family:site-text;font-weight:500;font-display:swap;src:url("/~octavo/files/${one!.id}/file/own.woff2?v=1") format("woff2")}`,
    )
  })

  test('the language of the layout', async () => {
    expect((await applySettings({ internationalization: { locale: 'fr' } })).html).toContain(
      '<html lang="fr"',
    )
  })

  test('the sign of the site', async () => {
    expect((await applySettings({ favicon: { emoji: '1f680' } })).html).toMatch(/rel="icon"[^>]*🚀/)
    const icon = { light: 'https://elsewhere.test/a.svg', dark: 'https://elsewhere.test/b.svg' }
    const { html } = await applySettings({ favicon: { icon } })
    expect(html).toContain('<link rel="icon" href="https://elsewhere.test/a.svg"')
    expect(html).toContain('<link rel="icon" href="https://elsewhere.test/b.svg"')
    expect((await api.request(ann, 'GET', at)).body.icon).toEqual({ icon })
  })

  test('headers', async () => {
    const logo = { light: 'https://elsewhere.test/a.svg', dark: 'https://elsewhere.test/b.svg' }
    const primaryLink = { kind: 'space', space: two!.id }
    const bold = await applySettings({ header: { preset: 'bold', links: [], logo, primaryLink } })
    expect(bold.css).toContain('.header{--page:light-dark(#346ddb,#346ddb)')
    expect(bold.html).toContain('<img class="when-light" src="https://elsewhere.test/a.svg" alt="Docs">')
    expect(bold.html).toContain(`<a class="brand" href="${base}second/">`)
    const contrast = await applySettings({ header: { preset: 'contrast', links: [] } })
    expect(contrast.css).toContain('.header{--page:light-dark(#0c0f14,#f7f8fa)')
    const custom = await applySettings({
      header: {
        preset: 'custom',
        links: [],
        backgroundColor: same('#401010'),
        linkColor: same('#ffe0e0'),
      },
    })
    expect(custom.css).toContain('.header{--page:light-dark(#401010,#401010)')
    expect(custom.css).toContain('--link:light-dark(#ffe0e0,#ffe0e0)')
    const none = await applySettings({ header: { preset: 'none', links: [] } })
    expect(none.html).toContain('<div class="side-head">')
    expect(none.css).toContain('.header:has(~.with-navigation){display:none}')
  })

  test('links of the header', async () => {
    const { html } = await applySettings({
      header: {
        preset: 'default',
        links: [
          { ...link('Blog'), links: [] },
          {
            title: 'More',
            localizedTitle: { en: 'Even more' },
            to: null,
            links: [{ ...link('Forum'), localizedTitle: { en: 'The forum' } }],
          },
          { title: 'Next', style: 'button-primary', to: page(one!, 'next'), links: [] },
          { title: 'Second', style: 'button-secondary', to: { kind: 'space', space: two!.id }, links: [] },
          { title: 'Part', to: { ...page(one!, 'next'), kind: 'anchor', anchor: 'there' }, links: [] },
        ],
      },
    })
    expect(html).toContain('<a href="https://elsewhere.test/">Blog</a>')
    expect(html).toMatch(/<summary>\s*Even more[^]*<a href="https:\/\/elsewhere.test\/">The forum<\/a>/)
    expect(html).toContain(`<a href="${base}next" class="button primary">Next</a>`)
    expect(html).toContain(`<a href="${base}second/" class="button secondary">Second</a>`)
    expect(html).toContain(`href="${base}next#there"`)
  })

  test('conditions of links', async () => {
    const links = [
      { ...link('For all'), links: [] },
      { ...link('For some'), links: [], condition: 'visitor.claims.unsigned.beta' },
    ]
    await put({ header: { preset: 'default', links } })
    // On a site that is not adaptive nothing is hidden by a condition.
    expect((await readSitePage()).html).toContain('For some')
    await api.request(ann, 'PATCH', at, { adaptiveContent: { enabled: true } })
    const { html } = await readSitePage()
    expect(html).toContain('For all')
    expect(html).not.toContain('For some')
    await api.request(ann, 'PATCH', at, { adaptiveContent: { enabled: false } })
  })

  test('footers', async () => {
    const apart = await api.space(ann, acme, 'Apart', [])
    const logo = same('https://elsewhere.test/foot.svg')
    const groups = [
      {
        title: 'Us',
        localizedTitle: { en: 'About us' },
        links: [{ ...link('Imprint'), localizedTitle: { en: 'Our imprint' } }],
      },
      { title: 'Nowhere', links: [{ title: 'Unseen', to: { kind: 'space', space: apart.id } }] },
    ]
    const { html } = await applySettings({
      footer: { logo, groups, copyright: '© Acme' },
      privacyPolicy: { url: 'https://elsewhere.test/privacy' },
    })
    expect(html).toMatch(/class="footer-logo"><img src="https:\/\/elsewhere.test\/foot.svg"/)
    expect(html).toMatch(/<p>About us<\/p>[^]*Our imprint<\/a>/)
    expect(html).not.toContain('Nowhere')
    expect(html).toContain('© Acme')
    expect(html).toContain('<a href="https://elsewhere.test/privacy">Privacy policy</a>')
    expect(html).toContain('Published with Octavo')
    const bare = await applySettings({ trademark: { enabled: false } })
    expect(bare.html).not.toContain('class="footer"')
  })

  test('accounts elsewhere', async () => {
    const account = (platform: string, handle: string, header = false) => {
      return { platform, handle, display: { footer: true, header } }
    }
    const { html } = await applySettings({
      socialAccounts: [
        account('github', 'acme/docs', true),
        account('mastodon', '@acme@fosstodon.org'),
        account('linkedin', 'company/acme'),
        account('youtube', '@acme'),
        account('reddit', 'acme'),
        account('slack', 'acme'),
      ],
    })
    expect(html).toContain('class="icon-button account" href="https://github.com/acme/docs"')
    for (const address of [
      'https://github.com/acme/docs',
      'https://fosstodon.org/@acme',
      'https://www.linkedin.com/company/acme',
      'https://www.youtube.com/@acme',
      'https://www.reddit.com/r/acme',
      'https://acme.slack.com/',
    ])
      expect(html).toContain(`<a class="account" href="${address}">`)
  })

  test('announcements', async () => {
    const announcement = {
      enabled: true,
      message: 'Version two',
      localizedMessage: { en: 'Version 2' },
      link: { ...link('Read'), localizedTitle: { en: 'Read more' } },
      style: 'warning',
    }
    const { html, css } = await applySettings({ announcement })
    const key = /data-put-away="([0-9a-f]+)"/.exec(html)![1]!
    expect(html).toMatch(
      /class="announcement announcement-warning"[^]*Version 2 <a href="https:[^"]*">Read more/,
    )
    expect(css).toContain(`:root[data-seen="${key}"] .announcement{display:none}`)
    const other = await applySettings({ announcement: { ...announcement, message: 'Version three' } })
    expect(other.html).not.toContain(key)
    expect((await applySettings({ announcement: { ...announcement, enabled: false } })).html).not.toContain(
      'class="announcement',
    )
  })

  test('light and dark', async () => {
    const dark = await applySettings({ themes: { default: 'dark', toggeable: false } })
    expect(dark.html).toContain('data-theme="dark"')
    expect(dark.html).not.toContain('data-theme-toggle')
    const system = await applySettings({ themes: { default: 'system', toggeable: true } })
    expect(system.html).not.toContain('data-theme=')
    expect(system.html).toContain('data-theme-toggle')
  })

  test('actions of pages', async () => {
    const none = { externalAI: false, markdown: false, mcp: false, items: [] }
    const named: [string, string][] = [
      ['markdown', 'data-copy-from='],
      ['external-ai', 'href="https://chatgpt.com/?q=Read%20http'],
      ['pdf', 'data-print'],
      ['git', `href="http://octavo.test/s/${one!.id}/start"`],
      ['mcp', `data-copy-text="http://octavo.test${base}~octavo/mcp"`],
    ]
    const { html: bare } = await applySettings({ pageActions: none, pdf: { enabled: false } })
    expect(bare).not.toContain('class="actions"')
    for (const [item, mark] of named) {
      expect(bare).not.toContain(mark)
      expect((await applySettings({ pageActions: { items: [item] } })).html).toContain(mark)
    }
    const { html } = await applySettings({ pageActions: { items: ['pdf', 'markdown'] } })
    expect(html.indexOf('data-print')).toBeLessThan(html.indexOf('data-copy-from'))
  })

  test('links to elsewhere', async () => {
    const header = { preset: 'default', links: [{ ...link('Blog'), links: [] }] }
    const inSameTab = await applySettings({ header })
    expect(inSameTab.html).not.toContain('target="_blank" rel="noopener">Blog')
    const { html } = await applySettings({ header, externalLinks: { target: 'blank' } })
    expect(html).toContain('target="_blank" rel="noopener">Blog')
    expect(html).toMatch(/<a href="https:\/\/elsewhere.test\/out"[^>]*target="_blank"/)
  })

  test('ways on', async () => {
    expect((await applySettings({})).html).toContain('class="pagination"')
    expect((await applySettings({ pagination: { enabled: false } })).html).not.toContain('class="pagination"')
  })

  test('whether a page helped', async () => {
    expect((await applySettings({})).html).not.toContain('class="feedback"')
    expect((await applySettings({ feedback: { enabled: true } })).html).toContain('<form class="feedback"')
  })

  test('what readers do', async () => {
    expect((await applySettings({})).html).toContain(' data-view="')
    expect((await applySettings({ insights: { trackingCookie: false } })).html).not.toContain(' data-view="')
  })

  test('the picture of previews', async () => {
    const { html } = await applySettings({ socialPreview: { url: 'https://elsewhere.test/card.png' } })
    expect(html).toContain('<meta property="og:image" content="https://elsewhere.test/card.png">')
  })

  test('uploaded files', async () => {
    const base64 = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
    await api.change(ann, one!.id, [{ operation: 'insert_files', files: [{ name: 'logo.svg', base64 }] }])
    const file = (await api.request(ann, 'GET', `/spaces/${one!.id}/content/files`)).body.items[0]
    const to = { kind: 'file', space: one!.id, file: file.id }
    const header = {
      preset: 'default',
      logo: same(file.downloadURL),
      links: [{ title: 'The file', to, links: [] }],
    }
    const { html } = await applySettings({ header })
    const path = `${one!.id}/${file.id}/logo.svg?v=`
    expect(html).toContain(`<img src="/~octavo/files/${path}`)
    expect(html).toMatch(/<a href="\/~octavo\/files\/[^"]+">The file/)
    expect(html).not.toContain('token=')
    expect((await api.request(ann, 'PATCH', at, { visibility: 'share-link' })).status).toBe(200)
    const closed = await api.read(base, { authorization: `Bearer ${ann.token}` })
    expect(closed.text).toContain(`<img src="${base}~octavo/file/${path}`)
    expect(closed.text).toMatch(new RegExp(`<a href="${base}~octavo/file/[^"]+">The file`))

    // The key is added to their URLs, since nothing else opens them to readers of a share link.
    const shared = await api.request(ann, 'POST', `${at}/share-links`, { name: 'Partner' })
    const preview = await api.request(ann, 'GET', `${at}/publishing/preview`)
    for (const url of [shared.body.urls.published, preview.body.url]) {
      const { pathname } = new URL(url)
      const page = await api.read(pathname)
      expect(page.status).toBe(200)
      const [, link] = /<a href="([^"]+)">The file/.exec(page.text) ?? []
      const [, logo] = /<img src="([^"]+logo\.svg[^"]*)"/.exec(page.text) ?? []
      for (const href of [link, logo].map((one) => one?.replaceAll('&amp;', '&') ?? '')) {
        expect(href).toContain(`${pathname}~octavo/file/${path}`)
        expect((await api.read(href)).status, href).toBe(200)
      }
    }
    await api.request(ann, 'PATCH', at, { visibility: 'public' })
  })

  test('advanced settings, while they are switched on', async () => {
    const change = {
      ...styled({ theme: 'gradient', font: 'Lato', icons: 'thin' }),
      footer: { groups: [{ title: 'Us', links: [link('Imprint')] }] },
      advancedCustomization: { enabled: false },
    }
    const off = await applySettings(change)
    expect(off.css).toBe('')
    expect(off.html).not.toContain('Imprint')
    const on = await applySettings({ ...change, advancedCustomization: { enabled: true } })
    expect(on.css).toContain('lato-latin')
    expect(on.html).toContain('Imprint')
  })

  test('settings of a single space', async () => {
    await put(styled({ corners: 'straight' }))
    const links = (await api.request(ann, 'GET', `${at}/site-spaces`)).body.items
    const own = `${at}/site-spaces/${links[1].id}/customization`
    const change = { title: 'The second', styling: { theme: 'gradient' }, pagination: { enabled: false } }
    expect((await api.request(ann, 'PATCH', own, change)).status).toBe(200)
    const [first, second] = [await readSitePage(), await readSitePage('second/')]
    expect(first.html).toContain('brand-title">Docs<')
    expect(first.css).not.toContain('linear-gradient')
    expect(second.html).toContain('brand-title">The second<')
    expect(second.html).toContain('data-corners="straight"')
    expect(second.css).toContain('linear-gradient')
    expect((await api.request(ann, 'DELETE', own)).status).toBe(205)
    expect((await readSitePage('second/')).html).toContain('brand-title">Docs<')
  })

  test('a change with the next request, also of what is linked to', async () => {
    await put({ footer: { groups: [{ title: 'All', links: [{ title: 'On', to: page(two!, 'first') }] }] } })
    expect((await readSitePage()).html).toContain(`<a href="${base}second/">On</a>`)
    const next = page(one!, 'next')
    await put({ footer: { groups: [{ title: 'All', links: [{ title: 'Off', to: next }] }] } })
    expect((await readSitePage()).html).toContain(`<a href="${base}next">Off</a>`)
    await api.change(ann, one!.id, [{ operation: 'update_page', page: next.page, slug: 'later' }])
    expect((await readSitePage()).html).toContain(`<a href="${base}later">Off</a>`)
  })

  function page(space: { id: string; pages: ReadonlyMap<string, string> }, slug: string) {
    return { kind: 'page', space: space.id, page: space.pages.get(slug) }
  }
})

const guide = readFileSync(new URL('../../docs/guide/customization.md', import.meta.url), 'utf8')

/** Every setting by its path; one value for clients, such as a colour in two modes, is one setting. */
function settingsOf(schema: Json, path = ''): string[] {
  const { properties, items, type } = schema
  const isOne = properties !== undefined && ('light' in properties || 'kind' in properties)
  if (type === 'array' && items?.properties !== undefined) return settingsOf(items, `${path}[]`)
  if (properties === undefined || isOne) return [path]
  return Object.entries(properties as Json).flatMap(([name, one]) =>
    settingsOf(one, path === '' ? name : `${path}.${name}`),
  )
}

test('the guide describes every setting, and names its test', () => {
  const source = readFileSync(new URL(import.meta.url), 'utf8')
  const titles = new Set([...source.matchAll(/^  test\('([^']+)'/gm)].map(([, title]) => title))
  const rows = [...guide.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)]
  expect(rows.map(([, setting]) => setting).toSorted()).toEqual(settingsOf(SiteCustomization).toSorted())
  for (const [, setting, does, named] of rows) {
    const isNothing = does!.startsWith('Nothing')
    expect(titles.has(named!.trim()) || (isNothing && named!.trim() === '–'), `${setting}: ${named}`).toBe(
      true,
    )
  }
})
