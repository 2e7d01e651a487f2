import { expect, test } from 'vitest'
import type { Credentials } from '../../src/config/config.ts'
import { unprovenByBody, unprovenByHeaders } from '../../src/triggers/authenticate.ts'
import { grafana } from '../../src/triggers/formats/grafana.ts'

const shared = { kind: 'shared_secret' } as const
const bearer: Credentials = { kind: 'bearer', token: 'a-token-of-the-tests' }
const basic: Credentials = { kind: 'basic', username: 'am', password: 'a:password of the tests' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each<[string, Credentials, string | undefined, string | null]>([
  ['the token', bearer, 'Bearer a-token-of-the-tests', null],
  ['the token, scheme in other letters', bearer, 'bearer a-token-of-the-tests', null],
  ['no header', bearer, undefined, 'no credentials'],
  ['an empty header', bearer, '', 'wrong credentials'],
  ['another token', bearer, 'Bearer another', 'wrong credentials'],
  ['the token and more', bearer, 'Bearer a-token-of-the-tests2', 'wrong credentials'],
  ['the token without a scheme', bearer, 'a-token-of-the-tests', 'wrong credentials'],
  ['the token as a password', bearer, `Basic ${base64('a-token-of-the-tests')}`, 'wrong credentials'],
  ['user and password', basic, `Basic ${base64('am:a:password of the tests')}`, null],
  ['another user', basic, `Basic ${base64('ma:a:password of the tests')}`, 'wrong credentials'],
  ['another password', basic, `Basic ${base64('am:another')}`, 'wrong credentials'],
  ['the password as a token', basic, 'Bearer am:a:password', 'wrong credentials'],
  ['a door whose secret is for signatures', { kind: 'signature', secret: 'x' }, 'Bearer x', 'wrong credentials'],
])('%s', (_, credentials, authorization, says) => {
  const headers = authorization === undefined ? {} : { authorization }
  expect(unprovenByHeaders(shared, credentials, headers, 0)).toBe(says)
})

test('a signature is what openssl makes of "<seconds>:<body>"', () => {
  // printf '1796033100:{"a":1}' | openssl dgst -sha256 -hmac 'a-secret-of-the-tests' -r
  const hex = 'a1bfcaf4bc9c1ffb48920be86832ac3af85350075315e2263ebc3b4e884d7b54'
  const secret: Credentials = { kind: 'signature', secret: 'a-secret-of-the-tests' }
  const says = (signature: string, body = '{"a":1}', timestamp = '1796033100') => {
    const headers = { 'x-grafana-alerting-signature': signature, 'x-grafana-alerting-timestamp': timestamp }
    return (
      unprovenByHeaders(grafana.proof, secret, headers, 1_796_033_100_000) ??
      unprovenByBody(grafana.proof, secret, headers, Buffer.from(body))
    )
  }
  expect(says(hex)).toBeNull()
  expect(says(hex.toUpperCase())).toBeNull()
  expect(says(`sha256=${hex}`)).toBeNull()
  expect(says(hex, '{"a":2}')).toBe('wrong signature')
  expect(says(hex, '{"a":1} ')).toBe('wrong signature')
  expect(says(hex, '{"a":1}', '1796033101')).toBe('wrong signature')
  expect(says(hex.slice(2))).toBe('wrong signature')
  expect(says(`${hex}00`)).toBe('wrong signature')
  expect(says('')).toBe('no signature header')
  expect(says(hex, '{"a":1}', '')).toBe('no timestamp header')
})

test.each<[string, string | null]>([
  ['1796033100', null],
  ['1796032800', null],
  ['1796033400', null],
  ['1796032799', 'timestamp outside of the window'],
  ['1796033401', 'timestamp outside of the window'],
  ['1796033100000', 'timestamp outside of the window'],
  ['-1796033100', 'timestamp outside of the window'],
  ['1796033100.5', 'timestamp outside of the window'],
  ['0x6b0d3b0c', 'timestamp outside of the window'],
  ['NaN', 'timestamp outside of the window'],
])('signed at %s, seen at 1796033100: %s', (timestamp, says) => {
  const headers = { 'x-grafana-alerting-signature': 'ab', 'x-grafana-alerting-timestamp': timestamp }
  expect(unprovenByHeaders(grafana.proof, { kind: 'signature', secret: 'x' }, headers, 1_796_033_100_000)).toBe(says)
})
