// Slow: many costly requests, or long data.
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { TOKEN_FORMS } from '../../push/provider/registry.ts'
import { createLog } from './log.ts'

const UUID = '3f0c8a52-91b4-4a6e-9d1c-2b7e6f5a4c10'

describe('The log', () => {
  test.for([
    ['ExponentPushToken[abc-123]', 'abc-123'],
    ['ExpoPushToken[abc', 'abc'],
    ['ExpoPushToken[x"abc\\abc]', 'abc'],
    [UUID, UUID],
    [UUID.toUpperCase(), UUID.toUpperCase()],
    [`Key (token)=(${UUID}) already exists`, UUID],
    [`"request_id is ${UUID}"`, UUID],
    ['Bearer aaa.bbb.ccc', 'aaa.bbb.ccc'],
  ])('holds no push token and no bearer token: %s', ([said, secret]) => {
    for (const line of [toLines((log) => log.info(said)), toLines((log) => log.error({ err: new Error(said) }, 'x'))]) {
      expect(line).not.toContain(secret)
      expect(line).toMatch(/\[push token\]|Bearer \[token\]/)
      expect(() => JSON.parse(line) as unknown).not.toThrow()
    }
  })

  test('holds the ids of requests and jobs, which have the form of a token', () => {
    const line = toLines((log) => log.child({ request_id: UUID }).info({ job_id: UUID }, 'answered'))
    expect(JSON.parse(line)).toMatchObject({ request_id: UUID, job_id: UUID })
  })

  test('shortens a line of any length, and it is JSON still', () => {
    for (const piece of [
      'a',
      '-',
      'aaaaaaaa-',
      'aaaaaaaa-aaaa-',
      'ExponentPushToken[',
      'Bearer ',
      'Bearer\t\t',
      'ExpoPushToken',
    ])
      for (const length of [60_000, 5_000_000]) {
        const line = toLines((log) => log.warn(piece.repeat(length / piece.length)))
        expect(line.length).toBeLessThan(70_000)
        expect(JSON.parse(line)).toMatchObject({ level: 'warn' })
      }
  })
})

test('a cause that fails round after round is told once a minute, with how often it was not', () => {
  const state = { now: 0 }
  const stream = new PassThrough()
  const about = { service: 'swapbell', process: 'worker' }
  const log = createLog('info', stream, { tokens: [], now: () => state.now, about })
  const fail = (code: string) =>
    log.error({ err: Object.assign(new Error('away'), { code }), lane: 'campaign' }, 'it failed')
  for (let round = 0; round < 100; round++) fail('ECONNREFUSED')
  fail('ETIMEDOUT')
  for (let call = 0; call < 3; call++)
    log.child({ request_id: String(call) }).error({ err: new Error('away') }, 'a request')
  state.now = 60_000
  fail('ECONNREFUSED')
  const lines = (stream.read() as Buffer).toString().trim().split('\n')
  const told = lines.map((line) => JSON.parse(line) as { err: { code?: string }; repeats?: number; process: string })
  expect(told.map(({ err, repeats }) => [err.code, repeats])).toEqual([
    ['ECONNREFUSED', undefined],
    ['ETIMEDOUT', undefined],
    [undefined, undefined],
    [undefined, undefined],
    [undefined, undefined],
    ['ECONNREFUSED', 99],
  ])
  expect(told.every(({ process }) => process === 'worker')).toBe(true)
})

function toLines(write: (log: ReturnType<typeof createLog>) => void): string {
  const stream = new PassThrough()
  const chunks: string[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString('utf8')))
  write(createLog('info', stream, { tokens: TOKEN_FORMS }))
  stream.read()
  return chunks.join('')
}
