import { Type, type Static } from 'typebox'
import { Component, Nullable } from '../../platform/http/envelope.ts'
import type { PROVIDER_COUNTS } from '../records/provider-counts.queries.ts'
import type { Providers } from '../provider/registry.ts'
import type { MessageRow } from './campaigns.queries.ts'

export const ProviderReport = Component('ProviderReport', {
  provider: Nullable(
    Type.String({
      description: 'Null: copies counted before counts were kept by provider, or deleted before they were read.',
    }),
  ),
  delivery_known: Type.Union([Type.Enum(['by receipt', 'at once']), Type.Null()], {
    description:
      '`by receipt`: delivered is what receipts confirm. `at once`: Apple, Google or the service of a browser took the push itself, so what it accepted is delivered. Null: the provider is not set up any more.',
  }),
  accepted: Type.Integer({ description: 'Copies that it accepted.' }),
  delivered: Type.Integer({ description: 'Copies that were handed to Apple, Google or the service of a browser.' }),
  failed: Type.Integer(),
  gone: Nullable(
    Type.Integer({ description: 'Those of the failed whose phone has no such token any more. Null: not known.' }),
  ),
  opened: Type.Integer({ description: 'A tap on one phone opens all copies of the user.' }),
})

/** The columns add up to the counts of the message. */
export function toProviderReports(row: MessageRow, providers: Providers): Static<typeof ProviderReport>[] {
  const known = row.providers.map((one) => ({
    ...one,
    delivery_known: providers.find(({ provider }) => provider.name === one.provider)?.provider.deliveryKnown ?? null,
  }))
  const sum = (name: (typeof PROVIDER_COUNTS)[number]) => row.providers.reduce((all, one) => all + one[name], 0)
  const rest = {
    accepted: row.sent - sum('accepted'),
    delivered: row.delivered - sum('delivered'),
    failed: row.failed - sum('failed'),
    opened: row.opened - sum('opened'),
  }
  const isComplete = Object.values(rest).every((count) => count <= 0)
  return isComplete ? known : [...known, { provider: null, delivery_known: null, gone: null, ...rest }]
}
