import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DATA_DIR_IN_USE } from '../local-postgres/src/data-lock.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../local-postgres/src/embedded.ts'
import { errorCode } from '../server/src/platform/shared/errors.ts'
import { PUSH_HOSTS } from '../server/src/push/provider/web-push/subscription.ts'
import { isPanelBuilt } from '../panel/build.ts'
import { isFree, waitUntilFree } from './port.ts'
import { expectOwnDatabase } from './trial-database.ts'
import { startPart, type Part } from './trial-part.ts'
import { buildPanelBeside, installPackages, timed } from './trial-steps.ts'
import { trialMail } from './trial-mail.ts'
import { keptSecrets, readTrialSettings, writeTrialLimits, type TrialSettings } from './trial-settings.ts'
import { summary } from './trial-summary.ts'
import { wallOfPhones } from './wall-of-phones.ts'

// An earlier run that was just stopped or killed needs this long to release its ports and data.
const EARLIER_RUN_MS = 5000
const LOCKED_MS = 2000
// Ctrl-C reaches us from the terminal and again from npm; within this time both count as one.
const SAME_WISH_MS = 1000
const NPM_WATCH_MS = 500

await main()

/**
 * Runs PostgreSQL, simulator and server with demonstration data until one ends (exit 1) or we are asked to stop (0).
 */
async function main(): Promise<void> {
  const parts: Part[] = []
  const ending = onEndSignal(() => {
    for (const part of parts) part.kill()
  })
  const failed = runTrial(parts).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  const failure = await Promise.race([ending, failed])
  if (failure === undefined) say('\nStopping…')
  else say(`\n${failure}`)
  for (const part of parts.toReversed()) await part.stop()
  if (failure === undefined) say('Stopped.')
  process.exit(failure === undefined ? 0 : 1)
}

/** Starts the parts in order and adds each to `parts`; returns a sentence about the part that ended first. */
async function runTrial(parts: Part[]): Promise<string> {
  const settings = readTrialSettings(process.env)
  if (settings.port !== 0) await waitUntilFree('PORT', settings.host, settings.port, EARLIER_RUN_MS)
  const simulatorPort = await freeSimulatorPort(settings)

  const packages = installPackages()
  packages.catch(() => undefined)
  const { dataDir, databaseUrl } = await timed('PostgreSQL', openDatabase(settings, parts), say)
  await packages
  if (settings.databaseUrl === '') await expectOwnDatabase(databaseUrl, dataDir)
  const secrets = await keptSecrets(dataDir, process.env)
  const start = (name: string, path: string, env: NodeJS.ProcessEnv): Part => {
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
    const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] || join(dataDir, 'compiled') }
    const part = startPart(name, file, { ...process.env, ...compiled, ...env }, join(dataDir, `${name}.log`))
    parts.push(part)
    return part
  }
  const demoData = process.env['DEMO_DATA'] || (settings.isExpo ? 'off' : 'on')
  const wall = start('simulator', 'simulator/src/main.ts', {
    SIM_PORT: String(simulatorPort),
    SIM_MAIL_PORT: process.env['SIM_MAIL_PORT'] || '0',
    ...providersFolder(settings, dataDir),
  })
  const simulator = await timed('the simulator', wall.ready, say)
  const server = start('server', 'server/src/main.ts', {
    NODE_ENV: 'development',
    PROCESS: 'all',
    LIMITS_FILE: process.env['LIMITS_FILE'] || (await writeTrialLimits(dataDir, settings.isExpo)),
    HOST: settings.host,
    PORT: String(settings.port),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PUSH_PROVIDERS_FILE: process.env['PUSH_PROVIDERS_FILE'] || (await wall.providers) || '',
    ...(settings.isExpo ? { PUSH_PROVIDER: 'expo' } : { PUSH_PROVIDER: 'simulator', EXPO_BASE_URL: simulator }),
    JWT_SECRET: secrets.jwtSecret,
    ADMIN_EMAIL: secrets.adminEmail,
    ADMIN_PASSWORD: secrets.adminPassword,
    DEMO_DATA: demoData,
    ...trialMail(settings, await wall.mail, process.env),
  })
  const api = await timed(demoData === 'on' ? 'the server, with its data' : 'the server', server.ready, say)
  wall.tell({ trial: wallOfPhones(api, demoData === 'on') })
  if (demoData === 'on' && process.env['DEMO_LIFE'] !== 'off')
    start('demonstration', 'tools/demo/living/main.ts', { API_URL: api })
  const isBuilt = await isPanelBuilt()
  say(summary({ api, simulator, database: databaseUrl, dataDir, isExpo: settings.isExpo, isBuilt }, secrets))
  void buildPanelBeside(say)
  return Promise.race(parts.map(async (part) => part.ended))
}

/**
 * Without providers of its own a trial uses those of the simulator, whose keys and addresses are kept beside the data.
 * A real browser that looks at the trial may register too.
 */
function providersFolder({ isExpo }: TrialSettings, dataDir: string): NodeJS.ProcessEnv {
  const isWished = !isExpo && !process.env['PUSH_PROVIDERS_FILE']
  if (!isWished) return {}
  return {
    SIM_PROVIDERS_FOLDER: process.env['SIM_PROVIDERS_FOLDER'] || join(dataDir, 'providers'),
    SIM_BROWSER_HOSTS: process.env['SIM_BROWSER_HOSTS'] ?? PUSH_HOSTS.join(','),
  }
}

async function freeSimulatorPort({ simulatorPort, isSimulatorPortGiven }: TrialSettings): Promise<number> {
  if (simulatorPort === 0) return 0
  if (isSimulatorPortGiven) await waitUntilFree('SIM_PORT', '127.0.0.1', simulatorPort, EARLIER_RUN_MS)
  return (await isFree('127.0.0.1', simulatorPort)) ? simulatorPort : 0
}

/** The database of DATABASE_URL, or an embedded one. If the default data directory is in use, another is chosen. */
async function openDatabase(settings: TrialSettings, parts: Part[]): Promise<{ dataDir: string; databaseUrl: string }> {
  const dataDir = resolve(settings.dataDir)
  if (settings.databaseUrl !== '') return { dataDir, databaseUrl: settings.databaseUrl }
  try {
    return { dataDir, databaseUrl: await startPostgres(dataDir, parts) }
  } catch (error) {
    if (errorCode(error) !== DATA_DIR_IN_USE || settings.isDataDirGiven) throw error
    const another = resolve(`data-${settings.port}`)
    say(`Another run uses ${dataDir}. This run keeps its data in ${another}.`)
    return { dataDir: another, databaseUrl: await startPostgres(another, parts) }
  }
}

async function startPostgres(dataDir: string, parts: Part[]): Promise<string> {
  const postgres = await startOnceUnlocked(dataDir)
  const ended = postgres.exited.then(async () => {
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8').catch(() => '')
    return `PostgreSQL has ended. It said:\n${log.trim().split('\n').slice(-10).join('\n')}`
  })
  // PostgreSQL's guard stops it when we are killed.
  parts.push({
    name: 'PostgreSQL',
    ready: Promise.resolve(postgres.url),
    mail: Promise.resolve(undefined),
    providers: Promise.resolve(undefined),
    ended,
    tell: () => undefined,
    stop: async () => postgres.stop(),
    kill: () => undefined,
  })
  return postgres.url
}

/** An earlier run may still be stopping; it then releases its lock within a moment. */
async function startOnceUnlocked(dataDir: string): Promise<EmbeddedPostgres> {
  const deadline = performance.now() + LOCKED_MS
  for (;;) {
    try {
      return await startEmbeddedPostgres({ dataDir, log: say })
    } catch (error) {
      if (errorCode(error) !== DATA_DIR_IN_USE || performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}

/** Settles on Ctrl-C, SIGTERM, or when our parent has ended; a second request kills and exits at once. */
async function onEndSignal(kill: () => void): Promise<undefined> {
  return new Promise((settle) => {
    let requestedAt: number | undefined
    const ask = () => {
      requestedAt ??= performance.now()
      settle(undefined)
      if (performance.now() - requestedAt < SAME_WISH_MS) return
      kill()
      process.exit(130)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
    whenNpmIsKilled(ask)
    // The terminal may close before we end.
    process.stdout.on('error', () => undefined)
  })
}

/** A killed npm passes no signal on. */
function whenNpmIsKilled(ask: () => void): void {
  const npm = process.ppid
  if (process.env['npm_lifecycle_event'] === undefined) return
  const watch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(watch)
    ask()
  }, NPM_WATCH_MS)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
