import { parseArgs } from 'node:util'
import type { Config } from './platform/config/config.ts'
import type { Deps } from './deps.ts'
import type { Log } from './platform/shared/log.ts'

/** Names without dashes. One that takes no value is `yes` when it was given. */
export type Options = Readonly<Record<string, string | undefined>>

/** `isGood`: exit code 0, else 1. */
export type Outcome = { text: string; isGood: boolean }

/** `takes`: what its usage shows; absent: no value. */
type OptionRule = { takes?: string; isRequired?: true; doc: string }

/** `warnings`: variables that look like settings and are none. `hasSecret`: of the audit log. `isLocal`: embedded. */
export type Place = {
  config: Config
  log: Log
  faults: string[]
  warnings: string[]
  hasSecret: boolean
  isLocal: boolean
}

/** `run` works on a database of this version, `runAt` on any. `isAudited`: it signs, so the secret is demanded. */
export type Command = {
  doc: string
  options?: Readonly<Record<string, OptionRule>>
  isAudited?: true
} & (
  | { run: (deps: Deps, options: Options) => Promise<Outcome> }
  | {
      runAt: (place: Place, options: Options) => Promise<Outcome>
      /** It tells of faults of the settings itself. */
      toleratesFaults?: true
    }
)

export type Commands = Readonly<Record<string, Command>>

export type Asked =
  | { kind: 'run'; name: string; command: Command; options: Options }
  | { kind: 'help'; text: string }
  | { kind: 'fault'; text: string }

const CALL = 'npm run manage --'
const HELP = new Set(['--help', '-h'])

/** Strictly: a command, and its own options, each once and with its value. */
export function readCommandLine(args: readonly string[], commands: Commands): Asked {
  const [first, ...rest] = args
  if (first === undefined) return { kind: 'fault', text: `Say which command.\n\n${usage(commands)}` }
  if (HELP.has(first) || (first === 'help' && rest.length === 0)) return { kind: 'help', text: usage(commands) }
  const name = first === 'help' ? rest[0]! : first
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return { kind: 'fault', text: `There is no command ${name}.\n\n${usage(commands)}` }
  if (first === 'help' || rest.some((arg) => HELP.has(arg))) return { kind: 'help', text: usageOf(name, command) }
  const read = readOptions(rest, optionsOf(command))
  if ('fault' in read) return { kind: 'fault', text: `${read.fault}\n\n${usageOf(name, command)}` }
  return { kind: 'run', name, command, options: read.options }
}

function readOptions(
  args: string[],
  rules: Readonly<Record<string, OptionRule>>,
): { options: Options } | { fault: string } {
  const types = Object.entries(rules).map(([name, { takes }]) => [
    name,
    { type: takes === undefined ? ('boolean' as const) : ('string' as const) },
  ])
  const { tokens } = parseArgs({ args, strict: false, tokens: true, options: Object.fromEntries(types) })
  const options: Record<string, string> = {}
  for (const token of tokens) {
    if (token.kind === 'positional') return { fault: `${token.value} is not expected here.` }
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const rule = rawName.startsWith('--') && Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) return { fault: `${rawName} is not an option of this command.` }
    if (options[name] !== undefined) return { fault: `${rawName} is given twice.` }
    if (rule.takes === undefined && value !== undefined) return { fault: `${rawName} takes no value.` }
    // The next option is not a value, unless it is written with an equals sign.
    const isMissing = value === undefined || value === '' || (!inlineValue && value.startsWith('--'))
    if (rule.takes !== undefined && isMissing) return { fault: `${rawName} needs a value: ${rawName} ${rule.takes}.` }
    options[name] = value ?? 'yes'
  }
  const missing = Object.entries(rules).find(([name, { isRequired }]) => isRequired && options[name] === undefined)
  return missing ? { fault: `--${missing[0]} is required.` } : { options }
}

function usage(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = Object.entries(commands).map(([name, { doc }]) => `  ${name.padEnd(width)}  ${doc}`)
  return [`Usage: ${CALL} COMMAND [options]`, '', ...lines, '', `${CALL} help COMMAND shows its options.`].join('\n')
}

function optionsOf({ options = {} }: Command): Readonly<Record<string, OptionRule>> {
  return { json: { doc: 'As JSON: command, code and says, a list of lines.' }, ...options }
}

function usageOf(name: string, command: Command): string {
  const { doc } = command
  const rows = Object.entries(optionsOf(command)).map(([option, rule]) => ({ form: formOf(option, rule), ...rule }))
  const forms = rows.map(({ form, isRequired }) => (isRequired ? form : `[${form}]`))
  const width = Math.max(0, ...rows.map(({ form }) => form.length))
  const lines = rows.map(({ form, doc: ofOption }) => `  ${form.padEnd(width)}  ${ofOption}`)
  return [`Usage: ${[CALL, name, ...forms].join(' ')}`, doc, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}

function formOf(option: string, { takes }: OptionRule): string {
  return takes === undefined ? `--${option}` : `--${option} ${takes}`
}
