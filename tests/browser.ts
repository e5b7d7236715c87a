/**
 * Browsers that tests use, where Debian's packages put them (`chromium`, `firefox-esr`, `webkit2gtk-driver` and `xvfb`);
 * tests that need one are skipped where there is none.
 */
import { existsSync, readdirSync } from 'node:fs'

export const browserPath = process.env['OCTAVO_TEST_BROWSER'] ?? '/usr/bin/chromium'

export const firefoxPath = '/usr/bin/firefox-esr'

/** WebKitGTK: its WebDriver server, its smallest browser, and the display that this needs. */
export const webkit = {
  driver: '/usr/bin/WebKitWebDriver',
  browser: findMiniBrowser(),
  display: '/usr/bin/Xvfb',
}

function findMiniBrowser(): string {
  const library = '/usr/lib'
  const folders = existsSync(library)
    ? readdirSync(library).filter((name) => name.endsWith('-linux-gnu'))
    : []
  const paths = folders.map((name) => `${library}/${name}/webkit2gtk-4.1/MiniBrowser`)
  return paths.find((path) => existsSync(path)) ?? 'MiniBrowser'
}
