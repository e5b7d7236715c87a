import { describe, expect, it } from 'vitest'
import { html } from '../html.js'
import { errorPage, notFoundPage } from './message-pages.js'
import { searchPage } from './search-page.js'
import { renderPage } from './page.js'
import { speculationRules } from './speculation.js'
import { themeScript } from './theme.js'
import type { NavigationNode, PageView, SiteView } from './view.js'

const site: SiteView = {
  title: 'Docs & more',
  href: '/',
  language: 'en',
  stylesheets: ['/assets/site.css?v=1', '/theme.css'],
  blocksStylesheet: '/assets/blocks.css?v=1',
  plainStylesheet: '/assets/plain.css?v=1',
  script: '/assets/site.js?v=1',
  search: { href: '/search', api: '/search.json' },
  theme: { default: 'system', toggleable: true, corners: 'rounded' },
}

const navigation: readonly NavigationNode[] = [
  { kind: 'page', title: 'Welcome', href: '/', emoji: '1f44b' },
  {
    kind: 'group',
    title: 'Guide',
    children: [
      {
        kind: 'page',
        title: 'Writing',
        href: '/writing',
        children: [{ kind: 'page', title: 'Blocks', href: '/writing/blocks', current: true }],
      },
      {
        kind: 'page',
        title: 'Other',
        href: '/other',
        children: [{ kind: 'page', title: 'Deep', href: '/other/deep' }],
      },
      { kind: 'gap', count: 9950, href: '/all' },
      { kind: 'link', title: 'Elsewhere', href: 'javascript:alert(1)' },
    ],
  },
]

const view: PageView = {
  site,
  title: 'Blocks <all>',
  description: 'Every "block"',
  navigation,
  outline: [
    { level: 1, anchor: 'one', text: 'One' },
    { level: 2, anchor: 'zwei-ü', text: 'Zwei' },
  ],
  body: html`<p>Body</p>`,
}

describe('renderPage', () => {
  const page = renderPage(view)

  it('is one document with one title, the landmarks and a skip link', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en"/)
    expect(page.match(/<h1/g)).toHaveLength(1)
    expect(page).toContain('Blocks &lt;all&gt;</h1>')
    for (const landmark of ['<header class="header"', '<main ', '<nav class="navigation"', '<aside ']) {
      expect(page.split(landmark)).toHaveLength(2)
    }
    expect(page.indexOf('href="#octavo-content"')).toBeLessThan(page.indexOf('<header'))
    expect(page).toContain('id="octavo-content"')
  })

  it('contains each icon once, however often it is used', () => {
    const references = [...page.matchAll(/<use href="#(icon:[a-z-]+)"/g)].map(([, id]) => id!)
    expect(references.length).toBeGreaterThan(new Set(references).size)
    for (const id of references) expect(page.split(`<symbol id="${id}"`), id).toHaveLength(2)
    expect(page.match(/<symbol/g)).toHaveLength(new Set(references).size)
  })

  it('has an anchor for its title, unless the page has the same anchor', () => {
    expect(page).toContain('<h1 id="blocks-less-than-all-greater-than">')
    const taken = html`<h2 id="a-and-b">A &amp; B</h2>`
    expect(renderPage({ ...view, title: 'A & B', body: taken })).toContain('<h1>')
  })

  it('has the anchors that its title sets', () => {
    const titled = { ...view, title: 'Bread', titleAnchors: ['rye', 'bread'] }
    expect(renderPage(titled)).toContain('<h1 id="rye"><span id="bread"></span>')
    expect(renderPage({ ...titled, body: html`<p id="rye"></p>` })).toContain('<h1 id="bread">')
  })

  it('has metadata in its head', () => {
    expect(page).toContain('<title>Blocks &lt;all&gt; | Docs &amp; more</title>')
    expect(page).toContain('<meta name="description" content="Every &quot;block&quot;">')
    expect(page).not.toContain('robots')
    expect(page).not.toContain('canonical')
    const other = renderPage({
      ...view,
      indexed: false,
      canonical: 'https://docs.example/x',
      alternates: [{ href: '/x.md', type: 'text/markdown' }],
      previewImage: 'https://docs.example/p.png',
    })
    expect(other).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(other).toContain('<link rel="canonical" href="https://docs.example/x">')
    expect(other).toContain('<link rel="alternate" href="/x.md" type="text/markdown">')
    expect(other).toContain('<meta property="og:image" content="https://docs.example/p.png">')
  })

  it('contains nothing that a strict content security policy refuses, and requests no other host', () => {
    expect(page).not.toMatch(/ style=| on[a-z]+=|<style/)
    expect(
      [...page.matchAll(/<script(?! type="application\/json")[^>]*>([^]*?)<\/script>/g)].map(
        ([, code]) => code,
      ),
    ).toEqual([themeScript, ''])
    // Without client-side navigation, the browser gets speculation rules.
    const own = renderPage({ ...view, site: { ...site, moreScripts: ['/reference.js'] } })
    expect(own).toContain(`<script type="speculationrules">${speculationRules}</script>`)
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  it('expands the tree on the path to the current page only', () => {
    expect(page).toMatch(/<details open>\s*<summary aria-label="Pages below Writing">/)
    expect(page).toMatch(/<details>\s*<summary aria-label="Pages below Other">/)
    expect(page.match(/aria-current="page"/g)).toHaveLength(1)
    expect(page).toContain('<a href="/writing/blocks" aria-current="page">')
    expect(page).toContain('<a href="/all">9,950 more</a>')
    expect(page).not.toContain('javascript:')
  })

  it('lists its headings twice: beside the text, and above it on small screens', () => {
    expect(page.match(/<a href="#zwei-%C3%BC">Zwei<\/a>/g)).toHaveLength(2)
    expect(renderPage({ ...view, outline: view.outline.slice(0, 1) })).not.toContain('On this page')
  })

  it('omits the parts that the author disabled', () => {
    const bare = renderPage({
      ...view,
      next: { title: 'Next one', href: '/next' },
      updatedAt: 0,
      hide: {
        title: true,
        description: true,
        navigation: true,
        outline: true,
        pagination: true,
        metadata: true,
      },
    })
    expect(bare).toMatch(/<h1[^>]* class="unseen">/)
    expect(bare).not.toMatch(
      /class="lead"|class="navigation"|On this page|Next one|Last updated|data-open-navigation/,
    )
    expect(renderPage({ ...view, next: { title: 'Next one', href: '/next' }, updatedAt: 0 })).toMatch(
      /rel="next" href="\/next"[^]*Next one[^]*Last updated <time datetime="1970-01-01">January 1, 1970/,
    )
  })

  it('applies the theme, and right-to-left languages', () => {
    expect(page).toContain('data-toggleable=""')
    const dark = renderPage({
      ...view,
      site: { ...site, language: 'ar', theme: { default: 'dark', toggleable: false, corners: 'straight' } },
    })
    expect(dark).toContain('<html lang="ar" dir="rtl" data-theme="dark" data-corners="straight">')
    expect(dark).not.toContain('data-theme-toggle')
  })

  it('renders sections, variants, links, announcement and footer of the site', () => {
    const full = renderPage({
      ...view,
      site: {
        ...site,
        sections: [
          { title: 'API', href: '/api', current: true },
          { title: 'More', entries: [{ title: 'Log', href: '/log' }] },
        ],
        variants: [
          { title: 'v2', href: '/v2', current: true },
          { title: 'v1', href: '/v1' },
        ],
        links: [{ title: 'Start', href: '/start', style: 'button-primary' }],
        announcement: { message: 'News', style: 'info', key: 'n', link: { title: 'Read', href: '/news' } },
        footer: {
          groups: [{ title: 'Us', links: [{ title: 'Imprint', href: '/imprint' }] }],
          copyright: '© us',
        },
      },
    })
    for (const part of [
      'href="/api" aria-current="true"',
      'Version: v2',
      'href="/v1"',
      'href="/log"',
      'href="/news"',
      'href="/imprint"',
      '© us',
    ]) {
      expect(full).toContain(part)
    }
    expect(full).toContain('<a href="/start" class="button primary">')
    expect(page).not.toMatch(/class="sections"|class="footer"|class="announcement/)
  })
})

describe('sections', () => {
  it('are in menus with their descriptions, submenus under a heading', () => {
    const inner = { title: 'Operate', entries: [{ title: 'Billing', href: '/billing/', current: true }] }
    const entries = [{ title: 'SDK', href: '/sdk/', description: 'Libraries & tools' }, inner]
    const sections = [
      { title: 'Guide', href: '/' },
      { title: 'Reference', entries },
    ]
    const page = searchPage({ ...site, sections }, { query: '', items: [] })
    expect(page).toContain('<a href="/sdk/">SDK<small>Libraries &amp; tools</small></a>')
    expect(page).toMatch(/<summary class="current">\s*Reference/)
    expect(page).toMatch(
      /<div class="menu-group"><p>Operate<\/p><a href="\/billing\/" aria-current="true">Billing<\/a><\/div>/,
    )
  })
})

describe('searchPage', () => {
  it('works as a plain form, and marks the matches', () => {
    const page = searchPage(site, {
      query: '<merge>',
      count: 12,
      items: [
        {
          title: { text: 'A <b>', marks: [[2, 5]] },
          href: '/a',
          breadcrumbs: ['Guide', 'Deep'],
          sections: [
            { excerpt: { text: 'under the title', marks: [] } },
            {
              heading: { text: 'S', marks: [] },
              href: '/a#x',
              excerpt: {
                text: 'the <merge> of',
                marks: [
                  [4, 11],
                  [2, 3],
                  [13, 12],
                ],
              },
            },
          ],
        },
      ],
      more: '/search?q=x&page=2',
    })
    expect(page).toMatch(/<form[^>]*method="get"[^>]*action="\/search"/)
    expect(page).toContain('value="&lt;merge&gt;"')
    expect(page).toContain('12 pages for “&lt;merge&gt;”')
    expect(page).toContain('the <mark>&lt;merge&gt;</mark> of</p>')
    expect(page).toContain('Guide / Deep</p><h2><a href="/a" dir="auto">A <mark>&lt;b&gt;</mark></a></h2>')
    expect(page).toMatch(/under the title<\/p><div class="result-section"><a href="\/a#x" dir="auto">S<\/a>/)
    expect(page).toContain('href="/search?q=x&amp;page=2"')
    expect(page).toContain('noindex')
  })

  it('groups results by section, the one with the best result first', () => {
    const item = (title: string, section: string) => {
      return { title: { text: title, marks: [] }, href: `/${title}`, section, sections: [] }
    }
    const page = searchPage(site, {
      query: 'x',
      items: [item('one', 'API · v2'), item('two', '<Guide>'), item('three', 'API · v2')],
    })
    const headings = [...page.matchAll(/<(h[1-6])[^>]*>(?:<a[^>]*>)?([^<]*)/g)].map(([, ...one]) =>
      one.join(' '),
    )
    expect(headings).toEqual(['h1 Search', 'h2 API · v2', 'h3 one', 'h3 three', 'h2 &lt;Guide&gt;', 'h3 two'])
  })

  it('has a message for no results, and none before a query', () => {
    expect(searchPage(site, { query: 'x', items: [] })).toContain('role="status">Nothing was found for “x”.')
    expect(searchPage(site, { query: '', items: [] })).not.toMatch(/role="status"|class="result-count"/)
  })
})

describe('other pages', () => {
  it('have onward links and are excluded from search engines', () => {
    for (const page of [
      notFoundPage(site, navigation),
      errorPage(site, { title: 'Broken <x>', message: 'Try & wait' }),
    ]) {
      expect(page).toContain('<meta name="robots" content="noindex, nofollow">')
      expect(page).toContain('<a class="button primary" href="/">')
    }
    expect(notFoundPage(site, navigation)).toContain('aria-label="Pages"')
    expect(errorPage(site, { title: 'Broken <x>', message: 'Try & wait' })).toContain('Broken &lt;x&gt;</h1>')
  })
})

describe('the layout in other languages', () => {
  const german = { ...site, language: 'de-AT' }

  it('has its own texts in the language of the page', () => {
    const page = renderPage({ ...view, site: german })
    expect(page).toContain('<html lang="de-AT"')
    expect(page).toContain('>Zum Inhalt springen</a>')
    expect(page).toContain('Auf dieser Seite')
    expect(page).not.toMatch(/>(?:Skip|On this|Next|Previous|Last)\b/)
    expect(notFoundPage(german)).toContain('<h1>Seite nicht gefunden</h1>')
    const found = searchPage(german, { query: 'a {} b', items: [], count: 1234 })
    expect(found).toContain('1.234 Seiten zu „a {} b“')
  })

  it('is mirrored in right-to-left languages', () => {
    expect(notFoundPage({ ...site, language: 'he' })).toMatch(/<html lang="he" dir="rtl"/)
  })

  it('contains only the client texts that the page needs', () => {
    const wordsOf = (page: string) =>
      Object.keys(JSON.parse(/id="octavo-words">([^<]*)</.exec(page)?.[1] ?? '{}') as object)
    const still = { ...site, theme: { ...site.theme, toggleable: false } }
    const { search: _, ...silent } = still
    expect(wordsOf(notFoundPage(silent))).toEqual([])
    expect(wordsOf(notFoundPage(still))).toContain('recentSearches')
    expect(wordsOf(notFoundPage(still))).not.toContain('lightColors')
    expect(wordsOf(notFoundPage(site))).toContain('lightColors')
  })

  it('escapes quotation marks in client texts as Latin characters', () => {
    const json = /id="octavo-words">([^<]*)</.exec(notFoundPage(site))![1]!
    expect(json).toMatch(/^[\u0020-\u00ff]*$/)
    expect(JSON.parse(json)).toMatchObject({ allResults: 'All results for “{}”' })
  })
})
