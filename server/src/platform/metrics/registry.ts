import { setImmediate as turn } from 'node:timers/promises'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

type Described<Label extends string> = { name: string; help: string; labels?: readonly Label[] }

/** Labels hold words of this code, never ids or text of callers, so that the number of series has a bound. */
export type MetricRegistry = {
  /** `collect` sets the values at each scrape. */
  counter<Label extends string = never>(
    described: Described<Label> & { collect?: (counter: Counter<Label>) => void },
  ): Counter<Label>
  gauge<Label extends string = never>(
    described: Described<Label> & { collect?: (gauge: Gauge<Label>) => void },
  ): Gauge<Label>
  /** `read` gives the value at each scrape; undefined: there is none. */
  reading(name: string, help: string, read: () => number | undefined): void
  histogram<Label extends string = never>(
    described: Described<Label> & { buckets: readonly number[] },
  ): Histogram<Label>
  describe(): { name: string; help: string; type: string; labels: string[] }[]
  /** The event loop turns between two metrics, because some have thousands of lines. */
  text(): Promise<string>
}

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE

/** It is not prom-client's global one, so that two services in a process do not mix. */
export function createRegistry(): MetricRegistry {
  const registry = new Registry()
  const made: { name: string; help: string; type: string; labels: string[] }[] = []
  const toSettings = <Label extends string>({ name, help, labels = [] }: Described<Label>, type: string) => {
    made.push({ name, help, type, labels: [...labels] })
    return { name, help, labelNames: [...labels], registers: [registry] }
  }
  const gauge: MetricRegistry['gauge'] = ({ collect, ...described }) => {
    const settings = toSettings(described, 'gauge')
    return new Gauge({ ...settings, ...(collect && { collect: collecting(collect) }) })
  }
  return {
    counter: ({ collect, ...described }) => {
      const settings = toSettings(described, 'counter')
      return new Counter({ ...settings, ...(collect && { collect: collecting(collect) }) })
    },
    gauge,
    reading: (name, help, read) => {
      const collect = (shown: Gauge) => {
        const value = read()
        if (value !== undefined) shown.set(value)
      }
      gauge({ name, help, collect })
    },
    histogram: ({ buckets, ...described }) =>
      new Histogram({ ...toSettings(described, 'histogram'), buckets: [...buckets] }),
    describe: () => made,
    text: async () => {
      const parts: string[] = []
      for (const { name } of made) {
        parts.push(await registry.getSingleMetricAsString(name))
        await turn()
      }
      return `${parts.join('\n')}\n`
    },
  }
}

function collecting<Metric>(collect: (metric: Metric) => void): (this: Metric) => void {
  return function (this: Metric) {
    collect(this)
  }
}
