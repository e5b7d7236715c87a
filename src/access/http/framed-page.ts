/**
 * Headers of HTML that the API returns for frames of the product's own pages: nothing in it runs or connects, and no
 * other site may frame it. It has the origin of the product, since fonts are loaded for their own origin alone.
 */
export const framedPageHeaders = {
  'content-security-policy': [
    'sandbox allow-same-origin',
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    "media-src 'self'",
    "font-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-robots-tag': 'noindex',
}
