import type { Config } from '../config/config.ts'
import type { Log } from '../shared/log.ts'

/** Names without dashes. One that takes no value is `yes` when it was given. */
export type Options = Readonly<Record<string, string | undefined>>

/** `isGood`: exit code 0, else 1. */
export type Outcome = { text: string; isGood: boolean }

/** `takes`: what its usage shows; absent: no value. */
export type OptionRule = { takes?: string; isRequired?: true; doc: string }

/**
 * `warnings`: variables that look like settings and are none. `hasSecret`: the audit log has its secret. `isLocal`: the
 * PostgreSQL is embedded. `env`: what programs that a command starts find in their environment.
 */
export type Place = {
  config: Config
  log: Log
  faults: string[]
  warnings: string[]
  hasSecret: boolean
  isLocal: boolean
  env: Readonly<Record<string, string | undefined>>
}

/** A command that works on a database of this version. `isAudited`: it signs, so the secret is demanded. */
export type Command<Needs> = {
  doc: string
  options?: Readonly<Record<string, OptionRule>>
  isAudited?: true
  run: (deps: Needs, options: Options) => Promise<Outcome>
}
