import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const MOST_LOGGED = 5

type Line = { msg?: string; err?: { message?: string } }

/** What the processes of a scenario logged as errors, once each: CI keeps no logs. */
export async function listLoggedErrors(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'))
  const logs = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const lines = logs.flatMap((log) =>
    log.split('\n').filter((line) => line.startsWith('{"level":"error"') && line.endsWith('}')),
  )
  const told = lines.map((line) => {
    const { msg, err } = JSON.parse(line) as Line
    return `logged: ${msg}: ${err?.message}`
  })
  return [...new Set(told)].slice(0, MOST_LOGGED)
}
