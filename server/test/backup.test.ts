// Slow: processes, poolers or a PostgreSQL that are started, stopped, frozen or cut off.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeBackup, type BackupFacts } from '../src/administration/backup/backup-file.ts'
import { manage } from './support/manage.ts'
import { cloneTemplate, createDatabase } from './support/service.ts'

// The scenario `restored` of the torture shows that a backup can be restored, and what becomes of a campaign.

const FACTS: BackupFacts = {
  format: 1,
  taken_at: '2026-11-22T12:00:00.000Z',
  app_version: '0.1.0',
  server_version: '15.18',
  client_version: '15.18',
  database: 'swapbell',
  migrations: ['0001_platform.sql'],
  audit: null,
  unfinished: 0,
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swapbell-backups-'))
  return () => rm(folder, { recursive: true })
})

/** A folder with pg_dump and pg_restore that say this version, write a few bytes, and fail where that is asked. */
async function programs(version: string, end = 'exit 0'): Promise<string> {
  const bin = await mkdtemp(join(folder, 'bin-'))
  for (const name of ['pg_dump', 'pg_restore']) {
    const lines = [
      '#!/bin/sh',
      `[ "$1" = --version ] && echo "${name} (PostgreSQL) ${version}" && exit`,
      'echo PGDMP',
      end,
    ]
    await writeFile(join(bin, name), lines.join('\n'), { mode: 0o755 })
  }
  return bin
}

async function database(kind: 'empty' | 'migrated'): Promise<string> {
  const { url, drop } = await (kind === 'empty' ? createDatabase() : cloneTemplate())
  onTestFinished(drop)
  return url
}

async function backupFile(facts: Partial<BackupFacts> = {}): Promise<string> {
  const path = join(await mkdtemp(join(folder, 'backup-')), 'backup')
  await writeBackup(path, { ...FACTS, ...facts }, (write) => write(Buffer.from('PGDMP')))
  return path
}

describe('backup', () => {
  test('says before it begins what is missing or too old, and leaves no file', async () => {
    const [url, to] = [await database('migrated'), join(folder, 'never')]
    const refused = async (bin: string) => {
      const { code, stdout, stderr } = await manage(['backup', '--to', to], { DATABASE_URL: url, PATH: bin })
      return [code, stdout + stderr]
    }
    expect(await refused(join(folder, 'nowhere'))).toEqual([
      1,
      expect.stringMatching(/^There is no pg_dump in PATH: install .* or put their folder into PATH\./),
    ])
    expect(await refused(await programs('14.2'))).toEqual([
      1,
      expect.stringMatching(
        /^pg_dump 14\.2 cannot read PostgreSQL 1\d\.\d+: install the client programs of version 1\d/,
      ),
    ])
    expect(await refused(await programs('99.1', 'echo "pg_dump: error: the disk is full" >&2; exit 1'))).toEqual([
      1,
      expect.stringContaining('pg_dump failed: pg_dump: error: the disk is full'),
    ])
    expect((await readdir(folder)).filter((name) => name.startsWith('never'))).toEqual([])
  })

  test('gives the password to pg_dump alone, and leaves it nowhere when it is killed', async () => {
    const [url, own] = [await database('migrated'), await mkdtemp(join(folder, 'own-'))]
    const { password } = new URL(url)
    const bin = await programs(
      '99.1',
      'echo "$PGPASSWORD" > "$TMPDIR/password"; echo "$@" > "$TMPDIR/arguments"; kill $PPID',
    )
    const env = { DATABASE_URL: url, TMPDIR: own, PATH: `${bin}:${process.env['PATH']}` }
    expect(await manage(['backup', '--to', join(own, 'file')], env)).toEqual({ code: null, stdout: '', stderr: '' })
    expect(await readdir(own)).toEqual(['arguments', expect.stringMatching(/^file\.partial-\d+$/), 'password'])
    expect(await readFile(join(own, 'password'), 'utf8')).toBe(`${password}\n`)
    expect(await readFile(join(own, 'arguments'), 'utf8')).not.toContain(password)
  })
})

describe('restore', () => {
  test('refuses what cannot be restored, by a sentence, and changes nothing', async () => {
    const [empty, full, bin] = [await database('empty'), await database('migrated'), await programs('15.18')]
    const refused = async (from: string, { into = empty, of = bin } = {}) => {
      const said = await manage(['restore', '--from', from], { DATABASE_URL: into, PATH: of })
      expect(said).toMatchObject({ code: 1, stdout: '' })
      return said.stderr
    }
    expect(await refused(join(folder, 'none'))).toMatch(/none cannot be read \(ENOENT\)\.$/m)
    expect(await refused(await backupFile(), { into: full })).toMatch(/^The database is not empty: it has \d\d+ tables/)
    expect(await refused(await backupFile({ server_version: '99.1' }))).toMatch(
      /^The backup is of PostgreSQL 99\.1, and this server is older: 1\d\.\d+\./,
    )
    expect(await refused(await backupFile({ client_version: '17.1' }))).toMatch(
      /^pg_restore 15\.18 cannot read what pg_dump 17\.1 wrote/,
    )
    const failing = await programs('15.18', 'echo "pg_restore: error: broken" >&2; exit 1')
    expect(await refused(await backupFile(), { of: failing })).toContain('pg_restore failed: pg_restore: error: broken')
    expect(await refused(await backupFile())).toBe('The archive of the backup has no list of migrations.\n')
  })
})
