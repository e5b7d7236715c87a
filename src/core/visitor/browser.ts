/**
 * User agent classification for statistics: kind of device, browser and operating system, and which bot it is.
 * Coarse on purpose: it extracts nothing that could distinguish two clients of the same kind.
 */

export const devices = ['desktop', 'tablet', 'mobile', 'unknown'] as const
export const browsers = ['chrome', 'firefox', 'safari', 'edge', 'ie', 'opera', 'unknown'] as const
export const systems = ['windows', 'macos', 'linux', 'android', 'ios', 'unknown'] as const
/** Self-identifying bots; `unknown` is any other bot. */
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
  /** Null when the user agent does not name a bot. */
  readonly bot: (typeof bots)[number] | null
}

type Kinds<Kind extends string> = readonly (readonly [RegExp, Kind])[]

/** Characters of the user agent that are examined. */
const maxUserAgentLength = 512

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

/** Several browsers carry the names of others: the more specific pattern comes first. */
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

/** Returns the classification of a user agent. */
export function readBrowser(userAgent: string): Browser {
  const agent = userAgent.slice(0, maxUserAgentLength).toLowerCase()
  const find = <Kind extends string>(kinds: Kinds<Kind>) =>
    kinds.find(([pattern]) => pattern.test(agent))?.[1]
  const system = find(knownSystems) ?? 'unknown'
  return {
    device: deviceOf(agent, system),
    browser: find(knownBrowsers) ?? 'unknown',
    system,
    bot: find(knownBots) ?? null,
  }
}

function deviceOf(agent: string, system: Browser['system']): Browser['device'] {
  if (/ipad|tablet/.test(agent)) return 'tablet'
  if (/mobi|iphone|ipod/.test(agent)) return 'mobile'
  // Android without "mobile" is a tablet.
  if (system === 'android') return 'tablet'
  return system === 'unknown' ? 'unknown' : 'desktop'
}
