/**
 * Error catalogue: name, HTTP status and message of every API error.
 *
 * Messages name the invalid member and what is allowed. `docs/errors.md` lists the same names; a test keeps the two
 * equal. Conversion to a response happens in `server` only.
 */

export const errorCatalogue = {
  // 400: invalid requests.
  invalid_request: { status: 400, message: '{problem}' },
  invalid_json: { status: 400, message: 'The body is not valid JSON: {problem}.' },
  invalid_page_cursor: {
    status: 400,
    message:
      'The query member "page" is not a cursor of this list: pass the "next.page" of the previous answer unchanged, with the same filters.',
  },
  invalid_position: { status: 400, message: 'The member "position" makes no sense here: {problem}.' },
  invalid_parent: { status: 400, message: 'The member "{member}" makes no sense here: {problem}.' },
  invalid_reference: {
    status: 400,
    message: 'The member "{member}" names {thing} that does not exist or is not visible to you.',
  },
  invalid_change: { status: 400, message: 'Change {index} cannot be made: {problem}.' },
  invalid_status: { status: 400, message: 'The member "status" cannot become "{status}": {problem}.' },
  invalid_expression: { status: 400, message: 'The member "{member}" is not a valid expression: {problem}.' },
  site_without_space: {
    status: 400,
    message: 'The site has no space yet: add one before it is published or previewed.',
  },
  archive_invalid: { status: 400, message: 'The archive cannot be read: {problem}.' },
  archive_unsafe_path: {
    status: 400,
    message: 'The archive holds the entry "{path}", which is refused: {problem}.',
  },
  import_failed: { status: 400, message: 'The import cannot be made: {problem}.' },
  password_unfit: { status: 400, message: 'This password cannot be used: {problem}.' },
  certificate_unfit: {
    status: 400,
    message: 'The member "certificate" cannot be used: {problem}.',
  },
  email_domain_not_allowed: {
    status: 400,
    message: 'This organization does not admit people by the domain of your e-mail address.',
  },
  url_not_allowed: {
    status: 400,
    message: 'The member "{member}" is not an address that may be fetched: {problem}.',
  },

  // 401, 403, 404: authentication and authorization.
  token_missing: {
    status: 401,
    message: 'This needs an access token: send the header "Authorization: Bearer oct_…".',
  },
  token_invalid: { status: 401, message: 'The access token is unknown, expired or revoked.' },
  visitor_token_needed: {
    status: 401,
    message:
      'The site is for visitors who are signed in: send the token of this one as "visitor.jwtToken", signed with the key of the site.',
  },
  sign_in_link_invalid: {
    status: 401,
    message: 'This sign-in link is unknown, expired or already used: ask for a new one.',
  },
  sign_in_failed: {
    status: 401,
    message: 'The e-mail address or the password is wrong. Try again, or ask for a sign-in link.',
  },
  saml_refused: {
    status: 401,
    message: 'The answer of the identity provider was refused: {problem}.',
  },
  oidc_refused: { status: 401, message: 'Signing in with {name} did not work: {problem}.' },
  single_sign_on_required: {
    status: 403,
    message: 'This organization takes single sign-on: sign in at {url} and come back.',
  },
  opens_one_organization: {
    status: 403,
    message:
      'You are signed in for one organization only, which does not open this: sign in with a password or a link from your mail.',
  },
  session_required: {
    status: 403,
    message:
      'This is done by the person in a browser, which a token does not stand for: sign in there and open /~octavo/password.',
  },
  invitation_not_accepted: {
    status: 403,
    message:
      'You were invited to this organization and have not accepted: accept on the first page, or with POST /v1/user/invitations/{organizationId}.',
  },
  email_not_verified: {
    status: 403,
    message:
      'Your e-mail address is not known to be yours yet: sign in with a link that is mailed to it, or through OpenID Connect, and join again.',
  },
  password_wrong: {
    status: 403,
    message:
      'The member "currentPassword" is not your password: send the right one, or sign in with a link and set a new one within 15 minutes.',
  },
  forbidden: {
    status: 403,
    message: 'You may see this, but not {action}: that takes the role "{role}" or higher.',
  },
  forbidden_on_each: {
    status: 403,
    message:
      'You may not {action}: it reaches several spaces or collections, and takes the role "{role}" or higher on each of them. Ask an admin of the organization to do it.',
  },
  specification_unseen: {
    status: 403,
    message:
      'The content would show the OpenAPI specification "{slug}", and you may see none of this organization but public ones: ask a member of it to add that.',
  },
  only_own: { status: 403, message: 'Only the {thing} themself may do this.' },
  content_token_reads: {
    status: 403,
    message:
      'The token of a reader opens what a renderer asks of the one site, and not this operation: use an API token.',
  },
  live_edits_locked: {
    status: 403,
    message:
      'Live edits of this space are locked: make the change in a change request, or set "editMode" to "live".',
  },
  metrics_closed: {
    status: 403,
    message:
      'The metrics are for the machine that the server runs on: ask there at 127.0.0.1 or localhost, or send OCTAVO_METRICS_TOKEN as a bearer token.',
  },
  cross_site_request: {
    status: 403,
    message: "The request does not come from this site's own pages and was refused.",
  },
  not_found: { status: 404, message: 'There is no such {thing}, or it is not visible to you.' },
  route_not_found: { status: 404, message: 'There is no operation {method} {path}.' },

  // 408 to 431: the request itself.
  request_too_slow: { status: 408, message: 'The request did not arrive in time: send it again.' },
  form_too_large: { status: 413, message: 'The form is refused: {problem}.' },
  address_too_long: {
    status: 414,
    message: 'The address is longer than the allowed {limit} characters: send less in its query.',
  },
  headers_too_large: {
    status: 431,
    message: 'The headers are larger than the allowed {limit} bytes together, cookies among them.',
  },
  body_too_large: { status: 413, message: 'The body is larger than the allowed {limit}.' },
  archive_too_large: { status: 413, message: 'The archive is too large: {problem}.' },
  page_too_large: { status: 413, message: 'The text of {page} is larger than the allowed {limit}.' },
  pdf_too_large: {
    status: 413,
    message: 'This is too large for a PDF: {problem}. Ask for a page with those below it, with "page".',
  },
  unsupported_content_type: {
    status: 415,
    message: 'The content type "{received}" is not accepted here; allowed: {allowed}.',
  },
  unsupported_content_encoding: {
    status: 415,
    message: 'The content encoding "{received}" is not read here: send the body as it is.',
  },
  range_unsatisfiable: {
    status: 416,
    message: 'The file has {size} bytes, and none in the range that the header "Range" names.',
  },
  expectation_unknown: {
    status: 417,
    message: 'The header "Expect" names "{received}"; only "100-continue" is known here.',
  },

  // 409, 412: conflicts with the current state.
  no_change: { status: 409, message: 'Nothing would change: {problem}.' },
  already_taken: { status: 409, message: 'The {member} "{value}" is already taken.' },
  change_request_closed: {
    status: 409,
    message: 'The change request is {status}: only draft and open ones can be changed, updated or merged.',
  },
  change_request_unresolved: {
    status: 409,
    message: 'The change request has {count} unresolved conflicts: resolve them before merging.',
  },
  merge_rules_unmet: {
    status: 409,
    message: 'The merge rules of the space are not met. Missing: {missing}.',
  },
  upload_lost: {
    status: 409,
    message: 'The uploaded bytes were removed before anything named them: upload them again.',
  },
  content_moved: {
    status: 409,
    message: 'The content was changed by someone else at the same moment: read it again and repeat.',
  },
  changed_meanwhile: {
    status: 409,
    message:
      'Somebody made the same, or removed what it belongs to, at the same moment: nothing was changed. Read it again and repeat.',
  },
  import_cancelled: { status: 409, message: 'The import was cancelled: nothing was changed.' },
  import_ended: { status: 409, message: 'The import has ended: there is nothing to cancel.' },
  space_deleted: { status: 409, message: 'The space is deleted: restore it first.' },
  space_not_deleted: { status: 409, message: 'The space is not deleted: there is nothing to restore.' },
  invite_links_disabled: {
    status: 409,
    message: 'Invite links are switched off in this organization: set "inviteLinks" to true first.',
  },
  account_claimed: {
    status: 409,
    message:
      'This person has an account of their own and has not accepted your invitation: they sign in and accept it on the first page, or by the link in the mail.',
  },
  too_many_invitations: {
    status: 409,
    message:
      'This organization has {count} invitations that nobody has accepted, and may have {limit}: remove some of those members first.',
  },
  site_needs_space: {
    status: 409,
    message: 'The site is published and must keep at least one space: unpublish it first.',
  },
  too_many_sections: {
    status: 409,
    message: 'A site may have {limit} sections and groups together, and this one would have more.',
  },
  webhook_inactive: {
    status: 409,
    message: 'The webhook is switched off: set "active" to true first.',
  },
  last_admin: { status: 409, message: 'The organization must keep at least one admin.' },
  space_visible_publicly: {
    status: 409,
    message: 'Live edits cannot be unlocked while the space is published as {visibility}.',
  },
  edit_conflict: {
    status: 409,
    message:
      'Nothing was written: the same was changed since the base of this edit. "conflicts" holds both versions, and "revision" the base of another attempt.',
  },
  edit_base_unknown: {
    status: 409,
    message:
      'Nothing was written: the text that this edit was made on is not known, or was too long ago. "conflicts" holds the current text, and "sent" the edit.',
  },
  page_gone: {
    status: 409,
    message:
      'Nothing was written: the page was deleted meanwhile. "lastRevision" is the last one that has it, and "sent" the edit.',
  },
  seq_taken: {
    status: 409,
    message:
      'Nothing was written: the member "seq" is the number of another edit of this client, which is written already. Count on.',
  },
  suggestion_outdated: {
    status: 409,
    message:
      'Nothing was written: the suggestion of comment "{comment}" no longer fits, because {problem}. Read it again, and edit the page instead.',
  },
  suggestion_settled: {
    status: 409,
    message: 'Nothing was written: the suggestion of comment "{comment}" is {status} already.',
  },
  base_unknown: {
    status: 412,
    message:
      'The header "If-Match" names no revision of this space: send the "ETag" of what you have read, or leave it out.',
  },
  cannot_be_moved: {
    status: 412,
    message: 'The {thing} cannot be moved to another organization: {problem}.',
  },

  // 429, 5xx: the server.
  rate_limited: { status: 429, message: 'Too many requests: wait {seconds} seconds.' },
  too_many_followers: {
    status: 429,
    message: 'Too many streams of events are open already: close some, or ask again in a while.',
  },
  imports_busy: {
    status: 429,
    message: 'The organization imports {count} things already: ask again when one of them has ended.',
  },
  pdfs_busy: {
    status: 429,
    message: 'The organization has {count} PDFs made already: ask again when one of them is done.',
  },
  insights_busy: {
    status: 429,
    message: 'Too many ask already what readers do: ask again in a moment.',
  },
  internal: {
    status: 500,
    message: 'The server failed to answer; the failure is in its log under {requestId}.',
  },
  busy: {
    status: 503,
    message: 'Too many are writing at the same place: nothing was changed. Try again in a moment.',
  },
  import_interrupted: {
    status: 503,
    message: 'The server stops: the import goes on when it is back, where it was.',
  },
  search_busy: {
    status: 503,
    message: 'Too many are searching already: ask again in a moment.',
  },
  specification_unread: {
    status: 503,
    message: 'Pages are made of {file}, which is still being read: ask again in a moment.',
  },
  pdf_failed: {
    status: 503,
    message: 'The PDF could not be made: {problem}. Ask again in a minute, or for a part of it with "page".',
  },
  search_failed: {
    status: 503,
    message: 'The search came to no end and was given up: ask with fewer words, or again in a moment.',
  },
  database_unavailable: {
    status: 503,
    message:
      'The database cannot be reached at the moment, and nothing was changed: try again in {seconds} seconds.',
  },
  outcome_unknown: {
    status: 503,
    message:
      'The database was lost while the change was written: read again whether it was made before you repeat it.',
  },
  content_damaged: {
    status: 503,
    message:
      'A part of this content is damaged where it is stored: the operator of the server finds out which, and how to get it back, with "octavo doctor".',
  },
  storage_full: {
    status: 507,
    message:
      'There is no room left on the disk of the server, and nothing was changed: its operator must make room first.',
  },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorName = keyof typeof errorCatalogue

type MemberOf<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | MemberOf<Rest>
  : never

type Fill<Name extends ErrorName> = MemberOf<(typeof errorCatalogue)[Name]['message']>

/** One failed validation: the path, such as `body.title`, and what is allowed. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

/** Thrown for errors of the caller; expected outcomes are values, not errors. */
export class ApiError<Name extends ErrorName = ErrorName> extends Error {
  readonly status: number
  readonly details: readonly ErrorDetail[] | undefined
  /** Further members of the error in the body. */
  readonly more?: object

  constructor(
    readonly errorName: Name,
    ...[fill, details]: [Fill<Name>] extends [never]
      ? [fill?: Record<string, never>, details?: readonly ErrorDetail[]]
      : [fill: Record<Fill<Name>, string | number>, details?: readonly ErrorDetail[]]
  ) {
    const { status, message } = errorCatalogue[errorName]
    super(
      message.replace(/\{(\w+)\}/g, (_, member: string) =>
        String((fill as Record<string, string | number>)[member]),
      ),
    )
    this.name = 'ApiError'
    this.status = status
    this.details = details
  }
}
