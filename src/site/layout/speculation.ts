/**
 * Speculation rules: prefetching by the browser, on pages without client-side navigation (browser/client-navigation.ts):
 * the page of a link under the pointer. It is only prefetched, never prerendered: it has no effects before the click.
 */
import { createHash } from 'node:crypto'

/** Links to pages of the site, without API paths, Markdown and downloads. */
export const speculationRules = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { selector_matches: '.navigation a, .breadcrumbs a, .pagination a, .body a' },
          { href_matches: '/*' },
          { not: { href_matches: '/*~octavo/*' } },
          { not: { href_matches: '/*.md' } },
          { not: { selector_matches: '[download]' } },
        ],
      },
      eagerness: 'moderate',
    },
  ],
})

/** Source expression for `script-src` of a Content-Security-Policy. */
export const speculationRulesHash = `'sha256-${createHash('sha256').update(speculationRules).digest('base64')}'`
