/** Custom formats of settings, for what a pattern cannot check: each with a description for the error message. */
import ipaddr from 'ipaddr.js'

interface Format {
  readonly allowed: string
  test(text: string): boolean
}

const isEmail = (text: string): boolean => /^[^\s@<>]+@[^\s@<>]+$/.test(text)

/** Returns whether the text is a URL with one of these schemes and a host. */
function isUrl(text: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return schemes.includes(protocol) && text.startsWith(`${protocol}//`) && hostname !== ''
}

/** Formats by the names in the settings schema. */
export const formats = {
  web: {
    allowed: 'an address that begins with "http://" or "https://"',
    test: (text) => isUrl(text, ['http:', 'https:']) && !/[?#\s]/.test(text),
  },
  bucket: {
    allowed: 'an address that begins with "s3://" and names a bucket',
    test: (text) => isUrl(text, ['s3:']),
  },
  backup: {
    allowed: 'a folder, or an address that begins with "s3://" and names a bucket',
    test: (text) => !text.includes('://') || isUrl(text, ['s3:']),
  },
  mailServer: {
    allowed: 'an address that begins with "smtp://" or "smtps://"',
    test: (text) => isUrl(text, ['smtp:', 'smtps:']),
  },
  provider: {
    allowed: 'an address that begins with "https://", or with "http://" on this machine',
    test: (text) =>
      isUrl(text, ['https:']) ||
      (isUrl(text, ['http:']) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(text).hostname)),
  },
  domain: {
    allowed: 'a domain in small letters, such as "docs.example.com"',
    test: (text) => text.split('.').every((part) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(part)),
  },
  email: { allowed: 'an e-mail address', test: isEmail },
  sender: {
    allowed: 'an e-mail address, or one in angle brackets behind a name',
    test: (text) => isEmail(text) || isEmail(/^[^<>]*<([^<>]*)>$/.exec(text)?.[1] ?? ''),
  },
  networks: {
    allowed: 'addresses or networks with commas between, such as "10.0.0.0/8, ::1"',
    test: (text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .every((one) => ipaddr.isValid(one) || ipaddr.isValidCIDR(one)),
  },
} satisfies Record<string, Format>
