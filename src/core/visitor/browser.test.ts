import { expect, test } from 'vitest'
import { readBrowser } from './browser.js'

const of = (text: string) => Object.values(readBrowser(text)).join(' ')

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36',
    'desktop chrome windows ',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 Edg/131.0',
    'desktop edge windows ',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.6 Safari/605.1.15',
    'desktop safari macos ',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'desktop firefox linux '],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605 Version/17 Mobile/15E148 Safari/604.1',
    'mobile safari ios ',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605 CriOS/131 Mobile/15E148 Safari/604.1',
    'tablet chrome ios ',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36 OPR/86',
    'mobile opera android ',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 Chrome/131.0 Safari/537.36',
    'tablet chrome android ',
  ],
  ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'desktop ie windows '],
  [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'unknown unknown unknown googlebot',
  ],
  ['Mozilla/5.0 AppleWebKit/537.36 (compatible; GPTBot/1.2)', 'unknown unknown unknown chatgpt'],
  ['curl/8.5.0', 'unknown unknown unknown unknown'],
  ['', 'unknown unknown unknown '],
])('%s', (text, expected) => expect(of(text)).toBe(expected))
