/** Templates: starter sets of pages as Markdown, a chunk of their own. A new space imports one of them by the API. */
import type { TemplateName } from './template-names.js'
import productReadme from './product/README.md'
import productSummary from './product/SUMMARY.md'
import productConcepts from './product/concepts.md'
import productGuidesFirstProject from './product/guides/first-project.md'
import productGuidesInviteYourTeam from './product/guides/invite-your-team.md'
import productQuickstart from './product/quickstart.md'
import productReferenceChangelog from './product/reference/changelog.md'
import productReferenceSettings from './product/reference/settings.md'
import apiReadme from './api/README.md'
import apiSummary from './api/SUMMARY.md'
import apiAuthentication from './api/authentication.md'
import apiErrors from './api/errors.md'
import apiLists from './api/lists.md'
import apiVersions from './api/versions.md'
import apiWebhooks from './api/webhooks.md'
import handbookReadme from './handbook/README.md'
import handbookSummary from './handbook/SUMMARY.md'
import handbookDecisionsReadme from './handbook/decisions/README.md'
import handbookDecisionsTemplate from './handbook/decisions/template.md'
import handbookFirstWeek from './handbook/first-week.md'
import handbookHowWeWork from './handbook/how-we-work.md'
import handbookMeetings from './handbook/meetings.md'
import handbookTimeOff from './handbook/time-off.md'
import helpReadme from './help/README.md'
import helpSummary from './help/SUMMARY.md'
import helpAccount from './help/account.md'
import helpBilling from './help/billing.md'
import helpContact from './help/contact.md'
import helpGettingStarted from './help/getting-started.md'
import helpProblems from './help/problems.md'

/** Path in the space → Markdown, by the name of the set. */
export const templates: Readonly<Record<TemplateName, Readonly<Record<string, string>>>> = {
  product: {
    'README.md': productReadme,
    'SUMMARY.md': productSummary,
    'concepts.md': productConcepts,
    'guides/first-project.md': productGuidesFirstProject,
    'guides/invite-your-team.md': productGuidesInviteYourTeam,
    'quickstart.md': productQuickstart,
    'reference/changelog.md': productReferenceChangelog,
    'reference/settings.md': productReferenceSettings,
  },
  api: {
    'README.md': apiReadme,
    'SUMMARY.md': apiSummary,
    'authentication.md': apiAuthentication,
    'errors.md': apiErrors,
    'lists.md': apiLists,
    'versions.md': apiVersions,
    'webhooks.md': apiWebhooks,
  },
  handbook: {
    'README.md': handbookReadme,
    'SUMMARY.md': handbookSummary,
    'decisions/README.md': handbookDecisionsReadme,
    'decisions/template.md': handbookDecisionsTemplate,
    'first-week.md': handbookFirstWeek,
    'how-we-work.md': handbookHowWeWork,
    'meetings.md': handbookMeetings,
    'time-off.md': handbookTimeOff,
  },
  help: {
    'README.md': helpReadme,
    'SUMMARY.md': helpSummary,
    'account.md': helpAccount,
    'billing.md': helpBilling,
    'contact.md': helpContact,
    'getting-started.md': helpGettingStarted,
    'problems.md': helpProblems,
  },
}
