import { Fragment, type ReactNode } from 'react'
import { Card, SimpleGrid, Stack, Text, Tooltip } from '@mantine/core'
import { inWords } from '../common/labels.tsx'
import { PageLink } from '../common/page-link.tsx'
import type { Summary } from './campaign.tsx'
import { formatNumber, plural, rich, t } from '../translation/translate.ts'

type Counts = Summary['counts']

const STEPS: [name: keyof Counts, label: string, means: string][] = [
  ['selected', t('Selected'), t('Everybody in the audience when the campaign began.')],
  ['notified', t('Notified'), t('Users with at least one push. The others were skipped, or still wait.')],
  ['notifications', t('Pushes'), t('One for each phone of a notified user.')],
  ['sent', t('Sent'), t('The provider has accepted the push and given a ticket.')],
  [
    'delivered',
    t('Delivered'),
    t('Apple, Google or the service of a browser has taken the push. Pushes by Expo count once their receipt says so.'),
  ],
  ['opened', t('Opened'), t('The user tapped it, or read it in the app.')],
]

const LISTED = ['sent', 'delivered', 'opened']

/** The counts of a campaign, from its audience to those who opened it; they lead to the people behind them. */
export function Funnel({ campaign }: { campaign: Summary }) {
  const { id, counts } = campaign
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 2, xs: 3, xl: 6 }}>
        {STEPS.map(([name, label, means]) => (
          <Tooltip key={name} label={means} multiline w={240}>
            <Card withBorder padding="sm" tabIndex={0}>
              <Text size="xs" c="dimmed">
                {label}
              </Text>
              <Text fz={22} fw={600} className="figure">
                <Listed by={LISTED.includes(name) && counts[name] !== 0 && `status=${name}`} id={id}>
                  {formatNumber(Number(counts[name]))}
                </Listed>
              </Text>
            </Card>
          </Tooltip>
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {toSentences(campaign).map((sentence, place) => (
          <Fragment key={place}>{sentence} </Fragment>
        ))}
      </Text>
    </Stack>
  )
}

function toSentences({ id, status, counts }: Summary): ReactNode[] {
  const skipped = Object.entries(counts.skipped).filter(([, count]) => count > 0)
  const reasons = skipped.map(([why, count], place) => (
    <Fragment key={why}>
      {place > 0 && ', '}
      <Listed by={`skip_reason=${why}`} id={id}>{`${inWords(why)} (${formatNumber(count)})`}</Listed>
    </Fragment>
  ))
  return [
    counts.waiting > 0 && plural(counts.waiting, 'One user waits.', '{count} users wait.'),
    counts.pending > 0 && (status === 'completed' ? unconfirmed(counts.pending) : unfinished(counts.pending)),
    counts.failed > 0 && (
      <Listed by="status=failed" id={id}>
        {plural(counts.failed, 'One push failed.', '{count} pushes failed.')}
      </Listed>
    ),
    counts.possible_duplicates > 0 &&
      plural(
        counts.possible_duplicates,
        'One push may have arrived twice, because the provider never answered; phones merge them into one.',
        '{count} pushes may have arrived twice, because the provider did not answer; phones merge the two into one.',
      ),
    skipped.length > 0 && rich('Skipped: {reasons}.', { reasons }),
  ].filter((sentence) => sentence !== false)
}

/** A count, as a link to the recipients that it counts. */
function Listed({ by, id, children }: { by: string | false; id: number; children: string }) {
  if (by === false) return children
  return (
    <span className="count">
      <PageLink to={`/notifications/${id}?${by}`}>{children}</PageLink>
    </span>
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
