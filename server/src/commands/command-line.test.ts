import { describe, expect, test } from 'vitest'
import { readCommandLine, type Commands } from './command-line.ts'

const run = async () => ({ text: '', isGood: true })
const COMMANDS: Commands = {
  plain: { doc: 'Does one thing.', run },
  count: {
    doc: 'Counts.',
    options: {
      from: { takes: 'N', isRequired: true, doc: 'Where it begins.' },
      to: { takes: 'N', doc: 'Where it ends.' },
      loudly: { doc: 'Aloud.' },
    },
    run,
  },
}

function ask(line: string) {
  return readCommandLine(line === '' ? [] : line.split(' '), COMMANDS)
}

describe('the command line', () => {
  test('gives the command and its options', () => {
    expect(ask('count --from 1 --to=-5 --loudly')).toMatchObject({
      kind: 'run',
      name: 'count',
      command: COMMANDS['count'],
      options: { from: '1', to: '-5', loudly: 'yes' },
    })
    expect(ask('plain')).toMatchObject({ kind: 'run', options: {} })
  })

  test.for([
    ['', 'Say which command.'],
    ['plan', 'There is no command plan.'],
    ['toString', 'There is no command toString.'],
    ['help plan', 'There is no command plan.'],
    ['plain --from 1', '--from is not an option of this command.'],
    ['count --from 1 --form 2', '--form is not an option of this command.'],
    ['count --from 1 -l', '-l is not an option of this command.'],
    ['count --from 1 --toString', '--toString is not an option of this command.'],
    ['count --from 1 two', 'two is not expected here.'],
    ['count --from', '--from needs a value: --from N.'],
    ['count --from=', '--from needs a value: --from N.'],
    ['count --from --loudly', '--from needs a value: --from N.'],
    ['count --from 1 --from 2', '--from is given twice.'],
    ['count --from 1 --loudly=no', '--loudly takes no value.'],
    ['count --to 1', '--from is required.'],
  ] as const)('refuses “%s”: %s', ([line, sentence]) => {
    const asked = ask(line)
    expect(asked).toMatchObject({ kind: 'fault' })
    const [first, empty, usage] = (asked.kind === 'fault' ? asked.text : '').split('\n')
    expect([first, empty]).toEqual([sentence, ''])
    expect(usage).toMatch(/^Usage: /)
  })

  test.for(['--help', '-h', 'help'])('lists all commands for %s', (line) => {
    const asked = ask(line)
    expect(asked).toMatchObject({ kind: 'help' })
    expect(asked.kind === 'help' && asked.text).toMatch(/plain {2}Does one thing\.\n {2}count {2}Counts\./)
  })

  test.for(['help count', 'count --help', 'count --nonsense -h'])('shows the options of a command for “%s”', (line) => {
    expect(ask(line)).toEqual({
      kind: 'help',
      text: [
        'Usage: manage count [--json] --from N [--to N] [--loudly]',
        'Counts.',
        '',
        '  --json    As JSON: command, code and says, a list of lines.',
        '  --from N  Where it begins.',
        '  --to N    Where it ends.',
        '  --loudly  Aloud.',
      ].join('\n'),
    })
  })
})
