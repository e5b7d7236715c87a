/** How a published site looks: every setting, with its default. */
import Type, { type Static } from 'typebox'
import { Url, Words, shape } from './shapes.js'

const Colour = Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })
const ThemedColour = Type.Object({ light: Colour, dark: Colour })
const ThemedCode = Type.Object({ light: Type.String(), dark: Type.String() })
const Enabled = Type.Object({ enabled: Type.Boolean() })

export const SiteCustomization = shape(
  'SiteCustomizationSettings',
  Type.Object({
    title: Type.Optional(Type.String({ minLength: 2, maxLength: 128 })),
    styling: Type.Object({
      theme: Words(['clean', 'muted', 'bold', 'gradient']),
      primaryColor: ThemedColour,
      tint: Type.Optional(Type.Object({ color: ThemedColour })),
      infoColor: ThemedColour,
      successColor: ThemedColour,
      warningColor: ThemedColour,
      dangerColor: ThemedColour,
      corners: Words(['straight', 'rounded', 'circular']),
      depth: Words(['subtle', 'flat']),
      links: Words(['default', 'accent']),
      font: Type.String({ maxLength: 50 }),
      monospaceFont: Type.String({ maxLength: 50 }),
      background: Words(['plain', 'match']),
      icons: Words(['regular', 'solid', 'duotone', 'light', 'thin']),
      sidebar: Type.Object({
        background: Words(['default', 'filled']),
        list: Words(['default', 'pill', 'line']),
      }),
      search: Words(['prominent', 'subtle']),
      codeTheme: Type.Object({ default: ThemedCode, openapi: ThemedCode }),
    }),
    internationalization: Type.Object({ locale: Type.String({ maxLength: 16 }) }),
    favicon: Type.Record(Type.String(), Type.Unknown()),
    header: Type.Object({
      preset: Words(['default', 'bold', 'contrast', 'custom', 'none']),
      links: Type.Array(Type.Unknown()),
    }),
    footer: Type.Object({
      groups: Type.Array(Type.Unknown()),
      copyright: Type.Optional(Type.String({ maxLength: 300 })),
    }),
    themes: Type.Object({ default: Words(['light', 'dark']), toggeable: Type.Boolean() }),
    pdf: Enabled,
    feedback: Enabled,
    ai: Type.Object({ mode: Words(['none', 'search', 'assistant']) }),
    advancedCustomization: Enabled,
    git: Type.Object({ showEditLink: Type.Boolean() }),
    pageActions: Type.Object({
      externalAI: Type.Boolean(),
      markdown: Type.Boolean(),
      mcp: Type.Boolean(),
      /** The same as a list, in the order of the menu. */
      items: Type.Array(Words(['external-ai', 'markdown', 'mcp'])),
    }),
    externalLinks: Type.Object({ target: Words(['self', 'blank']) }),
    pagination: Enabled,
    trademark: Enabled,
    privacyPolicy: Type.Object({ url: Type.Optional(Url) }),
    socialAccounts: Type.Array(Type.Unknown()),
    socialPreview: Type.Record(Type.String(), Type.Unknown()),
    insights: Type.Object({ trackingCookie: Type.Boolean() }),
  }),
)
export type SiteCustomization = Static<typeof SiteCustomization>

/** What a site keeps: unlike on the wire, the theme may be left to the reader's system. */
export type Customization = Omit<SiteCustomization, 'themes'> & {
  readonly themes: { readonly default: 'light' | 'dark' | 'system'; readonly toggeable: boolean }
}

const plainCode = { light: 'default-light', dark: 'default-dark' }
const same = (colour: string) => ({ light: colour, dark: colour })

export const defaultCustomization: Customization = {
  styling: {
    theme: 'clean',
    primaryColor: same('#346DDB'),
    infoColor: same('#787878'),
    successColor: same('#00C950'),
    warningColor: same('#FE9A00'),
    dangerColor: same('#FB2C36'),
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'IBMPlexMono',
    background: 'plain',
    icons: 'regular',
    sidebar: { background: 'default', list: 'default' },
    search: 'subtle',
    codeTheme: { default: plainCode, openapi: plainCode },
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'system', toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: true, markdown: true, mcp: true, items: ['external-ai', 'markdown', 'mcp'] },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  socialAccounts: [],
  socialPreview: {},
  insights: { trackingCookie: true },
}
