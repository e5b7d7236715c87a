/** Gallery page: the document of the gallery in its site. */
import { createPageFragments, renderFragment } from '../../src/site/blocks/fragments.js'
import { renderDocument } from '../../src/site/blocks/render.js'
import { renderPage } from '../../src/site/layout/page.js'
import type { SiteView } from '../../src/site/layout/view.js'
import { galleryContext, galleryDocument, galleryOutline } from './document.js'
import { galleryNavigation } from './site.js'

/** The gallery as a whole page. */
export async function galleryPage(site: SiteView): Promise<string> {
  const fragments = createPageFragments()
  const context = { ...galleryContext, fragments }
  renderDocument(galleryDocument, context)
  for (const [owner, fragment] of fragments.deferred)
    fragments.setResult(owner, await renderFragment(fragment))
  return renderPage({
    site,
    title: 'Every block, once',
    description:
      'A page that shows each block of the dialect, to be looked at in light and dark, wide and narrow.',
    icon: 'shapes',
    cover: { light: { src: 'cover.png' }, size: 'hero', position: 40 },
    breadcrumbs: [{ title: 'Guide', href: 'index.html' }, { title: 'Writing' }],
    navigation: galleryNavigation,
    outline: galleryOutline,
    body: renderDocument(galleryDocument, context),
    previous: { title: 'Installing on your own server', href: 'index.html' },
    next: {
      title: 'octavo_published_site_customization_internationalization_locale_fallbacks',
      href: 'index.html',
    },
    feedback: 'feedback.html',
    updatedAt: Date.UTC(2026, 10, 20),
    canonical: 'https://docs.example.com/guide/blocks',
    actions: [
      { title: 'Edit this page', href: 'edit', icon: 'pencil' },
      { title: 'Copy as Markdown', href: 'index.md', icon: 'copy', isCopied: true },
      { title: 'View as Markdown', href: 'index.md', icon: 'file-text' },
    ],
  })
}
