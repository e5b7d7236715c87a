/** Gallery site: a made-up site with every part of the layout filled. */
import type { NavigationNode, SiteView } from '../../src/site/layout/view.js'

export const gallerySite: SiteView = {
  title: 'Octavo',
  href: 'index.html',
  language: 'en',
  favicon: { emoji: '📖' },
  stylesheets: ['site.css', 'reference.css'],
  blocksStylesheet: 'blocks.css',
  plainStylesheet: 'plain.css',
  script: 'site.js',
  search: { href: 'search.html', api: 'search.json' },
  theme: { default: 'system', toggleable: true, corners: 'rounded' },
  sections: [
    { title: 'Guide', href: 'index.html', icon: 'book-open', current: true },
    { title: 'Reference', href: 'index.html', icon: 'code' },
    {
      title: 'More',
      entries: [
        { title: 'Changelog', href: 'index.html' },
        { title: 'Handbook', href: 'index.html' },
      ],
    },
  ],
  variants: [
    { title: 'English', href: 'index.html', language: 'en', current: true },
    { title: '日本語', href: 'index.html', language: 'ja' },
    { title: 'Deutsch', href: 'index.html', language: 'de' },
  ],
  links: [
    { title: 'Blog', href: 'https://example.com/blog' },
    { title: 'Community', entries: [{ title: 'Forum', href: 'https://example.com/forum' }] },
    { title: 'Get started', href: 'index.html', style: 'button-primary' },
  ],
  announcement: {
    message: 'Version 1.0 is out.',
    style: 'info',
    link: { title: 'Read what is new', href: 'index.html' },
    key: 'news',
  },
  footer: {
    groups: [
      {
        title: 'Product',
        links: [
          { title: 'Guide', href: 'index.html' },
          { title: 'Changelog', href: 'index.html' },
        ],
      },
      { title: 'Project', links: [{ title: 'Source', href: 'https://example.com' }] },
    ],
    copyright: '© 2026 Octavo contributors',
  },
}

/** Each below the one before. */
function deep([title, ...below]: readonly string[]): readonly NavigationNode[] {
  return title === undefined ? [] : [{ kind: 'page', title, href: 'missing.html', children: deep(below) }]
}

export const galleryNavigation: readonly NavigationNode[] = [
  { kind: 'page', title: 'Welcome', href: 'missing.html', emoji: '1f44b' },
  {
    kind: 'group',
    title: 'Getting started',
    children: [
      { kind: 'page', title: 'Installing on your own server', href: 'missing.html', icon: 'server' },
      {
        kind: 'page',
        title: 'Writing',
        href: 'missing.html',
        icon: 'pencil',
        children: [
          { kind: 'page', title: 'Every block, once', href: 'index.html', current: true },
          {
            kind: 'page',
            title: 'Links and references between pages that have long names',
            href: 'missing.html',
            children: deep(['Anchors', 'Of headings', 'Of blocks', 'Of words', 'Of signs']),
          },
          { kind: 'gap', count: 9950, href: 'missing.html' },
        ],
      },
      { kind: 'page', title: 'Publishing', href: 'missing.html', icon: 'globe', branch: 'missing.html' },
      {
        kind: 'page',
        title: 'Working together',
        href: 'missing.html',
        icon: 'users',
        children: [
          { kind: 'page', title: 'Change requests', href: 'missing.html' },
          { kind: 'page', title: 'Merging', href: 'missing.html' },
        ],
      },
    ],
  },
  {
    kind: 'group',
    title: '参考资料',
    children: [
      { kind: 'page', title: '合并与冲突', href: 'missing.html' },
      { kind: 'link', title: 'Source code', href: 'https://example.com' },
    ],
  },
]
