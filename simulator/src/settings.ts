/** How the simulator behaves. Every field is optional; times are milliseconds. */
export type SimulatorOptions = {
  /** 0 takes any free port. Default 3200. */
  port?: number
  /** Default 127.0.0.1. The control routes have no password, so another address is the caller's decision. */
  host?: string
  /** Host names to answer to, besides loopback names. Default none. */
  hostNames?: string[]
  /** When set, every protocol request must carry it as a bearer ("enhanced push security"). */
  accessToken?: string
  /** Notifications a second for each project, 0 = no limit. Default 600 (Expo: push FAQ). */
  ratePerSecond?: number
  /** The time from the ticket to its receipt. Default 1000. */
  receiptDelayMs?: number
  /** The time from the ticket until its receipt is gone. Default 24 h (Expo: receipts are kept 24 h). */
  receiptTtlMs?: number
  /** Added to every protocol answer. Default 0. */
  latencyMs?: number
  /** The port of the mailbox, 0 takes any free one. Absent: there is none. */
  mailPort?: number
  /**
   * Where the keys of the doubles of Apple, Google and a browser's push service are kept, and `providers.json` is
   * written, which PUSH_PROVIDERS_FILE names. Absent: there are none.
   */
  providersFolder?: string
  /** The first of their five ports, 0 takes any free ones. Absent: those of the run before. */
  providersPort?: number
  /** Hosts of push services that `providers.json` lists beside the double. Default none. */
  browserHosts?: string[]
  /** A file that gets one JSON line for each accepted message, written before the answer. */
  logFile?: string
  /** The clock in Unix milliseconds; a test may set it. */
  now?: () => number
}

const DAY_MS = 24 * 60 * 60 * 1000

export function withDefaults(options: SimulatorOptions) {
  return {
    port: options.port ?? 3200,
    host: options.host ?? '127.0.0.1',
    hostNames: (options.hostNames ?? []).map((name) => name.toLowerCase()),
    accessToken: options.accessToken ?? '',
    ratePerSecond: options.ratePerSecond ?? 600,
    receiptDelayMs: options.receiptDelayMs ?? 1000,
    receiptTtlMs: options.receiptTtlMs ?? DAY_MS,
    latencyMs: options.latencyMs ?? 0,
    mailPort: options.mailPort ?? null,
    providersFolder: options.providersFolder ?? '',
    providersPort: options.providersPort ?? null,
    browserHosts: options.browserHosts ?? [],
    logFile: options.logFile ?? '',
    now: options.now ?? Date.now,
  }
}

/** Options with all fields; an empty string means "off". */
export type FullOptions = ReturnType<typeof withDefaults>

/** Reads the SIM_ variables. Returns the options, or all faults, one sentence each. */
export function readSettings(env: NodeJS.ProcessEnv): { options: SimulatorOptions; faults: string[] } {
  const faults: string[] = []
  const options: SimulatorOptions = {}
  const numbers = [
    ['SIM_PORT', 'port'],
    ['SIM_RATE_PER_SECOND', 'ratePerSecond'],
    ['SIM_RECEIPT_DELAY_MS', 'receiptDelayMs'],
    ['SIM_RECEIPT_TTL_MS', 'receiptTtlMs'],
    ['SIM_LATENCY_MS', 'latencyMs'],
    ['SIM_MAIL_PORT', 'mailPort'],
    ['SIM_PROVIDERS_PORT', 'providersPort'],
  ] as const
  for (const [name, field] of numbers) {
    const text = env[name]
    if (!text) continue
    if (!/^\d{1,12}$/.test(text)) faults.push(`${name} must be a whole number, not "${text}"`)
    else options[field] = Number(text)
  }
  if ((options.port ?? 0) > 65_535) faults.push('SIM_PORT must be at most 65535')
  if ((options.mailPort ?? 0) > 65_535) faults.push('SIM_MAIL_PORT must be at most 65535')
  if ((options.providersPort ?? 0) > 65_531) faults.push('SIM_PROVIDERS_PORT must be at most 65531')
  const texts = [
    ['SIM_HOST', 'host'],
    ['SIM_ACCESS_TOKEN', 'accessToken'],
    ['SIM_PROVIDERS_FOLDER', 'providersFolder'],
    ['SIM_LOG_FILE', 'logFile'],
  ] as const
  for (const [name, field] of texts) {
    const text = env[name]
    if (text) options[field] = text
  }
  const lists = [
    ['SIM_HOSTNAMES', 'hostNames'],
    ['SIM_BROWSER_HOSTS', 'browserHosts'],
  ] as const
  for (const [name, field] of lists) {
    const names = env[name]?.split(',').map((one) => one.trim())
    if (names) options[field] = names.filter((one) => one !== '')
  }
  return { options, faults }
}
