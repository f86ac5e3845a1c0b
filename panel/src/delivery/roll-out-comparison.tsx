import { Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Moment } from '../common/moment.tsx'
import { formatNumber, rich, t } from '../translation/translate.ts'
import { judge, computeRate, type Figure } from './roll-out-judgement.ts'
import { splitWays, type RollOut } from './roll-outs.ts'

const TOP = { verticalAlign: 'top' }
const NUMBER = { ...TOP, whiteSpace: 'nowrap' } as const

/** What became of the pushes of both ways since the last change of share, and what it means. */
export function Comparison({ of }: { of: RollOut }) {
  const { provider, from, phones, phones_native: direct } = of
  const rates = (figure: Figure) =>
    splitWays(of).map((way) => <Rate key={way.provider} {...computeRate(way, figure)} />)
  return (
    <div>
      <Text size="sm">
        <LastChange of={of} />
      </Text>
      <Table.ScrollContainer minWidth={0} scrollAreaProps={{ type: 'auto', viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={t('Both ways: {provider}', { provider })} highlightOnHover={false} horizontalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th ta="right" style={NUMBER}>
                {t('Directly')}
              </Table.Th>
              <Table.Th ta="right" style={NUMBER}>
                {t('By {from}', { from })}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Row title={t('Phones now')} meaning={t('Those that have sent both addresses.')}>
              {[direct, phones - direct].map(formatNumber)}
            </Row>
            <Row
              title={t('Delivered')}
              meaning={t('Handed to Apple or Google; by {from} as its receipts say.', { from })}
            >
              {rates('accepted')}
            </Row>
            <Row title={t('Refused')} meaning={t('Refused for good; the phone stays.')}>
              {rates('refused')}
            </Row>
            <Row
              title={t('Gone')}
              meaning={t('Of the delivered and these: the app is not on the phone any more, and the phone is removed.')}
            >
              {rates('gone')}
            </Row>
            <Row title={t('Opened')} meaning={t('Of the delivered. Opens of pushes from before the change count too.')}>
              {rates('opened')}
            </Row>
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {of.returned_at === null && (
        <Text size="sm" mt="sm" fw={600}>
          {judge(of)}
        </Text>
      )}
    </div>
  )
}

function LastChange({ of: { changed_at: at, changed_by: by } }: { of: RollOut }) {
  if (at === null) return t('Never changed')
  const when = <Moment key="when" at={at} />
  return by === null ? rich('Since {when}', { when }) : rich('Since {when}, by {name}', { when, name: by })
}

type RowProps = { title: string; meaning: string; children: ReactNode[] }

function Row({ title, meaning, children }: RowProps) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} style={TOP}>
        {title}
        <div className="about">{meaning}</div>
      </Table.Th>
      {children.map((cell, place) => (
        <Table.Td key={place} ta="right" style={NUMBER}>
          {cell}
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

function Rate({ count, whole }: { count: number; whole: number }) {
  if (whole === 0) return '–'
  return (
    <>
      {`${formatNumber(Math.round((count / whole) * 10_000) / 100)} %`}
      <div className="about">{formatNumber(count)}</div>
    </>
  )
}
