import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createLogOutput } from './log-output.ts'

const MODULE = new URL('log.ts', import.meta.url).href
const LOGS = `
  import { createLog } from '${MODULE}'
  const log = createLog('info')
  for (let n = 0; n < 1000; n++) log.info({ n }, 'x'.repeat(100))
  setTimeout(() => { log.info('last'); process.exit(0) }, 300)`

describe('the log of a process', () => {
  test('has every line in order, also the last ones', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', LOGS])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { n?: number; msg: string })
    expect(lines.slice(0, -1).map(({ n }) => n)).toEqual(Array.from({ length: 1000 }, (_, n) => n))
    expect(lines.at(-1)?.msg).toBe('last')
  })

  test.runIf(process.platform === 'linux')('neither ends nor holds it when the disk is full', async () => {
    const full = await open('/dev/full', 'w')
    const child = spawn(process.execPath, ['--input-type=module', '-e', LOGS], {
      stdio: ['ignore', full.fd, 'inherit'],
    })
    await full.close()
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    expect(await once(child, 'exit')).toEqual([0, null])
    clearTimeout(late)
  })

  test.skipIf(process.platform === 'win32')(
    'tells how many lines were lost while it could not be written',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'swapbell-log-'))
      const path = join(folder, 'pipe')
      await promisify(execFile)('mkfifo', [path])
      // Full after 64 KB, and then every write fails until somebody reads.
      const pipe = await open(path, constants.O_RDWR | constants.O_NONBLOCK)
      const output = createLogOutput(pipe.fd)
      const line = `${'x'.repeat(999)}\n`
      for (let n = 0; n < 6_000; n++) output.write(line)
      let read = ''
      const isThere = () => read.split('\n').filter((text) => text.length === 999).length
      const lost = () => Number(/"(\d+) lines of the log were lost/.exec(read)?.[1] ?? 0)
      await expect
        .poll(
          async () => {
            read += await readSome(pipe)
            return isThere() + lost()
          },
          { interval: 1 },
        )
        .toBe(6_000)
      expect(lost()).toBeGreaterThan(1_000)
      await pipe.close()
      await rm(folder, { recursive: true })
    },
  )
})

async function readSome(pipe: FileHandle): Promise<string> {
  const piece = Buffer.alloc(65_536)
  const { bytesRead } = await pipe.read(piece).catch(() => ({ bytesRead: 0 }))
  return piece.toString('utf8', 0, bytesRead)
}
