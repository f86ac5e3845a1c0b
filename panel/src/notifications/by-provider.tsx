import { Box, Stack, Text } from '@mantine/core'
import { Rows } from '../common/list-rows.tsx'
import { TitledCard } from '../common/titled-card.tsx'
import { formatNumber, t } from '../translation/translate.ts'
import type { Summary } from './campaign.tsx'

type Provider = Summary['providers'][number]

const DELIVERED: Record<NonNullable<Provider['delivery_known']>, string> = {
  'by receipt': t('delivered when its receipt says so'),
  'at once': t('delivered as soon as accepted'),
}

/** What became of the pushes of each provider, where the campaign used any. */
export function ByProvider({ providers }: Pick<Summary, 'providers'>) {
  if (providers.length === 0) return null
  return (
    <Box mt="md">
      <TitledCard title={t('By provider')}>
        <Stack gap="xs">
          <Rows
            title={t('By provider')}
            minWidth={520}
            rowKey={({ provider }) => provider ?? ''}
            rows={providers}
            columns={[
              { header: t('Provider'), isHead: true, cell: (row) => <Name of={row} /> },
              { header: t('Accepted by it'), isNumber: true, cell: ({ accepted }) => formatNumber(accepted) },
              { header: t('Delivered'), isNumber: true, cell: ({ delivered }) => formatNumber(delivered) },
              { header: t('Failed'), isNumber: true, cell: ({ failed }) => formatNumber(failed) },
              { header: t('Gone'), isNumber: true, cell: ({ gone }) => (gone === null ? '–' : formatNumber(gone)) },
              { header: t('Opened'), isNumber: true, cell: ({ opened }) => formatNumber(opened) },
            ]}
          />
          <Text size="sm" c="dimmed">
            {t(
              'Delivered means handed to Apple, Google or the service of a browser; whether a phone showed it is not known. Gone are those of the failed whose app is not on the phone any more.',
            )}
            {providers.some(({ provider }) => provider === null) &&
              ` ${t('Not told apart are pushes from before the counts of each provider were kept, and those whose details were deleted.')}`}
          </Text>
        </Stack>
      </TitledCard>
    </Box>
  )
}

function Name({ of: { provider, delivery_known: known } }: { of: Provider }) {
  return (
    <>
      {provider ?? t('not told apart')}
      {known !== null && (
        <Text size="xs" c="dimmed">
          {DELIVERED[known]}
        </Text>
      )}
    </>
  )
}
