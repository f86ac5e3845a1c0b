import type { MetricRegistry } from './registry.ts'

/** `route` is its pattern; undefined: no route took it. */
type AnsweredRequest = { method: string; route: string | undefined; status: number; seconds: number }

const SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10, 30] as const

export function createHttpMetrics(registry: MetricRegistry) {
  const requests = registry.counter({
    name: 'swapbell_http_requests_total',
    help: 'Answered requests. The label route is the pattern of the address; none: no route matches.',
    labels: ['method', 'route', 'status'],
  })
  const durations = registry.histogram({
    name: 'swapbell_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer. A stream counts as long as it is open.',
    labels: ['method', 'route'],
    buckets: SECONDS,
  })
  return {
    answered: ({ method, route, status, seconds }: AnsweredRequest) => {
      const place = route === undefined ? { method: 'any', route: 'none' } : { method, route }
      requests.inc({ ...place, status })
      durations.observe(place, seconds)
    },
  }
}
