import type { Loops } from '../jobs/loops.ts'
import type { MetricRegistry } from './registry.ts'

const JOB_SECONDS = [0.05, 0.25, 1, 5, 30, 120] as const
const OUTCOMES = ['done', 'failed'] as const

export function createWorkMetrics(registry: MetricRegistry, queues: readonly string[], loops: Loops) {
  const count = () => loops.count()
  registry.reading('swapbell_loops', 'Loops of this worker that must run, whether or not there is work.', count)
  const late = 'Loops of this worker that are late; with one late loop it is not live.'
  registry.reading('swapbell_loops_late', late, () => loops.late().length)
  const jobs = registry.counter({
    name: 'swapbell_jobs_total',
    help: 'Ended jobs by queue: done, or failed.',
    labels: ['queue', 'outcome'],
  })
  for (const queue of queues) for (const outcome of OUTCOMES) jobs.inc({ queue, outcome }, 0)
  const durations = registry.histogram({
    name: 'swapbell_job_duration_seconds',
    help: 'Time of a job.',
    labels: ['queue'],
    buckets: JOB_SECONDS,
  })
  const chores = registry.counter({
    name: 'swapbell_chores_total',
    help: 'Ended chores: done, or failed. A job such as the sweep has several.',
    labels: ['chore', 'outcome'],
  })
  return {
    jobRan: (queue: string, seconds: number, hasFailed: boolean) => {
      jobs.inc({ queue, outcome: toOutcome(hasFailed) })
      durations.observe({ queue }, seconds)
    },
    choreRan: (chore: string, hasFailed: boolean) => {
      // A chore that never succeeded has a count of successes too.
      for (const outcome of OUTCOMES) chores.inc({ chore, outcome }, outcome === toOutcome(hasFailed) ? 1 : 0)
    },
  }
}

function toOutcome(hasFailed: boolean): (typeof OUTCOMES)[number] {
  return hasFailed ? 'failed' : 'done'
}
