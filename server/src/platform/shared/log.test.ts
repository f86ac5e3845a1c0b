// Slow: many costly requests, or long data.
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
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
    for (const line of [linesOf((log) => log.info(said)), linesOf((log) => log.error({ err: new Error(said) }, 'x'))]) {
      expect(line).not.toContain(secret)
      expect(line).toMatch(/\[push token\]|Bearer \[token\]/)
      expect(() => JSON.parse(line) as unknown).not.toThrow()
    }
  })

  test('holds the ids of requests and jobs, which have the form of a token', () => {
    const line = linesOf((log) => log.child({ request_id: UUID }).info({ job_id: UUID }, 'answered'))
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
        const line = linesOf((log) => log.warn(piece.repeat(length / piece.length)))
        expect(line.length).toBeLessThan(70_000)
        expect(JSON.parse(line)).toMatchObject({ level: 'warn' })
      }
  })
})

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string {
  const stream = new PassThrough()
  const chunks: string[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString('utf8')))
  write(createLog('info', stream))
  stream.read()
  return chunks.join('')
}
