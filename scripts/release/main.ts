import { STEPS, readSettings, type Step } from './steps.ts'

const [name = '', ...others] = process.argv.slice(2)
const step = (STEPS as Record<string, Step | undefined>)[name]
if (step === undefined || others.length > 0) {
  const list = Object.entries(STEPS).map(([known, { doc }]) => `  ${known.padEnd(16)}${doc}`)
  process.stderr.write(`npm run release -- STEP, in this order:\n${list.join('\n')}\n`)
  process.exitCode = 2
} else {
  try {
    process.stdout.write(`${await step.run(readSettings(process.env))}\n`)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
