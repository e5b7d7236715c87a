/** What a text in the settings must be, where a pattern does not tell: each form with a sentence for whoever wrote it. */
import ipaddr from 'ipaddr.js'

interface Format {
  readonly allowed: string
  test(text: string): boolean
}

const isEmail = (text: string): boolean => /^[^\s@<>]+@[^\s@<>]+$/.test(text)

/** Whether the text is an address by one of these schemes that names a host. */
function names(text: string, schemes: readonly string[]): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return schemes.includes(protocol) && text.startsWith(`${protocol}//`) && hostname !== ''
}

/** By the names that the settings use. */
export const formats = {
  web: {
    allowed: 'an address that begins with "http://" or "https://"',
    test: (text) => names(text, ['http:', 'https:']) && !/[?#\s]/.test(text),
  },
  bucket: {
    allowed: 'an address that begins with "s3://" and names a bucket',
    test: (text) => names(text, ['s3:']),
  },
  mailServer: {
    allowed: 'an address that begins with "smtp://" or "smtps://"',
    test: (text) => names(text, ['smtp:', 'smtps:']),
  },
  provider: {
    allowed: 'an address that begins with "https://", or with "http://" on this machine',
    test: (text) =>
      names(text, ['https:']) ||
      (names(text, ['http:']) && ['localhost', '127.0.0.1', '[::1]'].includes(new URL(text).hostname)),
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
