/** How a published site looks: every setting, with its default. */
import Type, { type Static } from 'typebox'
import { Words, shape } from './shapes.js'

const Colour = Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })
const ThemedColour = Type.Object({ light: Colour, dark: Colour })
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
    themes: Type.Object({ default: Words(['light', 'dark', 'system']), toggeable: Type.Boolean() }),
    pdf: Enabled,
    feedback: Enabled,
    ai: Type.Object({ mode: Words(['none', 'search', 'assistant']) }),
    advancedCustomization: Enabled,
    git: Type.Object({ showEditLink: Type.Boolean() }),
    pageActions: Type.Object({ externalAI: Type.Boolean(), markdown: Type.Boolean(), mcp: Type.Boolean() }),
    externalLinks: Type.Object({ target: Words(['self', 'blank']) }),
    pagination: Enabled,
    trademark: Enabled,
    socialPreview: Type.Record(Type.String(), Type.Unknown()),
    insights: Type.Object({ trackingCookie: Type.Boolean() }),
  }),
)
export type SiteCustomization = Static<typeof SiteCustomization>

const same = (colour: string) => ({ light: colour, dark: colour })

export const defaultCustomization: SiteCustomization = {
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
  pageActions: { externalAI: true, markdown: true, mcp: true },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  socialPreview: {},
  insights: { trackingCookie: true },
}
