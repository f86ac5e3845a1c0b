import { isIP } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forwardedAddresses, isLoopback, toNetwork, toSite } from './networks.ts'

describe('A caller', () => {
  test('of IPv6 is counted by the /64, one of IPv4 by the address', () => {
    expect(toNetwork('192.0.2.7')).toBe('192.0.2.7')
    expect(toNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(toNetwork('::ffff:c000:207')).toBe('192.0.2.7')
    expect(toNetwork('2001:db8:0:7::1')).toBe('2001:db8:0:7')
    expect(toNetwork('2001:db8::7:1:2:3:4')).toBe('2001:db8:0:7')
    expect(toNetwork('2001:0DB8:0000:0007:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:7')
    expect(toNetwork('::1')).toBe('0:0:0:0')
    expect(toNetwork('fe80::1%eth0.100')).toBe('fe80:0:0:0')
  })

  test('of IPv6 belongs to the /56 at most', () => {
    expect(toSite('192.0.2.7')).toBe('192.0.2.7')
    expect(toSite('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(new Set(['2001:db8:0:1200::1', '2001:db8:0:12ff:1::1', '2001:0db8::1234:0:0:0:9'].map(toSite)).size).toBe(1)
    expect(toSite('2001:db8:0:1300::1')).not.toBe(toSite('2001:db8:0:1200::1'))
  })
})

test.for<[string, boolean]>([
  ['localhost', true],
  ['127.1.2.3', true],
  ['[::1]', true],
  ['0:0:0:0:0:0:0:1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['127.1', false],
  ['127.0.0.1.example.com', false],
  ['192.0.2.7', false],
  ['', false],
])('%s is this machine: %s', ([host, expected]) => {
  expect(isLoopback(host)).toBe(expected)
})

describe('Forwarded addresses', () => {
  test.for<[string, string]>([
    ['198.51.100.1', '198.51.100.1'],
    ['203.0.113.9, 198.51.100.1', '203.0.113.9, 198.51.100.1'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[fe80::1%eth0]:1', 'fe80::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:198.51.100.1', '::ffff:198.51.100.1'],
    [' 203.0.113.9:1 ,, [2001:db8::1]:2 ,', '203.0.113.9, 2001:db8::1'],
    // Garbage, and what stands before it, tells nothing.
    ['203.0.113.9, unknown, 198.51.100.1:80', '198.51.100.1'],
    ['203.0.113.9, _hidden', ''],
    ['198.51.100.1:port', ''],
    ['999.1.1.1', ''],
    ['1.2.3', ''],
    ['<script>', ''],
    ['', ''],
  ])('%s are %s', ([header, addresses]) => {
    expect(forwardedAddresses(header)).toBe(addresses)
  })

  test('are addresses only, each as it was written', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6())
    const written = address.chain((ip) =>
      fc
        .constantFrom(...(ip.includes(':') ? [ip, `[${ip}]`, `[${ip}]:443`] : [ip, `${ip}:443`]))
        .map((text) => [ip, text]),
    )
    fc.assert(
      fc.property(fc.array(written, { maxLength: 8 }), fc.string(), (list, garbage) => {
        const header = list.map(([, text]) => text).join(', ')
        expect(forwardedAddresses(header)).toBe(list.map(([ip]) => ip).join(', '))
        for (const part of forwardedAddresses(`${garbage}, ${header}`).split(', ').filter(Boolean))
          expect(isIP(part)).not.toBe(0)
      }),
    )
  })
})
