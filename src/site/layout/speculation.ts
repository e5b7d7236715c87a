/**
 * What a browser may fetch before the reader clicks, on pages that our program does not swap (browser/pages.ts): the
 * page of a link that the pointer rests on. It is only fetched, never run: nothing happens that a reader did not ask for.
 */
import { createHash } from 'node:crypto'

/** Links of the page's own kind; not what is for programs, nor Markdown, nor downloads. */
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

/** What a Content-Security-Policy must allow in `script-src` for them. */
export const speculationRulesHash = `'sha256-${createHash('sha256').update(speculationRules).digest('base64')}'`
