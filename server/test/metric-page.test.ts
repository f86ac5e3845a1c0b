import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { metricPage, metricsThereAre } from './support/metric-table.ts'

const PAGE = new URL('../../docs/metrics.md', import.meta.url).pathname

test('docs/metrics.md lists every metric of the code', async () => {
  const options = await resolveConfig(PAGE)
  await expect(await format(metricPage(), { ...options, filepath: PAGE })).toMatchFileSnapshot(PAGE)
})

test('metrics follow the conventions of Prometheus', () => {
  for (const { name, type, labels, help } of metricsThereAre()) {
    expect(name).toMatch(/^(?:swapbell|process|nodejs)_[a-z0-9_]+$/)
    expect(name.endsWith('_total')).toBe(type === 'counter')
    expect(name).not.toMatch(/_(?:ms|milliseconds|minutes|kb)(?:_|$)/)
    expect(help).toMatch(/\S.*\.$/)
    for (const label of labels) expect(label).toMatch(/^[a-z]+$/)
  }
})
