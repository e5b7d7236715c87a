/**
 * Site customization: every setting of a published site's appearance, with its default, and the endpoints that read and
 * change them. A space of a site stores only the settings that override those of the site.
 */
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { endpoint } from './endpoint.js'
import { ContentRef } from './pages.js'
import { Timestamp, Url, Words, WordsOrNull, shape } from './shapes.js'

const Colour = Type.String({
  pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$',
  description: '"#" and three or six hexadecimal digits.',
  examples: ['#346DDB'],
})
const ThemedColour = Type.Object({ light: Colour, dark: Colour })
const ThemedUrl = Type.Object({ light: Url, dark: Url })
const Enabled = Type.Object({ enabled: Type.Boolean() })
const Reference = Type.Unsafe<Reference>(ContentRef)

/** Target of a link; the kind determines which members are present. */
export interface Reference {
  readonly kind: string
  readonly url?: string
  readonly space?: string
  readonly page?: string
  readonly anchor?: string
  readonly file?: string
}

/** A text by language. */
const Localized = (maxLength: number) =>
  Type.Optional(
    Type.Record(Type.String({ maxLength: 35 }), Type.String({ maxLength }), { maxProperties: 20 }),
  )

export const fonts = [
  'ABCFavorit',
  'Inter',
  'Roboto',
  'RobotoSlab',
  'OpenSans',
  'SourceSansPro',
  'Lato',
  'Ubuntu',
  'Raleway',
  'Merriweather',
  'Overpass',
  'NotoSans',
  'IBMPlexSerif',
  'Poppins',
  'FiraSans',
] as const
export const monospaceFonts = [
  'FiraCode',
  'IBMPlexMono',
  'JetBrainsMono',
  'SourceCodePro',
  'RobotoMono',
  'SpaceMono',
  'DMMono',
  'Inconsolata',
] as const
export type FontName = (typeof fonts)[number] | (typeof monospaceFonts)[number]

const locales = [
  ...(['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'] as const),
  ...(['ar', 'he', 'ko', 'pt'] as const),
] as const
const socialPlatforms = [
  ...(['twitter', 'instagram', 'facebook', 'linkedin', 'github', 'discord', 'slack'] as const),
  ...(['youtube', 'tiktok', 'reddit', 'bluesky', 'mastodon', 'threads', 'medium'] as const),
] as const
export type SocialPlatform = (typeof socialPlatforms)[number]
const pageActions = ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] as const
export type PageActionName = (typeof pageActions)[number]

export interface FontDefinition {
  readonly id: string
  readonly custom: boolean
  readonly fontFamily: string
  readonly fontFaces: readonly {
    readonly weight: number
    readonly sources: readonly { readonly url: string; readonly format?: 'woff2' | 'woff' }[]
  }[]
}

const FontDefinition = Type.Object({
  id: Type.String({ maxLength: 64 }),
  custom: Type.Boolean(),
  fontFamily: Type.String({ minLength: 1, maxLength: 50 }),
  fontFaces: Type.Array(
    Type.Object({
      weight: Type.Integer({ minimum: 1, maximum: 1000 }),
      sources: Type.Array(
        Type.Object({ url: Url, format: Type.Optional(Words(['woff2', 'woff'] as const)) }),
        { minItems: 1, maxItems: 4 },
      ),
    }),
    { minItems: 1, maxItems: 20 },
  ),
})

/** A built-in font by name, or the site's own font files. */
function Font<const Names extends readonly string[]>(names: Names) {
  return Type.Unsafe<Names[number] | FontDefinition>({
    anyOf: [{ type: 'string', enum: [...names] }, FontDefinition],
    description: 'The name of a built-in font, or a definition with font files.',
  })
}

const Favicon = Type.Object({
  icon: Type.Optional(ThemedUrl),
  emoji: Type.Optional(Type.String({ maxLength: 50 })),
})

const ContentLink = Type.Object({
  title: Type.String({ maxLength: 64 }),
  localizedTitle: Localized(64),
  to: Reference,
})
export type ContentLink = Static<typeof ContentLink>

const HeaderLink = Type.Object({
  title: Type.String({ maxLength: 128 }),
  localizedTitle: Localized(128),
  style: Type.Optional(Words(['link', 'button-primary', 'button-secondary'] as const)),
  to: Type.Unsafe<Reference | null>({ ...ContentRef, title: undefined, type: ['object', 'null'] }),
  links: Type.Array(ContentLink, { maxItems: 30 }),
  condition: Type.Optional(Type.String({ maxLength: 1024 })),
})
export type HeaderLink = Static<typeof HeaderLink>

const CodeTheme = Type.String({ minLength: 1, maxLength: 64 })
const ThemedCode = Type.Object({ light: CodeTheme, dark: CodeTheme })

const styling = {
  theme: Words(['clean', 'muted', 'bold', 'gradient'] as const),
  primaryColor: ThemedColour,
  tint: Type.Optional(Type.Object({ color: ThemedColour })),
  infoColor: ThemedColour,
  successColor: ThemedColour,
  warningColor: ThemedColour,
  dangerColor: ThemedColour,
  corners: Words(['straight', 'rounded', 'circular'] as const),
  depth: Words(['subtle', 'flat'] as const),
  links: Words(['default', 'accent'] as const),
  font: Font(fonts),
  headingFont: Type.Optional(Font(fonts)),
  monospaceFont: Font(monospaceFonts),
  background: Words(['plain', 'match'] as const),
  icons: Words(['regular', 'solid', 'duotone', 'light', 'thin'] as const),
  sidebar: Type.Object({
    background: Words(['default', 'filled'] as const),
    list: Words(['default', 'pill', 'line'] as const),
  }),
  search: Words(['prominent', 'subtle'] as const),
}
const CodeThemes = Type.Object({ default: ThemedCode, openapi: ThemedCode })
const PageActions = Type.Object({
  externalAI: Type.Boolean(),
  markdown: Type.Boolean(),
  mcp: Type.Boolean(),
  items: Type.Array(Words(pageActions), {
    maxItems: pageActions.length,
    description: 'The enabled actions in the order of the menu.',
  }),
})
const SocialAccounts = Type.Array(
  Type.Object({
    platform: Words(socialPlatforms),
    handle: Type.String({ minLength: 1, maxLength: 128 }),
    display: Type.Object({ footer: Type.Boolean(), header: Type.Boolean() }),
  }),
  { maxItems: 10 },
)

/** Members that both generations of clients write. */
const common = {
  title: Type.Optional(Type.String({ minLength: 2, maxLength: 128 })),
  localizedTitle: Localized(128),
  internationalization: Type.Object({ locale: Words(locales) }),
  favicon: Favicon,
  header: Type.Object({
    preset: Words(['default', 'bold', 'contrast', 'custom', 'none'] as const),
    logo: Type.Optional(ThemedUrl),
    primaryLink: Type.Optional(Reference),
    backgroundColor: Type.Optional(ThemedColour),
    linkColor: Type.Optional(ThemedColour),
    links: Type.Array(HeaderLink, { maxItems: 30 }),
  }),
  footer: Type.Object({
    logo: Type.Optional(ThemedUrl),
    groups: Type.Array(
      Type.Object({
        title: Type.String({ maxLength: 128 }),
        localizedTitle: Localized(128),
        links: Type.Array(ContentLink, { maxItems: 30 }),
      }),
      { maxItems: 20 },
    ),
    copyright: Type.Optional(Type.String({ maxLength: 512 })),
  }),
  announcement: Type.Optional(
    Type.Object({
      enabled: Type.Boolean(),
      message: Type.String({ minLength: 2, maxLength: 128 }),
      localizedMessage: Localized(128),
      link: Type.Optional(ContentLink),
      style: Words(['info', 'warning', 'danger', 'success'] as const),
    }),
  ),
  themes: Type.Object({
    default: Words(['light', 'dark', 'system'] as const),
    toggeable: Type.Boolean(),
  }),
  feedback: Enabled,
  ai: Type.Object({
    mode: Words(['none', 'search', 'assistant'] as const),
    greeting: Type.Optional(Type.String({ maxLength: 256 })),
    localizedGreeting: Localized(128),
    suggestions: Type.Optional(Type.Array(Type.String({ minLength: 3, maxLength: 64 }), { maxItems: 5 })),
    instructions: Type.Optional(Type.String({ maxLength: 10_000 })),
  }),
  advancedCustomization: Enabled,
  externalLinks: Type.Object({ target: Words(['self', 'blank'] as const) }),
  pagination: Enabled,
  trademark: Enabled,
  privacyPolicy: Type.Object({ url: Type.Optional(Url) }),
  socialPreview: Type.Object({ url: Type.Optional(Url) }),
  insights: Type.Object({ trackingCookie: Type.Boolean({ default: true }) }),
}
/** Members that only the older or only the newer generation writes. */
const EditLink = Type.Object({ showEditLink: Type.Boolean() })

const complete = {
  ...common,
  styling: Type.Object({ ...styling, codeTheme: CodeThemes }),
  pdf: Enabled,
  git: EditLink,
  pageActions: PageActions,
  socialAccounts: SocialAccounts,
}

export const SiteCustomization = shape(
  'SiteCustomizationSettings',
  Type.Object({ ...complete, updatedAt: Type.Optional(Timestamp) }),
)
export type SiteCustomization = Static<typeof SiteCustomization>

export const SiteSpaceCustomization = shape(
  'SiteSpaceCustomizationSettings',
  Type.Object({ ...SiteCustomization.properties, hasOverrides: Type.Boolean() }),
)

/** The settings as clients write them: complete, except for members that one of the two generations does not know. */
export const SiteCustomizationInput = Type.Object({
  ...common,
  styling: Type.Object({ ...styling, codeTheme: Type.Optional(CodeThemes) }),
  pdf: Type.Optional(Enabled),
  git: Type.Optional(EditLink),
  pageActions: Type.Partial(PageActions),
  socialAccounts: Type.Optional(SocialAccounts),
})
export type CustomizationInput = Static<typeof SiteCustomizationInput>

/** The stored settings of a site; unlike on the wire, unset fonts may be left to the reader's system. */
export type Customization = Omit<SiteCustomization, 'styling' | 'updatedAt'> & {
  readonly styling: Omit<SiteCustomization['styling'], 'font' | 'monospaceFont'> &
    Partial<Pick<SiteCustomization['styling'], 'font' | 'monospaceFont'>>
}

/** Groups of settings; each member can be overridden for a space of the site. */
const containers: ReadonlySet<string> = new Set([
  'styling',
  'styling.sidebar',
  'styling.codeTheme',
  'internationalization',
  'header',
  'footer',
  'themes',
  'pdf',
  'feedback',
  'ai',
  'advancedCustomization',
  'git',
  'externalLinks',
  'pagination',
  'trademark',
  'privacyPolicy',
  'socialPreview',
  'insights',
])

/** True for the path of a group of settings. */
export function holdsSettings(path: string): boolean {
  return containers.has(path)
}

/** Partial settings with the structure of the complete ones; null removes an override. */
export interface CustomizationOverride {
  readonly [name: string]: unknown
}

function overridable(properties: TProperties, above = ''): TProperties {
  const entries = Object.entries(properties).map(([name, schema]) => {
    const path = above + name
    const inner = (schema as { properties?: TProperties }).properties
    const own =
      containers.has(path) && inner !== undefined
        ? { ...schema, type: ['object', 'null'], properties: overridable(inner, `${path}.`), required: [] }
        : orNull(path === 'pageActions' ? Type.Partial(PageActions) : schema)
    return [name, Type.Optional(Type.Unsafe(own))] as const
  })
  return Object.fromEntries(entries)
}

function orNull(schema: TSchema): TSchema {
  const { type, anyOf, enum: words } = schema as { type?: string; anyOf?: object[]; enum?: string[] }
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  if (words !== undefined) return WordsOrNull(words)
  return { ...schema, type: [type, 'null'] } as TSchema
}

export const SiteSpaceOverride = Type.Unsafe<CustomizationOverride>(Type.Object(overridable(complete)))

const plainCode = { light: 'default-light', dark: 'default-dark' }
const same = (colour: string) => ({ light: colour, dark: colour })

/** Fonts that the API reports when none was chosen. */
export const defaultFonts = { font: 'Inter', monospaceFont: 'IBMPlexMono' } as const

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
  pageActions: {
    externalAI: true,
    markdown: true,
    mcp: true,
    items: ['external-ai', 'markdown', 'mcp', 'pdf'],
  },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  socialPreview: {},
  socialAccounts: [],
  insights: { trackingCookie: true },
}

const site = '/orgs/:organizationId/sites/:siteId'
const ofSite = `${site}/customization` as const
const ofSpace = `${site}/site-spaces/:siteSpaceId/customization` as const
const tag = 'Site customization'

export const getSiteCustomization = endpoint('getSiteCustomizationById', 'GET', ofSite, {
  summary: 'Get the customization of a site',
  description: 'Returns the settings of the appearance of the site.',
  tag,
  large: true,
  reply: SiteCustomization,
})

export const updateSiteCustomization = endpoint('updateSiteCustomizationById', 'PUT', ofSite, {
  summary: 'Update the customization of a site',
  description: 'Replaces all settings of the appearance of the site.',
  tag,
  body: SiteCustomizationInput,
  large: true,
  reply: SiteCustomization,
})

export const getSiteSpaceCustomization = endpoint('getSiteSpaceCustomizationById', 'GET', ofSpace, {
  summary: 'Get the customization of a site space',
  description: 'Returns the settings of the site with the overrides of this space.',
  tag,
  large: true,
  reply: SiteSpaceCustomization,
})

export const overrideSiteSpaceCustomization = endpoint(
  'overrideSiteSpaceCustomizationById',
  'PATCH',
  ofSpace,
  {
    summary: 'Override the customization of a site space',
    description: 'Sets settings for one space of the site. Null removes an override.',
    tag,
    body: SiteSpaceOverride,
    large: true,
    reply: SiteSpaceCustomization,
  },
)

export const deleteSiteSpaceCustomization = endpoint('deleteSiteSpaceCustomizationById', 'DELETE', ofSpace, {
  summary: 'Reset the customization of a site space',
  description: 'Removes all overrides of one space of the site.',
  tag,
  success: 205,
})
