import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, link, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { errorCode } from '../../platform/shared/errors.ts'

export type BackupFacts = {
  format: 1
  /** The database's clock gave this time (ISO 8601). */
  taken_at: string
  app_version: string
  /** The two are the versions of PostgreSQL and of the pg_dump that wrote the archive. */
  server_version: string
  client_version: string
  database: string
  migrations: string[]
  /** Null: the log is empty. */
  audit: { entries: number; head: string } | null
  unfinished: number
}

type Header = { facts: BackupFacts; bytes: number; sha256: string }

/** The archive of pg_dump begins here: `tail -c +16385 FILE` is what pg_restore reads. */
export const HEADER_BYTES = 16_384
const MAGIC = 'swapbell-backup '

/** Writes facts, archive and a checksum of both; gives the bytes of the archive. The file gets its name when all of
 * it is on the disk, so a file of that name is whole. When this throws, nothing is left. */
export async function writeBackup(
  path: string,
  facts: BackupFacts,
  archive: (write: (chunk: Buffer) => Promise<void>) => Promise<void>,
): Promise<number> {
  if (await exists(path)) throw new Error(`There is a file ${path} already: choose another name, or remove it.`)
  const draft = `${path}.partial-${process.pid}`
  const file = await open(draft, 'wx', 0o600)
  try {
    const hash = hashFacts(facts)
    let bytes = 0
    await writeAll(file, Buffer.alloc(HEADER_BYTES, ' '), 0)
    await archive(async (chunk) => {
      hash.update(chunk)
      await writeAll(file, chunk, HEADER_BYTES + bytes)
      bytes += chunk.length
    })
    await writeAll(file, encodeHeader({ facts, bytes, sha256: hash.digest('hex') }), 0)
    await file.sync()
    await file.close()
    await giveName(draft, path)
    await syncFolder(dirname(path))
    return bytes
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

/** Checks every byte; throws a sentence when it is no backup, cut short, or changed. */
export async function checkedBackup(path: string): Promise<BackupFacts> {
  const { facts, bytes, sha256 } = await readHeader(path)
  const hash = hashFacts(facts)
  let found = 0
  for await (const chunk of openArchive(path)) {
    const part = chunk as Buffer
    hash.update(part)
    found += part.length
  }
  if (found !== bytes) throw new Error(`${path} is not whole: its archive has ${found} bytes, not ${bytes}.`)
  if (hash.digest('hex') !== sha256) throw new Error(`${path} was changed: its checksum does not match.`)
  return facts
}

export function openArchive(path: string): Readable {
  return createReadStream(path, { start: HEADER_BYTES })
}

async function readHeader(path: string): Promise<Header> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new Error(`${path} cannot be read (${errorCode(error)}).`, { cause: error })
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    const text = buffer.toString('utf8', 0, bytesRead)
    if (!text.startsWith(MAGIC)) throw new Error(`${path} is no backup of Swapbell.`)
    const header = JSON.parse(text.slice(MAGIC.length)) as Header
    if (header.facts.format !== 1) throw new Error(`${path} has a form that this version does not know.`)
    return header
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new Error(`${path} was changed: its header cannot be read.`, { cause: error })
    throw error
  } finally {
    await file.close()
  }
}

function encodeHeader(header: Header): Buffer {
  const text = Buffer.from(MAGIC + JSON.stringify(header))
  if (text.length >= HEADER_BYTES) throw new Error('The facts of the backup are too long for its header.')
  return Buffer.concat([text, Buffer.alloc(HEADER_BYTES - text.length - 1, ' '), Buffer.from('\n')])
}

function hashFacts(facts: BackupFacts): Hash {
  return createHash('sha256').update(JSON.stringify(facts))
}

async function writeAll(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
    done += bytesWritten
  }
}

/** A hard link never replaces a file; some file systems have none. */
async function giveName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path)
    await rm(draft)
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || (await exists(path))) throw error
    await rename(draft, path)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  // Some file systems cannot sync a folder; the file itself is on the disk.
  await handle.sync().catch(() => undefined)
  await handle.close()
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
