import { describe, expect, test } from 'vitest'
import { createReach } from './reach.js'

const reaches = createReach()

test.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'])(
  '%s is public',
  (address) => {
    expect(reaches(address)).toBe(true)
  },
)

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '169.254.1.1',
  '168.63.129.16',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '0.0.0.0',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  '100::1',
  'not an address',
  '',
])('%s is not', (address) => {
  expect(reaches(address)).toBe(false)
})

describe('networks that are opened', () => {
  const opened = createReach('10.1.0.0/16, fd00::/8 ,127.0.0.1,169.254.0.0/16')

  test.each(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '127.0.0.1', '93.184.216.34'])(
    '%s is reached',
    (address) => {
      expect(opened(address)).toBe(true)
    },
  )

  test.each(['10.2.0.1', '127.0.0.2', '::1', '192.168.0.1', 'fc00::1'])('%s stays closed', (address) => {
    expect(opened(address)).toBe(false)
  })

  test.each(['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', 'fd00:ec2:0:0::254'])(
    'the keys at %s stay closed whatever is opened',
    (address) => {
      expect(opened(address)).toBe(false)
    },
  )
})
