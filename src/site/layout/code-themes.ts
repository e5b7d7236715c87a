/**
 * Code themes: syntax colours of the well-known themes that a site can choose, reduced to few kinds of tokens. Colours
 * without enough contrast to their background are adjusted until they have it.
 */
import type { Customization } from '../../contract/customization.js'
import { formatColor, mix, parseColor, withContrast } from './palette.js'

type CodeThemes = Customization['styling']['codeTheme']
type ThemedCode = CodeThemes['default']

/** In this order: background, text, comment, keyword, string, number, title, attribute, type. */
const themes: Readonly<Record<string, string>> = {
  'monochrome-light': 'f7f7f7 1f1f1f 6b6b6b 000000 3d3d3d 3d3d3d 000000 4a4a4a 2b2b2b',
  'monochrome-dark': '191919 e6e6e6 9a9a9a ffffff c4c4c4 c4c4c4 ffffff b4b4b4 d8d8d8',
  andromeeda: '23262e d5ced9 a0a1a7 c74ded 96e072 f39c12 ffe66d 00e8c6 ffe66d',
  'aurora-x': '07090f bbbbbb 546e7a c792ea 8dd39e f78c6c 82aaff b4a9ff ffcb6b',
  'ayu-dark': '0b0e14 bfbdb6 acb6bf ff8f40 aad94c d2a6ff ffb454 39bae6 59c2ff',
  'catppuccin-frappe': '303446 c6d0f5 949cbb ca9ee6 a6d189 ef9f76 8caaee e5c890 e5c890',
  'catppuccin-latte': 'eff1f5 4c4f69 7c7f93 8839ef 40a02b fe640b 1e66f5 df8e1d df8e1d',
  'catppuccin-macchiato': '24273a cad3f5 939ab7 c6a0f6 a6da95 f5a97f 8aadf4 eed49f eed49f',
  'catppuccin-mocha': '1e1e2e cdd6f4 9399b2 cba6f7 a6e3a1 fab387 89b4fa f9e2af f9e2af',
  'dark-plus': '1e1e1e d4d4d4 6a9955 c586c0 ce9178 b5cea8 dcdcaa 9cdcfe 4ec9b0',
  dracula: '282a36 f8f8f2 6272a4 ff79c6 f1fa8c bd93f9 50fa7b 50fa7b 8be9fd',
  'dracula-soft': '282a36 f6f6f4 7b7f8b f286c4 e7ee98 bf9eee 62e884 62e884 97e1f1',
  'everforest-dark': '2d353b d3c6aa 859289 e67e80 a7c080 d699b6 a7c080 83c092 dbbc7f',
  'everforest-light': 'fdf6e3 5c6a72 939f91 f85552 8da101 df69ba 8da101 35a77c dfa000',
  'github-dark': '24292e e1e4e8 6a737d f97583 9ecbff 79b8ff b392f0 79b8ff b392f0',
  'github-dark-default': '0d1117 e6edf3 8b949e ff7b72 a5d6ff 79c0ff d2a8ff 79c0ff ffa657',
  'github-dark-dimmed': '22272e adbac7 768390 f47067 96d0ff 6cb6ff dcbdfb 6cb6ff f69d50',
  'github-dark-high-contrast': '0a0c10 f0f3f6 bdc4cc ff9492 addcff 91cbff dbb7ff 91cbff ffb757',
  'github-light': 'ffffff 24292e 6a737d d73a49 032f62 005cc5 6f42c1 005cc5 6f42c1',
  'github-light-default': 'ffffff 1f2328 6e7781 cf222e 0a3069 0550ae 8250df 0550ae 953800',
  'github-light-high-contrast': 'ffffff 0e1116 66707b a0111f 032563 023b95 622cbc 023b95 702c00',
  'gruvbox-dark-hard': '1d2021 ebdbb2 928374 fb4934 b8bb26 d3869b b8bb26 83a598 fabd2f',
  'gruvbox-dark-medium': '282828 ebdbb2 928374 fb4934 b8bb26 d3869b b8bb26 83a598 fabd2f',
  'gruvbox-dark-soft': '32302f ebdbb2 928374 fb4934 b8bb26 d3869b b8bb26 83a598 fabd2f',
  'gruvbox-light-hard': 'f9f5d7 3c3836 928374 9d0006 79740e 8f3f71 79740e 076678 b57614',
  'gruvbox-light-medium': 'fbf1c7 3c3836 928374 9d0006 79740e 8f3f71 79740e 076678 b57614',
  'gruvbox-light-soft': 'f2e5bc 3c3836 928374 9d0006 79740e 8f3f71 79740e 076678 b57614',
  houston: '17191e eef0f9 858b98 54b9ff ffd493 ffd493 00daef 4bf3c8 acafff',
  'kanagawa-dragon': '181616 c5c9c5 737c73 8992a7 8a9a7b a292a3 8ba4b0 c4b28a 8ea4a2',
  'kanagawa-lotus': 'f2ecbc 545464 716e61 624c83 6f894e b35b79 4d699b 77713f 597b75',
  'kanagawa-wave': '1f1f28 dcd7ba 727169 957fb8 98bb6c d27e99 7e9cd8 e6c384 7aa89f',
  laserwave: '27212e ffffff 91889b 40b4c4 b4dce7 b381c5 eb64b9 74dfc4 ffe261',
  'light-plus': 'ffffff 000000 008000 af00db a31515 098658 795e26 0070c1 267f99',
  'material-theme': '263238 eeffff 546e7a c792ea c3e88d f78c6c 82aaff ffcb6b ffcb6b',
  'material-theme-darker': '212121 eeffff 545454 c792ea c3e88d f78c6c 82aaff ffcb6b ffcb6b',
  'material-theme-lighter': 'fafafa 90a4ae 90a4ae 9c3eda 91b859 f76d47 6182b8 e2931d e2931d',
  'material-theme-ocean': '0f111a babed8 464b5d c792ea c3e88d f78c6c 82aaff ffcb6b ffcb6b',
  'material-theme-palenight': '292d3e babed8 676e95 c792ea c3e88d f78c6c 82aaff ffcb6b ffcb6b',
  'min-dark': '1f1f1f b392f0 6b737c f97583 ffab70 f8f8f8 b392f0 79b8ff 79b8ff',
  'min-light': 'ffffff 24292e c2c3c5 d32f2f 22863a 1976d2 6f42c1 1976d2 6f42c1',
  monokai: '272822 f8f8f2 88846f f92672 e6db74 ae81ff a6e22e a6e22e 66d9ef',
  'night-owl': '011627 d6deeb 637777 c792ea ecc48d f78c6c 82aaff addb67 ffcb8b',
  nord: '2e3440 d8dee9 616e88 81a1c1 a3be8c b48ead 88c0d0 8fbcbb 8fbcbb',
  'one-dark-pro': '282c34 abb2bf 7f848e c678dd 98c379 d19a66 61afef e06c75 e5c07b',
  'one-light': 'fafafa 383a42 a0a1a7 a626a4 50a14f 986801 4078f2 e45649 c18401',
  plastic: '21252b a9b2c3 5f6672 e06c75 98c379 d19a66 b57edc 56b6c2 61afef',
  poimandres: '1b1e28 a6accd 767c9d 5de4c7 5de4c7 5de4c7 add7ff 91b4d5 d0679d',
  red: '390000 f8f8f8 e7c0c0 f12727 cd8d8d 994646 ffb454 fb9a4b 9df39f',
  'rose-pine': '191724 e0def4 6e6a86 31748f f6c177 ebbcba ebbcba c4a7e7 9ccfd8',
  'rose-pine-dawn': 'faf4ed 575279 9893a5 286983 ea9d34 d7827e d7827e 907aa9 56949f',
  'rose-pine-moon': '232136 e0def4 6e6a86 3e8fb0 f6c177 ea9a97 ea9a97 c4a7e7 9ccfd8',
  'slack-dark': '222222 e6e6e6 6a9955 569cd6 ce9178 b5cea8 dcdcaa 9cdcfe 4ec9b0',
  'slack-ochin': 'ffffff 002339 357b42 7b30d0 a44185 174781 7eb233 b1108e 0444ac',
  'snazzy-light': 'fafbfc 565869 adb1c2 f767bb cf9c00 2dae58 09a1ed ff5c57 2dae58',
  'solarized-dark': '002b36 839496 586e75 859900 2aa198 d33682 268bd2 93a1a1 cb4b16',
  'solarized-light': 'fdf6e3 657b83 93a1a1 859900 2aa198 d33682 268bd2 93a1a1 cb4b16',
  'synthwave-84': '262335 ffffff 848bbd fede5d ff8b39 f97e72 36f9f6 ff7edb fe4450',
  'tokyo-night': '1a1b26 a9b1d6 51597d bb9af7 9ece6a ff9e64 7aa2f7 73daca 0db9d7',
  vesper: '101010 ffffff 8b8b8b a0a0a0 99ffe4 ffc799 ffc799 ffc799 ffc799',
  'vitesse-black': '000000 dbd7ca 758575 4d9375 c98a7d 4c9a91 80a665 bd976a 5da994',
  'vitesse-dark': '121212 dbd7ca 758575 4d9375 c98a7d 4c9a91 80a665 bd976a 5da994',
  'vitesse-light': 'ffffff 393a34 a0ada0 1e754f b56959 2f798a 59873a b07d48 2e8f82',
}

/** Defaults of the style sheet, in the same order from comment on. */
const defaultColors = {
  light: '5d6675 8a2fb0 17693b a04209 1c57b8 0d6472 8a5300',
  dark: '8f98a8 d6a5f5 8fd6a4 f0b37e 8ebcff 7fd1dc efcb7a',
} as const

/** Classes of each kind of token. */
const kinds = [
  '.hljs-comment,.hljs-quote,.hljs-meta',
  '.hljs-keyword,.hljs-selector-tag,.hljs-doctag,.hljs-section',
  '.hljs-string,.hljs-regexp,.hljs-selector-attr',
  '.hljs-number,.hljs-literal,.hljs-symbol,.hljs-bullet,.hljs-link',
  '.hljs-title,.hljs-name,.hljs-selector-id,.hljs-selector-class',
  '.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-template-variable,.hljs-property',
  '.hljs-built_in,.hljs-type,.hljs-title.class_',
]

interface CodePalette {
  readonly page: string
  readonly bar: string
  readonly line: string
  readonly ink: string
  readonly soft: string
  /** In the order of `kinds`. */
  readonly words: readonly string[]
}

function codePaletteOf(name: string, mode: 'light' | 'dark'): CodePalette {
  const theme = Object.hasOwn(themes, name) ? themes[name]! : undefined
  if (theme === undefined) {
    const words = defaultColors[mode].split(' ').map((color) => `#${color}`)
    return {
      page: 'var(--soft)',
      bar: 'var(--soft-2)',
      line: 'var(--line)',
      ink: 'var(--ink)',
      soft: 'var(--ink-soft)',
      words,
    }
  }
  const [page, text, ...colors] = theme.split(' ').map((color) => parseColor(`#${color}`)!)
  const bar = mix(page!, text!, 0.08)
  // Highlighted lines have a shaded background.
  const on = (color: typeof bar) => formatColor(withContrast(color, [page!, bar]))
  return {
    page: formatColor(page!),
    bar: formatColor(bar),
    line: formatColor(mix(page!, text!, 0.18)),
    ink: on(text!),
    soft: on(colors[0]!),
    words: colors.map(on),
  }
}

function rulesOf({ light, dark }: ThemedCode, within: string): string {
  const [day, night] = [codePaletteOf(light, 'light'), codePaletteOf(dark, 'dark')]
  const both = (of: (look: CodePalette) => string) => {
    const [one, other] = [of(day), of(night)]
    return one === other ? one : `light-dark(${one},${other})`
  }
  const [page, line] = [both((look) => look.page), both((look) => look.line)]
  const [bar, ink, soft] = [both((look) => look.bar), both((look) => look.ink), both((look) => look.soft)]
  const code = `${within}.code`
  return [
    `${code} pre,${code} .code-tools{background:${page};border-color:${line};color:${ink}}`,
    `${code} :is(figcaption,summary){background:${bar};border-color:${line};color:${soft}}`,
    `${code} .code-title{color:${ink}}`,
    `${code} :is(.copy,.wrap-lines,.line)::before,${code} :is(.copy,.wrap-lines){color:${soft}}`,
    ...kinds.map((kind, at) => `${code} :is(${kind}){color:${both(({ words }) => words[at]!)}}`),
  ].join('')
}

const isKnown = ({ light, dark }: ThemedCode): boolean =>
  [light, dark].some((name) => Object.hasOwn(themes, name))

/** Returns the CSS rules of the code themes of a site; empty for the default colours. */
export function codeThemeRules({ default: defaultTheme, openapi }: CodeThemes): string {
  const isSame = defaultTheme.light === openapi.light && defaultTheme.dark === openapi.dark
  return [
    isKnown(defaultTheme) ? rulesOf(defaultTheme, '') : '',
    !isSame && (isKnown(openapi) || isKnown(defaultTheme)) ? rulesOf(openapi, '.openapi ') : '',
  ].join('')
}
