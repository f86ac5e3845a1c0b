import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { faultOfLink } from './content.ts'

const SCHEMES = ['swapbell', 'https']

describe('A link', () => {
  test.for([
    'swapbell://item/7',
    'swapbell://groups/7/requests?from=push#top',
    'swapbell:home',
    'SwapBell://item/7',
    'https://example.com/a?b=c',
    'HTTPS://Example.com:8443/stra%C3%9Fe',
    'https://example.com/straße',
    'https://xn--mller-kva.example/',
    'https://xn--e1afmkfd.xn--p1ai/',
    'https://example.com/@ann',
    'https://example.com/?at=a@b',
    'https://1.example/',
  ])('may be %s', (link) => {
    expect(faultOfLink(link, SCHEMES)).toBeUndefined()
  })

  test.for<[link: unknown, fault: RegExp]>([
    ['javascript:alert(1)', /one of these schemes: swapbell, https/],
    ['http://example.com', /schemes/],
    ['file:///etc/passwd', /schemes/],
    ['//evil.example', /schemes/],
    ['data:text/html,x', /schemes/],
    ['intent:x', /schemes/],
    ['link', /schemes/],
    ['', /schemes/],
    [5, /schemes/],
    [null, /schemes/],
    ['https://', /schemes/],
    ['https://example.com:99999/', /schemes/],
    [`https://example.com/${'a'.repeat(2_000)}`, /at most 2000/],
    ['not a link', /spaces/],
    ['java\nscript:alert(1)', /control/],
    ['https://example.com/\n', /control/],
    ['https://exa\tmple.com/', /control/],
    ['https://example.com/\u0007', /control/],
    ['https://example.com/\u0085', /control/],
    ['https://example.com/\u202Egnp.exe', /turn the direction/],
    ['https://example.com/\u2066x', /turn the direction/],
    ['https://example\u200B.com/', /not shown/],
    ['https://example\u00AD.com/', /not shown/],
    ['https://example.com/\uFEFF', /not shown/],
    ['https://example.com/\uE000', /not shown/],
    ['https://example.com/\ud800', /not shown/],
    ['https://example.com\\@evil.example/', /backslash/],
    ['https://bank.example@evil.example/', /name or password/],
    ['https://a:b@evil.example/', /name or password/],
    ['https://@evil.example/', /name or password/],
    ['swapbell://a@b/', /name or password/],
    ['https://192.0.2.1/', /IP address/],
    ['https://192.0.2.1:443/', /IP address/],
    ['https://3221225985/', /IP address/],
    ['https://0xC0000201/', /IP address/],
    ['https://0300.0.2.1/', /IP address/],
    ['https://192.513/', /IP address/],
    ['https://[::1]/', /IP address/],
    ['https://[::ffff:192.0.2.1]/', /IP address/],
    ['https://аррlе.example/', /ASCII; an international name goes in its xn-- form/],
    ['https://xn--80ak6aa92e.com/', /taken for others/],
    ['https://shop.xn--pple-43d.com:8443/', /taken for others/],
    ['https://xn--mxail5aa.example/', /taken for others/],
    ['https://exämple.com/', /ASCII/],
    ['https://example。com/', /ASCII/],
    ['https://example.com⁄evil/', /ASCII/],
    ['https://ex%61mple.com/', /ASCII/],
    ['swapbell://грuppen/7', /ASCII/],
    ['https:example.com', /after \/\//],
    ['https:/example.com', /after \/\//],
    ['https:///example.com', /after \/\//],
  ])('may not be %j', ([link, fault]) => {
    expect(faultOfLink(link, SCHEMES)).toMatch(fault)
  })

  test('that is accepted has a visible host in ASCII and leads nowhere else', () => {
    const pieces = [
      'https',
      'swapbell',
      ':',
      '//',
      '/',
      '\\',
      '@',
      '.',
      '?',
      '#',
      '%2f',
      '[',
      ']',
      '1',
      'a',
      'example',
      'com',
      'é',
      '\t',
      '\u202E',
    ]
    const links = fc.array(fc.constantFrom(...pieces), { minLength: 3, maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(links, (link) => {
        if (faultOfLink(link, ['https']) !== undefined) return
        const url = new URL(link)
        expect(link.toLowerCase().startsWith(`https://${url.host}`)).toBe(true)
        expect(url.username + url.password).toBe('')
      }),
      { numRuns: 20_000 },
    )
  })
})
