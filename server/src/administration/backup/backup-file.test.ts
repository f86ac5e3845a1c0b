import { mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openArchive, checkedBackup, HEADER_BYTES, writeBackup, type BackupFacts } from './backup-file.ts'

const FACTS: BackupFacts = {
  format: 1,
  taken_at: '2026-11-22T12:00:00.000Z',
  app_version: '0.1.0',
  server_version: '15.18',
  client_version: '15.18',
  database: 'swapbell',
  migrations: ['0001_platform.sql'],
  audit: { entries: 3, head: 'f'.repeat(64) },
  unfinished: 2,
}
const PARTS = [Buffer.from('PGDMP and '), Buffer.alloc(100_000, 'x')]

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'swapbell-backup-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

async function written(): Promise<string> {
  const path = join(await folder(), 'backup')
  const bytes = await writeBackup(path, FACTS, async (write) => {
    for (const part of PARTS) await write(part)
  })
  expect(bytes).toBe(100_010)
  return path
}

async function poke(path: string, position: number): Promise<void> {
  const file = await open(path, 'r+')
  const { buffer: byte } = await file.read(Buffer.alloc(1), 0, 1, position)
  await file.write(Buffer.from([byte[0]! ^ 1]), 0, 1, position)
  await file.close()
}

describe('a backup file', () => {
  test('holds its facts and the archive, and is its owner’s alone', async () => {
    const path = await written()
    expect(await checkedBackup(path)).toEqual(FACTS)
    expect(await buffer(openArchive(path))).toEqual(Buffer.concat(PARTS))
    const { mode, size } = await stat(path)
    expect([mode & 0o777, size]).toEqual([0o600, HEADER_BYTES + 100_010])
  })

  test('leaves nothing when its archive fails in the middle', async () => {
    const path = join(await folder(), 'backup')
    const failing = writeBackup(path, FACTS, async (write) => {
      await write(PARTS[0]!)
      throw new Error('pg_dump failed')
    })
    await expect(failing).rejects.toThrow('pg_dump failed')
    expect(await readdir(join(path, '..'))).toEqual([])
  })

  test('replaces no other file', async () => {
    const path = await written()
    await expect(writeBackup(path, FACTS, async () => undefined)).rejects.toThrow('There is a file')
    const other = join(await folder(), 'backup')
    const late = writeBackup(other, FACTS, () => writeFile(other, 'mine'))
    await expect(late).rejects.toThrow('EEXIST')
    expect(await readFile(other, 'utf8')).toBe('mine')
    expect(await readdir(join(other, '..'))).toEqual(['backup'])
  })

  test.for([
    ['its archive was changed', (path: string) => poke(path, HEADER_BYTES + 5), 'checksum does not match'],
    ['its last byte was changed', (path: string) => poke(path, HEADER_BYTES + 100_009), 'checksum does not match'],
    ['its facts were changed', (path: string) => poke(path, 60), /checksum does not match|cannot be read/],
    ['it was cut short', (path: string) => truncate(path, HEADER_BYTES + 10), 'is not whole'],
    ['it is another file', (path: string) => writeFile(path, 'PGDMP'), 'is no backup of Swapbell'],
    ['it is not there', (path: string) => rm(path), 'cannot be read (ENOENT)'],
  ] as const)('is refused when %s', async ([, change, sentence]) => {
    const path = await written()
    await change(path)
    await expect(checkedBackup(path)).rejects.toThrow(sentence)
  })
})
