import { Button, Group, Kbd, Paper, Progress, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { tellRefusal } from '../common/tell.ts'
import { t } from '../translation/translate.ts'

/** How long a decision can be undone, before people are informed. */
const HELD_MS = 5_000

export type HeldDecision = {
  productId: number
  /** What was decided, in words: while it waits, and after it was sent. */
  waiting: string
  done: string
  /** Sends the decision; `isLeaving`: in a request that outlives the page. */
  send: (isLeaving: boolean) => Promise<unknown>
}

/**
 * Holds each decision for some seconds before it is sent, so that it can be taken back without anybody having been
 * told. The next decision, another page and the end of the panel send it at once. `refresh`: what is asked for anew
 * after it was sent.
 */
export function useHeldDecision(refresh: string[]) {
  const [held, setHeld] = useState<HeldDecision>()
  const [sending, setSending] = useState<number[]>([])
  const waiting = useRef<HeldDecision>(undefined)
  const queries = useQueryClient()
  const flush = useRef((_isLeaving: boolean): void => undefined)
  flush.current = (isLeaving) => {
    const decision = waiting.current
    if (decision === undefined) return
    waiting.current = undefined
    setHeld(undefined)
    setSending((ids) => [...ids, decision.productId])
    void decision
      .send(isLeaving)
      .then(() => notifications.show({ color: 'green', message: decision.done }), tellUndecided)
      .then(() => Promise.all(refresh.map((name) => queries.invalidateQueries({ queryKey: [name] }))))
      .then(() => setSending((ids) => ids.filter((id) => id !== decision.productId)))
  }
  useEffect(() => {
    const leave = () => flush.current(true)
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      flush.current(false)
    }
  }, [])
  useEffect(() => {
    if (held === undefined) return undefined
    const timer = setTimeout(() => flush.current(false), HELD_MS)
    return () => clearTimeout(timer)
  }, [held])
  return {
    held,
    /** The products that are decided, and not yet known to be by the list. */
    decided: [...sending, ...(held === undefined ? [] : [held.productId])],
    hold: (decision: HeldDecision) => {
      flush.current(false)
      waiting.current = decision
      setHeld(decision)
    },
    /** Takes the decision back that waits; gives its product. */
    takeBack: (): number | undefined => {
      const productId = waiting.current?.productId
      waiting.current = undefined
      setHeld(undefined)
      return productId
    },
  }
}

function tellUndecided(thrown: unknown): void {
  tellRefusal(thrown, { title: t('Nothing was decided'), autoClose: false })
}

/** The decision that waits, and the way back. */
export function HeldBar({ held, undo }: { held: HeldDecision | undefined; undo: () => void }) {
  return (
    <div role="status">
      {held !== undefined && (
        <Paper withBorder p="xs" key={held.productId}>
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {held.waiting}
            </Text>
            <Button size="compact-sm" variant="default" onClick={undo} rightSection={<Kbd size="xs">Z</Kbd>}>
              {t('Undo')}
            </Button>
          </Group>
          <Progress value={100} size={3} mt={6} className="running-out" aria-hidden />
        </Paper>
      )}
    </div>
  )
}
