import { randomBytes } from 'node:crypto'
import { readCommandLine, type AnyCommand } from './command-line.ts'
import type { Options, Outcome } from '../platform/process/command.ts'
import { COMMANDS } from './commands.ts'
import { createDeps } from '../deps.ts'
import { findKeptSecret, reachLocalPostgres } from '../trial.ts'
import { expectOwnKey, registerAuditKey } from '../platform/audit/keys.ts'
import type { Config } from '../platform/config/config.ts'
import { readSettings } from '../platform/config/read-config.ts'
import { unknownSettings } from '../platform/config/unknown.ts'
import { withPool } from '../platform/db/connect.ts'
import { readVersion } from '../platform/db/migrations.ts'
import { isDatabaseUnavailable } from '../platform/db/transaction.ts'
import { AppError, toErrorMessage } from '../platform/shared/errors.ts'
import { createLog, type Log } from '../platform/shared/log.ts'
import { findProviderFaults, TOKEN_FORMS } from '../push/provider/registry.ts'

// A command waits for the database as long as it takes.
const PATIENT = { connectMs: 30_000, statementMs: 0, idleMs: 0, silenceMs: 0 }
// Faults of other settings are those of the service, which a command does not need to be free of.
const DEMANDED = /^(?:DATABASE_|DATA_DIR|LIMITS_FILE|RETENTION_|NODE_ENV|LOG_LEVEL|FIREBASE_)/
// The simulator of `npm start` has this address, unless its ports are others.
const TRIAL_SIMULATOR = 'http://127.0.0.1:3200'
const SECRETS = /^(?:AUDIT|JWT)_/
const WRONG_CALL = new Set([400, 422])

const parsed = readCommandLine(process.argv.slice(2), COMMANDS)
if (parsed.kind === 'help') end(`${parsed.text}\n`, 0)
else if (parsed.kind === 'fault') end(`${parsed.text}\n`, 2)
else {
  const { text, code, hasFailed } = await run(parsed.command, parsed.options)
  const isWrapped =
    parsed.options['json'] !== undefined && (hasFailed || parsed.command.options?.['json'] === undefined)
  const lines = isWrapped ? JSON.stringify({ command: parsed.name, code, says: text.split('\n') }) : text
  end(`${lines}\n`, code, hasFailed)
}

function end(text: string, code: number, hasFailed = code === 2): never {
  const stream = hasFailed ? process.stderr : process.stdout
  stream.write(text)
  process.exit(code)
}

/** Code 1: the command found something wrong, or has failed; 2: it was called wrongly. */
async function run(command: AnyCommand, options: Options) {
  const { config, faults, hasSecret } = await settingsFor(command)
  const log = createLog(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL, process.stderr, {
    tokens: TOKEN_FORMS,
  })
  const hindering = toleratesFaults(command)
    ? []
    : faults.filter((fault) => DEMANDED.test(fault) || (command.isAudited && SECRETS.test(fault)))
  if (command.isAudited && !hasSecret)
    hindering.push('AUDIT_SECRET, or JWT_SECRET where the service has no other, must be set: this command signs.')
  if (hindering.length > 0)
    return {
      text: `The settings are not valid:\n${hindering.map((fault) => `  - ${fault}`).join('\n')}`,
      code: 2,
      hasFailed: true,
    }
  try {
    const { text, isGood } = await runOn(config, log, { command, options, faults, hasSecret })
    return { text, code: isGood ? 0 : 1, hasFailed: false }
  } catch (error) {
    log.debug({ err: error }, 'the command failed')
    const isWrongCall = error instanceof AppError && WRONG_CALL.has(error.status)
    return { text: describeError(error), code: isWrongCall ? 2 : 1, hasFailed: true }
  }
}

function toleratesFaults(command: AnyCommand): boolean {
  return 'runAt' in command && command.toleratesFaults === true
}

/** A command listens nowhere and sends nothing, so it needs no secret; that of a trial is in its data folder. */
async function settingsFor(command: AnyCommand) {
  const url = process.env['DATABASE_URL']
  const { config: own } = readSettings(process.env)
  // Production has no trial, nor what belongs to one.
  const kept = url || own.NODE_ENV === 'production' ? undefined : await findKeptSecret(own)
  const secret = process.env['JWT_SECRET'] || kept
  const simulator = process.env['EXPO_BASE_URL'] || (kept && TRIAL_SIMULATOR)
  const given = { ...process.env, DATABASE_URL: url, JWT_SECRET: secret, EXPO_BASE_URL: simulator }
  const harmless = {
    ...given,
    JWT_SECRET: secret ?? randomBytes(32).toString('hex'),
    EXPO_BASE_URL: simulator ?? 'http://127.0.0.1:1',
    PROCESS: 'worker',
  }
  const { config, faults } = readSettings(toleratesFaults(command) ? given : harmless)
  const all = [...faults, ...findProviderFaults(config)]
  return { config, faults: all, hasSecret: secret !== undefined || config.AUDIT_SECRET !== '' }
}

async function runOn(
  settings: Config,
  log: Log,
  { command, options, ...about }: { command: AnyCommand; options: Options; faults: string[]; hasSecret: boolean },
): Promise<Outcome> {
  const isLocal = settings.DATABASE_URL === '' && settings.NODE_ENV !== 'production'
  const postgres = isLocal ? await reachLocalPostgres(settings, log) : undefined
  const config: Config = { ...settings, PROCESS: 'web', ...(postgres && { DATABASE_URL: postgres.url }) }
  try {
    if ('runAt' in command) {
      const place = {
        config,
        log,
        warnings: unknownSettings(process.env, settings),
        isLocal,
        env: process.env,
        ...about,
      }
      return await command.runAt(place, options)
    }
    await expectVersion(config, log)
    const { deps, close } = await createDeps(config, log, { limits: PATIENT, migrates: false })
    try {
      if (command.isAudited) {
        await expectOwnKey(deps)
        await registerAuditKey(deps)
      }
      return await command.run(deps, options)
    } finally {
      await close()
    }
  } finally {
    // A connection that is just closing may still hear that the server stops.
    log.level = 'silent'
    await postgres?.stop()
  }
}

async function expectVersion({ DATABASE_URL: url }: Config, log: Log): Promise<void> {
  const { fault, later } = await withPool(url, { max: 1, log }, readVersion)
  if (fault !== undefined) throw new Error(fault)
  if (later.length > 0) log.warn({ later }, 'the database is of a later version, with which this release works')
}

/** Its stack is logged at LOG_LEVEL=debug. */
function describeError(error: unknown): string {
  if (error instanceof AppError) {
    const fields = Object.entries(error.extras.errors ?? {}).map(([name, faults]) => `${name} ${faults.join(', ')}.`)
    return [error.message, ...fields].join(' ')
  }
  const message = toErrorMessage(error)
  return isDatabaseUnavailable(error) ? `The database cannot be used now: ${message}` : message
}
