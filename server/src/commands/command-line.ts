import { parseArgs } from 'node:util'
import type { Deps } from '../deps.ts'
import type { Command, OptionRule, Options, Outcome, Place } from '../platform/process/command.ts'

/** A command for any database, or none. `toleratesFaults`: it tells of faults of the settings itself. */
export type PlaceCommand = Omit<Command<Deps>, 'run'> & {
  runAt: (place: Place, options: Options) => Promise<Outcome>
  toleratesFaults?: true
}

export type AnyCommand = Command<Deps> | PlaceCommand

export type Commands = Readonly<Record<string, AnyCommand>>

export type ParsedCommand =
  | { kind: 'run'; name: string; command: AnyCommand; options: Options }
  | { kind: 'help'; text: string }
  | { kind: 'fault'; text: string }

// The pages call it so: docs/operations.md says what it stands for in a checkout, on a machine and in a container.
const CALL = 'manage'
const HELP = new Set(['--help', '-h'])

/** Reads strictly: a command, and its own options, each once and with its value. */
export function readCommandLine(args: readonly string[], commands: Commands): ParsedCommand {
  const [first, ...rest] = args
  if (first === undefined) return { kind: 'fault', text: `Say which command.\n\n${usage(commands)}` }
  if (HELP.has(first) || (first === 'help' && rest.length === 0)) return { kind: 'help', text: usage(commands) }
  const name = first === 'help' ? rest[0]! : first
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) return { kind: 'fault', text: `There is no command ${name}.\n\n${usage(commands)}` }
  if (first === 'help' || rest.some((arg) => HELP.has(arg))) return { kind: 'help', text: describeUsage(name, command) }
  const read = readOptions(rest, listOptions(command))
  if ('fault' in read) return { kind: 'fault', text: `${read.fault}\n\n${describeUsage(name, command)}` }
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

function listOptions({ options = {} }: AnyCommand): Readonly<Record<string, OptionRule>> {
  return { json: { doc: 'As JSON: command, code and says, a list of lines.' }, ...options }
}

function describeUsage(name: string, command: AnyCommand): string {
  const { doc } = command
  const rows = Object.entries(listOptions(command)).map(([option, rule]) => ({
    form: rule.takes === undefined ? `--${option}` : `--${option} ${rule.takes}`,
    ...rule,
  }))
  const forms = rows.map(({ form, isRequired }) => (isRequired ? form : `[${form}]`))
  const width = Math.max(0, ...rows.map(({ form }) => form.length))
  const lines = rows.map(({ form, doc: ofOption }) => `  ${form.padEnd(width)}  ${ofOption}`)
  return [`Usage: ${[CALL, name, ...forms].join(' ')}`, doc, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}
