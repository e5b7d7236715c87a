/**
 * SSRF protection: which IP addresses may be connected to for user-supplied hosts: the public internet, and the networks
 * that the operator allows. Pure; the client checks the address that it actually connects to.
 */
import ipaddr from 'ipaddr.js'

export type Reach = (address: string) => boolean

/** Cloud metadata services, which return credentials; never allowed. */
const metadata: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
])

/** Returns the check for these networks besides the public internet: `10.0.0.0/8, ::1`. */
export function createReach(networks = ''): Reach {
  const open = networks
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(parseNetwork)
  return (address) => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    if (metadata.has(parsed.toString())) return false
    return isPublic(parsed) || open.some(([network, bits]) => isWithin(parsed, network, bits))
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function parseNetwork(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function isWithin(address: Address, network: Address, bits: number): boolean {
  return address.kind() === network.kind() && address.match(network as never, bits)
}

/** Embedded IPv4 addresses are checked too. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  // `::/96` are IPv4 addresses in an obsolete notation, and `fec0::/10` is site-local: some libraries call both unicast.
  if (!(address instanceof ipaddr.IPv6)) return true
  return !address.match(ipaddr.IPv6.parse('::'), 96) && !address.match(ipaddr.IPv6.parse('fec0::'), 10)
}
