/** Where the browser is that tests look at pages in; those of them that need one are skipped where it is not. */
export const browserPath = process.env['OCTAVO_TEST_BROWSER'] ?? '/usr/bin/chromium'
