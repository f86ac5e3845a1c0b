import { Card, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core'
import { inWords } from '../common/labels.tsx'
import type { Summary } from './campaign.tsx'
import { numberOf, plural, t } from '../translation/translate.ts'

type Counts = Summary['counts']

const STEPS: [name: keyof Counts, label: string, means: string][] = [
  ['selected', t('Selected'), t('Everybody in the audience when the campaign began.')],
  ['notified', t('Notified'), t('Users with at least one push. The others were skipped, or still wait.')],
  ['notifications', t('Pushes'), t('One for each phone of a notified user.')],
  ['sent', t('Sent'), t('The provider has accepted the push and given a ticket.')],
  ['delivered', t('Delivered'), t('The provider’s receipt says that Apple or Google has taken the push.')],
  ['opened', t('Opened'), t('The user tapped it, or read it in the app.')],
]

/** The counts of a campaign, from its audience to those who opened it. */
export function Funnel({ campaign: { status, counts } }: { campaign: Summary }) {
  const skipped = Object.entries(counts.skipped).filter(([, count]) => count > 0)
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }}>
        {STEPS.map(([name, label, means]) => (
          <Tooltip key={name} label={means} multiline w={240}>
            <Card withBorder padding="sm" tabIndex={0}>
              <Text size="xs" c="dimmed">
                {label}
              </Text>
              <Text fz={22} fw={600} className="figure">
                {numberOf(Number(counts[name]))}
              </Text>
            </Card>
          </Tooltip>
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {[
          counts.waiting > 0 && plural(counts.waiting, 'One user waits.', '{count} users wait.'),
          counts.pending > 0 && (status === 'completed' ? unconfirmed(counts.pending) : unfinished(counts.pending)),
          counts.failed > 0 && plural(counts.failed, 'One push failed.', '{count} pushes failed.'),
          counts.possible_duplicates > 0 &&
            plural(
              counts.possible_duplicates,
              'One push may have arrived twice, because the provider never answered; phones merge them into one.',
              '{count} pushes may have arrived twice, because the provider did not answer; phones merge the two into one.',
            ),
          skipped.length > 0 &&
            t('Skipped: {reasons}.', {
              reasons: skipped.map(([why, count]) => `${numberOf(count)} ${inWords(why)}`).join(', '),
            }),
        ]
          .filter((sentence) => sentence !== false)
          .join(' ')}
      </Text>
    </Stack>
  )
}

function unconfirmed(count: number): string {
  return plural(count, 'One push is sent and awaits its receipt.', '{count} pushes are sent and await their receipts.')
}

function unfinished(count: number): string {
  return plural(
    count,
    'One push waits to be sent, or for its receipt.',
    '{count} pushes wait to be sent, or for their receipts.',
  )
}
