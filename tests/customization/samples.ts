/** Site settings for tests, as clients write them. */
import type { CustomizationInput } from '../../src/contract/customization.js'

const same = (colour: string) => ({ light: colour, dark: colour })

/** The settings as the older generation of clients writes them, without newer members. */
export const plainCustomization: CustomizationInput = {
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
  themes: { default: 'light', toggeable: true },
  pdf: { enabled: true },
  feedback: { enabled: false },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: true },
  git: { showEditLink: false },
  pageActions: { externalAI: true, markdown: true, mcp: true },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: true },
}

/** Settings that all differ from the defaults; except images, which are on other hosts. */
export function chosenCustomization(space: string): CustomizationInput {
  const link = (title: string) => ({ title, to: { kind: 'url', url: 'https://elsewhere.test/' } })
  return {
    ...plainCustomization,
    title: 'The handbook',
    styling: {
      ...plainCustomization.styling,
      theme: 'gradient',
      primaryColor: { light: '#534AB7', dark: '#B2A5FF' },
      tint: { color: same('#0a7d4f') },
      infoColor: same('#534AB7'),
      corners: 'circular',
      depth: 'flat',
      links: 'accent',
      font: 'Poppins',
      headingFont: 'Lato',
      monospaceFont: 'FiraCode',
      background: 'match',
      icons: 'duotone',
      sidebar: { background: 'filled', list: 'pill' },
      search: 'prominent',
    },
    favicon: { emoji: '🚀' },
    header: {
      preset: 'bold',
      links: [
        { title: 'View as', to: null, links: [link('New user'), link('Partner')] },
        { ...link('Sign in'), style: 'button-secondary', links: [] },
        { title: 'Guide', style: 'button-primary', to: { kind: 'space', space }, links: [] },
      ],
    },
    footer: {
      groups: [{ title: 'Products', links: [link('Payments'), link('Identity')] }],
      copyright: '© Acme',
    },
    announcement: { enabled: true, message: 'Version 2 is out', style: 'info', link: link('Read more') },
    themes: { default: 'system', toggeable: true },
    privacyPolicy: { url: 'https://elsewhere.test/privacy' },
    socialAccounts: [{ platform: 'github', handle: 'acme', display: { footer: true, header: true } }],
    externalLinks: { target: 'blank' },
  }
}
