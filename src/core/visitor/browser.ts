/**
 * What a browser says of itself, as far as it is counted: the kind of device, of browser and of system, and which
 * program it is when it is one. Nothing by which two of a kind could be told apart.
 */

export const devices = ['desktop', 'tablet', 'mobile', 'unknown'] as const
export const browsers = ['chrome', 'firefox', 'safari', 'edge', 'ie', 'opera', 'unknown'] as const
export const systems = ['windows', 'macos', 'linux', 'android', 'ios', 'unknown'] as const
/** Programs that say what they are; `unknown` is one that is none of these. */
export const bots = [
  'unknown',
  'googlebot',
  'bingbot',
  'duckduckbot',
  'facebookbot',
  'applebot',
  'chatgpt',
  'anthropic',
] as const

export interface Browser {
  readonly device: (typeof devices)[number]
  readonly browser: (typeof browsers)[number]
  readonly system: (typeof systems)[number]
  /** Null for a person, as far as is said. */
  readonly bot: (typeof bots)[number] | null
}

type Kinds<Kind extends string> = readonly (readonly [RegExp, Kind])[]

/** Characters that are looked at. */
const mostRead = 512

const knownBots: Kinds<(typeof bots)[number]> = [
  [/googlebot/, 'googlebot'],
  [/bingbot/, 'bingbot'],
  [/duckduckbot|duckassist/, 'duckduckbot'],
  [/facebookexternalhit|facebot|meta-external/, 'facebookbot'],
  [/applebot/, 'applebot'],
  [/chatgpt|gptbot|oai-searchbot/, 'chatgpt'],
  [/anthropic|claude/, 'anthropic'],
  [/bot|crawl|spider|preview|monitor|curl|wget|python|headless/, 'unknown'],
]

/** Of those that say several of these names, the one that only they say comes first. */
const knownBrowsers: Kinds<Browser['browser']> = [
  [/edga?\/|edgios\//, 'edge'],
  [/opr\/|opera/, 'opera'],
  [/firefox\/|fxios\//, 'firefox'],
  [/chrome\/|crios\//, 'chrome'],
  [/safari\//, 'safari'],
  [/msie |trident\//, 'ie'],
]

const knownSystems: Kinds<Browser['system']> = [
  [/android/, 'android'],
  [/iphone|ipad|ipod/, 'ios'],
  [/windows/, 'windows'],
  [/mac os x|macintosh/, 'macos'],
  [/linux|x11|cros/, 'linux'],
]

/** Returns what is counted of a browser by what it says it is. */
export function readBrowser(userAgent: string): Browser {
  const said = userAgent.slice(0, mostRead).toLowerCase()
  const find = <Kind extends string>(kinds: Kinds<Kind>) => kinds.find(([pattern]) => pattern.test(said))?.[1]
  const system = find(knownSystems) ?? 'unknown'
  return {
    device: deviceOf(said, system),
    browser: find(knownBrowsers) ?? 'unknown',
    system,
    bot: find(knownBots) ?? null,
  }
}

function deviceOf(said: string, system: Browser['system']): Browser['device'] {
  if (/ipad|tablet/.test(said)) return 'tablet'
  if (/mobi|iphone|ipod/.test(said)) return 'mobile'
  // A system of phones that does not say it is on one.
  if (system === 'android') return 'tablet'
  return system === 'unknown' ? 'unknown' : 'desktop'
}
