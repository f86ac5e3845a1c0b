import { Group, Stack, Text } from '@mantine/core'
import { AskButton } from '../common/ask-button.tsx'
import { plural, t } from '../translation/translate.ts'
import { changeShare, rollOutsQuery, SHARES, type RollOut, type Share } from './roll-outs.ts'

/** The shares to choose from; the one that holds cannot be chosen. */
export function Steps({ of }: { of: RollOut }) {
  const { provider, from, share: now } = of
  const label = t('Share of phones reached directly')
  return (
    <div role="group" aria-label={`${label}: ${provider}`}>
      <Text size="sm" mb={4}>
        {label}
      </Text>
      <Group gap={6}>
        {SHARES.map((share) => (
          <AskButton
            key={share}
            opens={t('{share} %', { share })}
            title={share === 0 ? t('Return to {from}?', { from }) : t('Reach {share} % directly?', { share })}
            label={share === 0 ? t('Return to {from}', { from }) : t('Reach {share} % directly', { share })}
            color="cyan"
            button={{ disabled: share === now }}
            call={() => changeShare(provider, share)}
            done={t('{provider}: {share} % directly', { provider, share })}
            refresh={rollOutsQuery.queryKey}
          >
            <Consequences of={of} share={share} />
          </AskButton>
        ))}
      </Group>
    </div>
  )
}

/** What a choice causes, and whether a smaller step comes before it. */
function Consequences({ of, share }: { of: RollOut; share: Share }) {
  const next = SHARES.find((step) => step > of.share) ?? share
  return (
    <Stack gap="xs">
      <Text size="sm">{describeMove(of, share)}</Text>
      <Text size="sm">{t('Pushes that already wait keep their way. The figures of both ways begin anew.')}</Text>
      {share > next && (
        <Text size="sm" fw={600}>
          {t('The next step would be {next} %: a fault would meet fewer phones.', { next })}
        </Text>
      )}
    </Stack>
  )
}

function describeMove({ provider, from, share: now, phones, phones_native: direct }: RollOut, share: Share): string {
  if (phones === 0) return t('No phone has sent both addresses yet. The share is of those that will.')
  const count = Math.abs(Math.round((phones * share) / 100) - direct)
  const [old, way] = share > now ? [from, provider] : [provider, from]
  if (share === 0 || share === 100)
    return plural(count, 'One phone changes from {old} to {way}.', '{count} phones change from {old} to {way}.', {
      old,
      way,
    })
  return plural(
    count,
    'About one of {phones} phones changes from {old} to {way}.',
    'About {count} of {phones} phones change from {old} to {way}.',
    { phones, old, way },
  )
}
