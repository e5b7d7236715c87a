/**
 * Block gallery: renders every block, and the other pages of a site, into a folder for visual inspection:
 *
 *   npx tsx dev/preview-blocks.ts [folder]
 *
 * The folder then holds plain files; any static server on 127.0.0.1 serves them as a site would.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { errorPage, notFoundPage } from '../src/site/layout/message-pages.js'
import { searchPage } from '../src/site/layout/search-page.js'
import { defaultCustomization } from '../src/contract/customization.js'
import { siteStylesheet } from '../src/site/layout/site-stylesheet.js'
import { galleryPage } from './gallery/page.js'
import { galleryNavigation, gallerySite } from './gallery/site.js'

const folder = process.argv[2] ?? 'data/preview'
mkdirSync(folder, { recursive: true })

const { buildAssets } = (await import(new URL('../scripts/build.mjs', import.meta.url).href)) as {
  buildAssets(): Promise<void>
}
await buildAssets()
cpSync(new URL('../dist/assets', import.meta.url), folder, { recursive: true })

/** A plain image without text, in two colours. */
async function picture(name: string, width: number, height: number, from: string, to: string): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#a)"/><g fill="#fff" opacity=".14"><circle cx="${width * 0.8}" cy="${height * 0.2}" r="${height * 0.45}"/><circle cx="${width * 0.15}" cy="${height * 0.9}" r="${height * 0.5}"/></g></svg>`
  await sharp(Buffer.from(svg)).png().toFile(join(folder, name))
}
await picture('cover.png', 1600, 480, '#3456d1', '#8a5cf0')
await picture('light.png', 900, 420, '#f2d9a8', '#e58f6b')
await picture('dark.png', 900, 420, '#27335e', '#131722')
await picture('card-1.png', 640, 360, '#2f80c9', '#5fc3b2')
await picture('card-2.png', 640, 360, '#7b4dd1', '#d56bb0')
await picture('card-3.png', 640, 360, '#d0733a', '#e7b94e')

function write(name: string, markup: string): void {
  writeFileSync(join(folder, name), markup)
  process.stdout.write(`${join(folder, name)}\n`)
}

write('index.html', await galleryPage(gallerySite))
write(
  'theme.css',
  siteStylesheet(
    {
      ...defaultCustomization,
      styling: {
        ...defaultCustomization.styling,
        primaryColor: { light: '#ffcc00', dark: '#0a7d4f' },
        tint: { color: { light: '#ff7a00', dark: '#00a878' } },
      },
    },
    undefined,
  ),
)
write(
  'tinted.html',
  await galleryPage({
    ...gallerySite,
    stylesheets: [...gallerySite.stylesheets, 'theme.css'],
    theme: { default: 'system', toggleable: false, corners: 'circular' },
  }),
)
write('missing.html', notFoundPage(gallerySite, galleryNavigation))
write(
  'error.html',
  errorPage(gallerySite, {
    title: 'This page needs a sign-in',
    message: 'Ask the people who sent you the link.',
  }),
)
write(
  'search.html',
  searchPage(gallerySite, {
    query: 'merge conflict',
    items: [
      {
        title: { text: 'Merging changes', marks: [[0, 7]] },
        href: 'index.html',
        breadcrumbs: ['Guide', 'Working together'],
        sections: [
          {
            heading: { text: 'When both sides changed a block', marks: [] },
            href: 'index.html#hints',
            excerpt: {
              text: 'A merge conflict is a value: nothing is lost, and both sides stay reachable.',
              marks: [
                [2, 7],
                [8, 16],
              ],
            },
          },
        ],
      },
      {
        title: { text: '合并与冲突', marks: [[3, 5]] },
        href: 'index.html',
        sections: [{ excerpt: { text: '两边都修改了同一段落时，会显示冲突。', marks: [[15, 17]] } }],
      },
    ],
    more: 'search.html?q=merge&page=2',
  }),
)
// What the search dialog requests; a static server ignores the query.
write(
  'search.json',
  JSON.stringify({
    items: [
      {
        title: { text: 'Merging changes', marks: [[0, 7]] },
        href: 'index.html',
        breadcrumbs: ['Guide'],
        sections: [
          {
            heading: { text: 'Conflicts', marks: [] },
            href: 'index.html#hints',
            excerpt: { text: 'A merge conflict is a value.', marks: [[2, 7]] },
          },
        ],
      },
      { title: { text: 'Publishing', marks: [] }, href: 'missing.html', sections: [] },
    ],
  }),
)
