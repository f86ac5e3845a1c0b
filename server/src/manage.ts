import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readConfig, type Config } from './platform/config/config.ts'
import { createDeps, type Deps } from './deps.ts'
import { generateLoadCommand, startLocalPostgres } from './trial.ts'
import { verifyAuditCommand } from './administration/audit/verify-command.ts'
import { rebuildInsightsCommand } from './administration/insights/rebuild-command.ts'
import { rebuildTallies } from './administration/reports/swap-summary.ts'
import { haltCommand, resumeCommand } from './push/status/halt-command.ts'
import { checkBadgesCommand } from './push/badges/check.ts'
import { checkListCounts, recountLists } from './platform/lists/list-counts.ts'
import { createLog } from './platform/shared/log.ts'

type Options = Record<string, string | undefined>
type Command = { doc: string; run: (deps: Deps, options: Options) => Promise<{ text: string; isGood: boolean }> }

/** What an operator runs by hand, beside the service or without it. */
const COMMANDS: Record<string, Command> = {
  'verify-audit': verifyAuditCommand,
  'rebuild-swap-tallies': {
    doc: 'Count the swaps anew for the report on them; the service may run meanwhile.',
    run: async (deps) => ({ text: `${await rebuildTallies(deps)} cells.`, isGood: true }),
  },
  'rebuild-insights': rebuildInsightsCommand,
  'check-list-counts': {
    doc: 'Compare the kept totals of the lists with the rows.',
    run: ({ db }) => checkListCounts(db),
  },
  'rebuild-list-counts': {
    doc: 'Count the rows of the lists anew; writes to a list wait while it is counted.',
    run: ({ db }) => recountLists(db),
  },
  'check-badges': {
    doc: 'Hold all badges, and the realtime database, against the rows, and mend what differs; the service may run meanwhile.',
    run: checkBadgesCommand,
  },
  halt: haltCommand,
  resume: resumeCommand,
  'generate-load': generateLoadCommand,
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    users: { type: 'string' },
    activity: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    reason: { type: 'string' },
    provider: { type: 'string' },
    'expect-head': { type: 'string' },
    'expect-count': { type: 'string' },
  },
})
const command = COMMANDS[positionals[0] ?? '']
if (command === undefined) {
  const lines = Object.entries(COMMANDS).map(([name, { doc }]) => `  ${name.padEnd(20)} ${doc}`)
  process.stderr.write(`Usage: npm run manage -- COMMAND [--option value]\n\n${lines.join('\n')}\n`)
  process.exit(2)
}
// A command signs no tokens and sends nothing.
const read = readConfig({
  JWT_SECRET: randomBytes(32).toString('hex'),
  EXPO_BASE_URL: 'http://127.0.0.1:1',
  ...process.env,
  // It listens nowhere.
  PROCESS: 'worker',
})
if ('faults' in read) {
  process.stderr.write(`The configuration is not valid:\n${read.faults.map((fault) => `  - ${fault}\n`).join('')}`)
  process.exit(2)
}
const { text, isGood } = await runOn(read.config, command, values as Options)
process.stdout.write(`${text}\n`)
process.exit(isGood ? 0 : 1)

/** Runs a command on the database of the configuration, the embedded one when no service holds it. */
async function runOn(settings: Config, { run }: Command, options: Options) {
  const log = createLog(settings.LOG_LEVEL === 'info' ? 'warn' : settings.LOG_LEVEL)
  const postgres = settings.DATABASE_URL === '' ? await startLocalPostgres(settings, log) : undefined
  const config: Config = { ...settings, PROCESS: 'web', ...(postgres && { DATABASE_URL: postgres.url }) }
  const { deps, close } = await createDeps(config, log, { limits: { statementMs: 0, idleMs: 0, silenceMs: 0 } })
  try {
    return await run(deps, options)
  } finally {
    await close()
    await postgres?.stop()
  }
}
