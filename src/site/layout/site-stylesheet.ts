/**
 * Custom style sheet of a site: colours, fonts, and the rules of its style options. It contains only the deviations from
 * the default; a site with the default look has no such sheet.
 *
 * The sheet is outside of all cascade layers, so its rules override those of the product.
 */
import { type Customization, defaultCustomization } from '../../contract/customization.js'
import { codeThemeRules } from './code-themes.js'
import { fontRules } from './fonts.js'
import { type Palette, type SitePalette, formatColor, paletteOf } from './palette.js'

type Styling = Customization['styling']

/** Returns the style sheet; `announcementKey` names the announcement that a reader can dismiss. Empty for the default look. */
export function siteStylesheet(customization: Customization, announcementKey: string | undefined): string {
  const { styling, header } = customization
  return [
    fontRules(styling),
    colorRules(customization),
    codeThemeRules(styling.codeTheme),
    ...styleOptions.filter(({ isMade }) => isMade(customization)).map(({ rules }) => rules),
    header.preset === 'none' ? noHeader : '',
    announcementKey === undefined ? '' : `:root[data-seen="${announcementKey}"] .announcement{display:none}`,
  ].join('')
}

const names = {
  page: 'page',
  raised: 'raised',
  soft: 'soft',
  soft2: 'soft-2',
  line: 'line',
  lineStrong: 'line-strong',
  ink: 'ink',
  inkStrong: 'ink-strong',
  inkSoft: 'ink-soft',
  primary: 'primary',
  onPrimary: 'on-primary',
  link: 'link',
  accentSoft: 'accent-soft',
  accentLine: 'accent-line',
} as const satisfies Partial<Record<keyof Palette, string>>

const meanings = ['info', 'success', 'warning', 'danger'] as const

/** Colour rules, if any colour is not the default. */
function colorRules(customization: Customization): string {
  const { styling, header } = customization
  const [light, dark] = [paletteOf(styling, header, 'light'), paletteOf(styling, header, 'dark')]
  if (colorSettingsOf(customization) === colorSettingsOf(defaultCustomization)) return ''
  const top =
    styling.theme === 'gradient'
      ? `body{background:linear-gradient(${both(light.top, dark.top)},var(--page) 36rem) no-repeat var(--page)}`
      : ''
  const ofHeader =
    light.header === undefined || dark.header === undefined
      ? ''
      : `.header{${paletteRules(light.header, dark.header)}background:var(--page);color:var(--ink);backdrop-filter:none}.header .menu-list{${paletteRules(light, dark)}color:var(--ink)}`
  return `:root{${paletteRules(light, dark)}${meaningRules(light, dark)}}${top}${ofHeader}`
}

/** Returns the settings that determine the colours of a site. */
function colorSettingsOf({ styling, header }: Customization): string {
  const { primaryColor, tint, infoColor, successColor, warningColor, dangerColor, theme, background } =
    styling
  const { preset, backgroundColor, linkColor } = header
  const colors = [primaryColor, tint, infoColor, successColor, warningColor, dangerColor]
  const ofHeader = preset === 'none' ? 'default' : preset
  return JSON.stringify([
    colors,
    theme,
    background,
    ofHeader,
    ...(preset === 'custom' ? [backgroundColor, linkColor] : []),
  ]).toLowerCase()
}

function both(light: SitePalette['page'], dark: SitePalette['page']): string {
  return `light-dark(${formatColor(light)},${formatColor(dark)})`
}

function paletteRules(light: Palette, dark: Palette): string {
  return Object.entries(names)
    .map(([member, name]) => {
      const of = member as keyof typeof names
      return `--${name}:${both(light[of], dark[of])};`
    })
    .join('')
}

function meaningRules(light: SitePalette, dark: SitePalette): string {
  const hues = Object.keys(light.hues) as (keyof SitePalette['hues'])[]
  return [
    ...meanings.flatMap((name) => [
      `--${name}:${both(light[name].ink, dark[name].ink)};`,
      `--${name}-wash:${both(light[name].wash, dark[name].wash)};`,
    ]),
    ...hues.map((name) => `--${name}:${both(light.hues[name], dark.hues[name])};`),
  ].join('')
}

interface StyleOption {
  isMade(customization: Customization): boolean
  readonly rules: string
}

const styled = (isMade: (styling: Styling) => boolean, rules: string): StyleOption => ({
  isMade: ({ styling }) => isMade(styling),
  rules,
})

/** Icons of authors. Those of the layout stay outlined in every style: a filled arrow is unreadable. */
const writersIcons =
  'symbol:not([id*=chevron],[id*=arrow],[id$=":x"],[id$=":check"],[id$=":menu"],[id$=":search"])'

const styleOptions: readonly StyleOption[] = [
  styled(({ icons }) => icons === 'light', 'symbol *{stroke-width:1.5}'),
  styled(({ icons }) => icons === 'thin', 'symbol *{stroke-width:1}'),
  styled(
    ({ icons }) => icons === 'duotone',
    `symbol *{stroke-width:1.75}${writersIcons} *{fill:currentcolor;fill-opacity:.2}`,
  ),
  styled(
    ({ icons }) => icons === 'solid',
    `symbol *{stroke-width:2.5}${writersIcons} *{fill:currentcolor;fill-opacity:.6}`,
  ),
  styled(
    ({ depth }) => depth === 'flat',
    ':root{--shadow:none;--shadow-high:0 0 0 1px var(--line-strong)}.header{backdrop-filter:none;background:var(--page)}.card:hover{box-shadow:none}',
  ),
  styled(
    ({ links }) => links === 'accent',
    '.body a:not([class]){color:var(--ink-strong);font-weight:550;text-decoration-color:var(--primary);text-decoration-thickness:2px}.body a:not([class]):hover{color:var(--link)}',
  ),
  styled(
    ({ sidebar }) => sidebar.background === 'filled',
    '@media(min-width:64.01rem){.page>.navigation{margin-block:1.25rem;padding:1.25rem .75rem;border-radius:var(--radius);background:var(--soft);max-height:calc(100vh - var(--header) - var(--sections) - 2.5rem);top:calc(var(--header) + var(--sections) + 1.25rem)}}',
  ),
  styled(
    ({ sidebar }) => sidebar.list === 'pill',
    '.navigation a{border-radius:99rem;padding-inline:.85rem}.navigation a[aria-current]{background:var(--primary);color:var(--on-primary)}',
  ),
  styled(
    ({ sidebar }) => sidebar.list === 'line',
    '.navigation a{border-radius:0;border-inline-start:2px solid var(--line);padding-inline-start:.85rem}.navigation a:hover{background:none;border-color:var(--line-strong)}.navigation a[aria-current]{background:none;border-color:var(--primary)}.nav-branch>details>ul{border:0;margin:0;padding-inline-start:.85rem}',
  ),
  styled(
    ({ search }) => search === 'prominent',
    '@media(min-width:48.01rem){.search{flex:1 1 26rem;max-width:34rem;margin-inline:auto}.search input{height:2.625rem;border-color:var(--line-strong);background:var(--raised);font-size:1rem}}',
  ),
]

/** Search and menus are above the tree of pages; small screens keep the row that opens it. */
const noHeader =
  '.side-head{display:none}@media(min-width:64.01rem){:root:has(.side-head){--header:0rem;--sections:0rem}.header:has(~.with-navigation){display:none}.side-head{display:grid;gap:1rem;margin-bottom:1.25rem}.side-head .search{margin:0}.navigation .drawer-links,.side-head .drawer-links{display:grid}.side-head .brand{padding:0;border:0;background:none;color:var(--ink-strong)}.side-head .drawer-links{margin:0}}'
