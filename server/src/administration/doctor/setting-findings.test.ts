import { expect, test } from 'vitest'
import { configWith } from '../../platform/config/config.ts'
import { productionFindings } from './setting-findings.ts'

test('names each setting that a service in production should not be without', () => {
  expect(named({})).toEqual([
    ['mail', 'MAIL_URL'],
    ['proxies', 'TRUSTED_PROXIES'],
    ['origin', 'PANEL_ORIGIN'],
    ['metrics', 'METRICS_PORT'],
    ['second-factor', 'SECOND_FACTOR'],
  ])
  const complete = {
    MAIL_URL: 'smtp://mail',
    TRUSTED_PROXIES: ['10.0.0.0/8'],
    PANEL_ORIGIN: 'https://panel.example.com',
    METRICS_PORT: 9464,
    SECOND_FACTOR: 'required' as const,
  }
  expect(named(complete)).toEqual([])
  expect(productionFindings(configWith({}))).toEqual([])
})

function named(change: object) {
  return productionFindings(configWith({ NODE_ENV: 'production', ...change })).flatMap(({ level, check, says }) =>
    level === 'warn' ? [[check, /[A-Z]{2,}_[A-Z_]+/.exec(says)?.[0]]] : [],
  )
}
