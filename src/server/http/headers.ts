/**
 * Security headers of every answer: no content sniffing, no shared window openers and, where the installation is
 * reached by https, strict transport security. HTML pages have a permissions policy too.
 *
 * Routes add their own. Answers without caching headers of their own, as those of the API and every error, are
 * `no-store`.
 */

export type ResponseHeaders = Readonly<Record<string, string>>

/** Sent with every answer, whichever code sends it. */
export const defaultHeaders: ResponseHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

/**
 * Sent with every HTML page: what its scripts may ask of a browser. Pages copy text, and play videos in full screen;
 * all else that a browser asks its user for, or that tells about the device, is off for them and their frames.
 */
export const permissionsPolicy: ResponseHeaders = {
  'permissions-policy': [
    ...['clipboard-write', 'fullscreen', 'picture-in-picture'].map((feature) => `${feature}=(self)`),
    ...[
      'accelerometer',
      'camera',
      'display-capture',
      'geolocation',
      'gyroscope',
      'hid',
      'magnetometer',
      'microphone',
      'midi',
      'payment',
      'screen-wake-lock',
      'serial',
      'usb',
      'xr-spatial-tracking',
    ].map((feature) => `${feature}=()`),
  ].join(', '),
}

/** Sent with answers that no browser or proxy may cache. */
export const noStore: ResponseHeaders = { 'cache-control': 'no-store' }

/** Returns strict transport security for an installation that is reached by https, and nothing for others. */
export function transportSecurity(base: string): ResponseHeaders {
  return base.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
}
