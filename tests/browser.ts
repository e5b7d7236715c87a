/** Path of the browser that tests use; tests that need one are skipped where there is none. */
export const browserPath = process.env['OCTAVO_TEST_BROWSER'] ?? '/usr/bin/chromium'
