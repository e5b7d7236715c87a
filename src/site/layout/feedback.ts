/**
 * Page feedback: the rating form, the comment form, and the page around them without scripts. The response to a form is
 * the next form; the client script replaces the submitted one with it.
 */
import { safeUrl } from '../blocks/safe-url.js'
import { attributes, html, type Html } from '../html.js'
import type { Words } from '../words/en.js'
import { wordsIn } from '../words/words.js'
import { renderPageShell } from './page-shell.js'
import type { SiteView } from './view.js'

/** Maximum characters of a comment. */
const maxCommentLength = 512

/** The form at the end of a page; submitted to `href`. */
export function renderFeedback(href: string, words: Words): Html {
  const answer = (rating: string, label: string): Html =>
    html`<button type="submit" name="rating" value="${rating}" class="button secondary">${label}</button>`
  return html`<form class="feedback" method="post"${attributes({ action: safeUrl(href) })} aria-labelledby="octavo-feedback" data-feedback>
    <p id="octavo-feedback">${words.wasHelpful}</p>
    <div class="feedback-answers">
      ${answer('good', words.yes)}${answer('ok', words.partly)}${answer('bad', words.no)}
    </div>
  </form>\n`
}

/** The form for a comment on a submitted rating. */
function renderCommentForm(href: string, rating: string, words: Words): Html {
  return html`<form class="feedback" method="post"${attributes({ action: safeUrl(href) })} data-feedback>
    <p role="status" tabindex="-1">${words.thanks}</p>
    <input type="hidden" name="rating" value="${rating}">
    <label>${words.whatHelps}<textarea name="comment" rows="3" maxlength="${String(maxCommentLength)}"></textarea></label>
    <button type="submit" class="button primary">${words.send}</button>
  </form>\n`
}

export interface FeedbackResult {
  /** The rated page. */
  readonly page: { readonly title: string; readonly href: string }
  /** Target of the comment form; absent after a comment. */
  readonly comment?: { readonly href: string; readonly rating: string }
}

/** The response page of a form. */
export function feedbackResultPage(site: SiteView, { page, comment }: FeedbackResult): string {
  const words = wordsIn(site.language)
  return renderPageShell(site, {
    isPlain: true,
    head: { title: page.title, indexed: false },
    main: html`<main class="main plain" id="octavo-content" tabindex="-1">
      <div class="content">
        <header class="title"><h1>${page.title}</h1></header>
        ${
          comment === undefined
            ? html`<p class="feedback" role="status" tabindex="-1">${words.thanks}</p>`
            : renderCommentForm(comment.href, comment.rating, words)
        }
        <p><a class="button secondary"${attributes({ href: safeUrl(page.href) })}>${page.title}</a></p>
      </div>
    </main>`,
  })
}
