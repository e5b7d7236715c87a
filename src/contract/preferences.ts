/** Preferences of a user: what the app looks like, and which mail they get. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Words, shape } from './shapes.js'

export const mailFrequencies = ['at-once', 'daily', 'never'] as const
export type MailFrequency = (typeof mailFrequencies)[number]

/** What a user is notified of by mail, as sentences. */
export const mailKinds = {
  reviewRequested: 'You are asked for a review.',
  mention: 'A comment, or the description of a change request, mentions you.',
  reply:
    'Your comment, or one that you replied to, has a reply; your change request has a comment or a review.',
  merge: 'A change request that you created or reviewed is merged.',
  assignment: 'A team that you belong to is asked for a review.',
} as const
export type MailKind = keyof typeof mailKinds

const Theme = Words(['system', 'light', 'dark'], { description: 'Colours of the app.' })
const Language = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  maxLength: 16,
  pattern: '^[a-z]{2,3}(-[a-z]{2,4})?$',
  description: 'Language of the app and of mail; null for that of the browser.',
  examples: ['en'],
})

const frequencies = Object.entries(mailKinds).map(
  ([kind, description]) => [kind as MailKind, Words(mailFrequencies, { description })] as const,
)
const Mail = Type.Object(
  Object.fromEntries(frequencies) as Record<MailKind, (typeof frequencies)[number][1]>,
  { description: 'When you get mail, by what happened.' },
)
const MailChange = Type.Object(
  Object.fromEntries(frequencies.map(([kind, words]) => [kind, Type.Optional(words)])) as Record<
    MailKind,
    ReturnType<typeof Type.Optional<(typeof frequencies)[number][1]>>
  >,
  { additionalProperties: false },
)

export const Preferences = shape(
  'Preferences',
  Type.Object({
    object: Type.Literal('preferences'),
    language: Language,
    theme: Theme,
    mail: Mail,
  }),
)
export type Preferences = Static<typeof Preferences>

export const getPreferences = endpoint('getUserPreferences', 'GET', '/user/preferences', {
  summary: 'Get your preferences',
  description: 'Returns your preferences, the same in every organization.',
  tag: 'Users',
  reply: Preferences,
})

export const updatePreferences = endpoint('updateUserPreferences', 'PATCH', '/user/preferences', {
  summary: 'Update your preferences',
  description:
    'Changes your preferences. Members that are left out stay as they are; unknown ones are refused.',
  tag: 'Users',
  body: Type.Object(
    {
      language: Type.Optional(Language),
      theme: Type.Optional(Theme),
      mail: Type.Optional(MailChange),
    },
    { additionalProperties: false },
  ),
  reply: Preferences,
})
