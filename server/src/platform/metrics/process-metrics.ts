import { readdirSync, readFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import type { MetricRegistry } from './registry.ts'

const LOOK_EVERY_MS = 100
const DELAY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const

/** Unlike prom-client's percentiles, a histogram of the delay does not depend on who scrapes and how often. */
export function createProcessMetrics(registry: MetricRegistry, part: string) {
  const info = registry.gauge({
    name: 'swapbell_process_info',
    help: 'Always 1. The labels are the kind of process (all, web, worker) and its version of Node.',
    labels: ['process', 'node'],
  })
  info.set({ process: part, node: process.versions.node }, 1)
  const delays = registry.histogram({
    name: 'swapbell_event_loop_delay_seconds',
    help: 'The delay of a timer that is due ten times a second, which shows how long the event loop was busy.',
    buckets: DELAY_SECONDS,
  })
  const clock = registry.gauge({
    name: 'swapbell_clock_difference_seconds',
    help: "How far the database's clock, which the service goes by, is ahead of this machine's; negative: behind.",
  })
  describeProcess(registry)
  const watch = () => {
    let expected = performance.now() + LOOK_EVERY_MS
    const timer = setInterval(() => {
      const now = performance.now()
      delays.observe(Math.max(0, now - expected) / 1_000)
      expected = now + LOOK_EVERY_MS
    }, LOOK_EVERY_MS)
    timer.unref()
    return () => clearInterval(timer)
  }
  return { watch, clockDiffers: (ms: number) => clock.set(ms / 1_000) }
}

function describeProcess({ counter, reading }: MetricRegistry): void {
  reading('process_start_time_seconds', 'Start of the process, in seconds since 1970.', () =>
    Math.round(Date.now() / 1_000 - process.uptime()),
  )
  let spent = 0
  counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time, user and system, in seconds.',
    collect: (shown) => {
      const { user, system } = process.cpuUsage()
      const seconds = (user + system) / 1e6
      shown.inc(Math.max(0, seconds - spent))
      spent = seconds
    },
  })
  reading('process_resident_memory_bytes', 'Resident memory, in bytes.', () => process.memoryUsage.rss())
  reading('nodejs_heap_used_bytes', 'Used part of the JavaScript heap, in bytes.', () => process.memoryUsage().heapUsed)
  reading(
    'nodejs_heap_limit_bytes',
    'Size of the JavaScript heap at which the process ends, in bytes.',
    () => getHeapStatistics().heap_size_limit,
  )
  reading('process_open_fds', 'Open files and sockets; only on Linux.', countOpenFiles)
  const most = openFilesMost()
  reading('process_max_fds', 'Files and sockets that the process may have open; only on Linux.', () => most)
}

function countOpenFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

function openFilesMost(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
