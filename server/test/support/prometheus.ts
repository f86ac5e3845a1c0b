import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../local-postgres/src/free-port.ts'
import { untilItAnswers } from './until.ts'

/** A Prometheus that scrapes some processes, with our rules. */
export type Prometheus = {
  /** The answer of its API below `/api/v1/`. */
  ask<T>(path: string): Promise<T>
  /** The values of an expression now, one for each of its series. */
  query(expression: string): Promise<number[]>
  close(): Promise<void>
}

export const DEPLOY = new URL('../../../deploy/', import.meta.url).pathname

const PROGRAM = 'prometheus'
const TOOL = 'promtool'

/** What promtool says; throws with it when it complains. */
export function promtool(args: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(TOOL, args, { input, encoding: 'utf8' })
  if (status !== 0 || stderr !== '') throw new Error(`promtool ${args.join(' ')}:\n${stdout}${stderr}`)
  return stdout
}

/** Starts it with our configuration, but for its targets (host:port) and its intervals. It ends with this process. */
export async function startPrometheus(targets: string[]): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'swapbell-prometheus-'))
  await cp(join(DEPLOY, 'prometheus'), folder, { recursive: true })
  const file = join(folder, 'prometheus.yml')
  const ours = await readFile(file, 'utf8')
  const tried = ours
    .replaceAll(/_interval: \d+s/g, '_interval: 1s')
    .replace(/targets: \[.*\]/, `targets: [${targets.map((target) => `'${target}'`).join(', ')}]`)
  await writeFile(file, tried)
  const port = await freePort()
  const options = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`]
  const program = spawn(PROGRAM, [...options, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' })
  const end = () => void program.kill('SIGKILL')
  process.once('exit', end)
  const ask = async <T>(path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string }
    if (status !== 'success') throw new Error(`${path}: ${error}`)
    return data
  }
  await untilItAnswers(
    () => ask('status/runtimeinfo'),
    () => program.exitCode !== null,
  )
  const close = async () => {
    process.off('exit', end)
    const ended = once(program, 'exit')
    program.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  }
  const query = async (expression: string) => {
    const path = `query?query=${encodeURIComponent(expression)}`
    const { result } = await ask<{ result: { value: [number, string] }[] }>(path)
    return result.map(({ value }) => Number(value[1]))
  }
  return { ask, query, close }
}
