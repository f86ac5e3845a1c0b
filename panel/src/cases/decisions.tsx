import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { notifications } from '@mantine/notifications'
import { api, readBody } from '../api/client.ts'
import { toRefusal } from '../api/refusal.ts'
import { inWords } from '../common/labels.tsx'
import { tellDone, tellRefusal } from '../common/tell.ts'
import { useKeys } from '../shell/keys.tsx'
import { t } from '../translation/translate.ts'
import { DecisionsBar } from './decisions-bar.tsx'

export type Decision = Awaited<ReturnType<typeof loadDecisions>>[number]
type Kind = Decision['kind']

/** A decision that the service is given, and what is said of it. */
export type NewDecision = {
  kind: Kind
  recordId: number
  /** What it is about, such as the title of a product. */
  title: string
  waiting: string
  done: string
  decision: Promise<Decision>
}

/** `id`: absent until the service has it, which is at the moment `since`. */
export type Made = NewDecision & { key: string; id?: number; since?: number; isUndone?: true; isTold?: true }

type Decisions = {
  add: (decision: NewDecision) => void
  isDecided: (kind: Kind, recordId: number) => boolean
  /** The decision that was undone last. */
  undone: Made | undefined
}

const LOOK_EVERY_MS = 1_000
const SURELY_LISTED_MS = 60_000
const QUERY = { queryKey: ['decisions'], queryFn: loadDecisions }
const Context = createContext<Decisions | undefined>(undefined)

/** The query of a call whose decision the service carries out after five seconds, unless it is undone. */
export const UNDOABLE = { undoable: true } as const

async function loadDecisions() {
  return (await readBody(api.GET('/api/admin/v1/decisions'))).data
}

/** The decision that a call with `UNDOABLE` is answered with. */
export async function heldBy(call: Promise<{ data: unknown }>): Promise<Decision> {
  return (await call).data as Decision
}

export function useDecisions(): Decisions {
  return use(Context) as Decisions
}

/** A decision by a form, which shows what the service refuses. */
export function useDecide<Input>(
  call: (input: Input) => Promise<{ data: unknown }>,
  about: (input: Input) => Omit<NewDecision, 'decision'>,
) {
  const { add } = useDecisions()
  return useMutation({
    mutationFn: (input: Input) => heldBy(call(input)),
    onSuccess: (decision, input) => add({ ...about(input), decision: Promise.resolve(decision) }),
  })
}

/** Knows on every page the decisions that can be undone, and tells what became of them. Z undoes the last one, and
 * again the one before. */
export function DecisionsMade({ children }: { children: ReactNode }) {
  const [made, setMade] = useState<Made[]>([])
  const [undone, setUndone] = useState<Made>()
  const queries = useQueryClient()
  const change = (key: string, part: Partial<Made>) =>
    setMade((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const drop = (key: string) => setMade((all) => all.filter((one) => one.key !== key))
  const add = (decision: NewDecision) => {
    const key = crypto.randomUUID()
    setMade((all) => [{ ...decision, key }, ...all])
    decision.decision.then(
      ({ id }) => change(key, { id, since: Date.now() }),
      (thrown: unknown) => {
        drop(key)
        const isKnown = toRefusal(thrown).code !== 'UNKNOWN_OUTCOME'
        const title = isKnown ? t('{title}: nothing was decided', decision) : decision.title
        tellRefusal(thrown, { title, autoClose: false })
        void queries.invalidateQueries()
      },
    )
  }
  const undo = async (one: Made) => {
    change(one.key, { isUndone: true })
    setUndone(one)
    const decision = await one.decision.catch(() => undefined)
    if (decision === undefined) return
    const { id } = decision
    await readBody(api.POST('/api/admin/v1/decisions/{id}/undo', { params: { path: { id } }, body: {} })).catch(
      (thrown: unknown) => tellRefusal(thrown, { title: t('{title}: not undone', one), autoClose: false }),
    )
    await queries.invalidateQueries()
    drop(one.key)
  }
  const tell = async (one: Made, { status, error }: Decision) => {
    change(one.key, { isTold: true })
    if (status === 'done') tellDone(one.done)
    if (status === 'failed')
      notifications.show({
        color: 'red',
        title: t('{title}: nothing was decided', one),
        message: error ?? '',
        autoClose: false,
      })
    await queries.invalidateQueries()
    drop(one.key)
  }
  const forget = (one: Made) => {
    drop(one.key)
    void queries.invalidateQueries()
  }
  useNews(made, { add, tell, forget })
  const open = made.filter(({ isUndone, isTold }) => isUndone !== true && isTold !== true)
  const [last] = open
  useKeys(last === undefined ? [] : [{ keys: 'z', does: t('Undo'), act: () => undo(last) }])
  const isDecided: Decisions['isDecided'] = (kind, recordId) =>
    made.some((one) => one.kind === kind && one.recordId === recordId && one.isUndone !== true)
  return (
    <Context value={{ add, isDecided, undone }}>
      {children}
      <DecisionsBar open={open} undo={(one) => void undo(one)} />
    </Context>
  )
}

type News = {
  add: (decision: NewDecision) => void
  tell: (one: Made, decision: Decision) => Promise<void>
  forget: (one: Made) => void
}

/** Asks the service about the decisions while any is open; adds those of before the panel was loaded. */
function useNews(made: Made[], { add, tell, forget }: News): void {
  const { data, dataUpdatedAt } = useQuery({ ...QUERY, refetchInterval: made.length > 0 && LOOK_EVERY_MS })
  useEffect(() => {
    for (const decision of data ?? []) {
      const one = made.find(({ id, kind, recordId }) =>
        id === undefined ? kind === decision.kind && recordId === decision.record_id : id === decision.id,
      )
      const isWaiting = decision.status === 'waiting'
      if (one === undefined && isWaiting) add(madeBefore(decision))
      else if (one?.id === decision.id && !isWaiting && one.isUndone !== true && one.isTold !== true)
        void tell(one, decision)
    }
    // One that ended long ago is not listed any more: the panel slept through its end.
    for (const one of made)
      if (dataUpdatedAt - (one.since ?? Infinity) > SURELY_LISTED_MS && !data?.some(({ id }) => id === one.id))
        forget(one)
  }, [data, dataUpdatedAt, made])
}

function madeBefore(decision: Decision): NewDecision {
  const { kind, record_id: recordId, verdict } = decision
  const title = t('No. {id}', { id: String(recordId) })
  const words = { title, done: inWords(verdict) }
  return {
    kind,
    recordId,
    title,
    waiting: t('{title}: {done}. Nobody is informed yet.', words),
    done: t('{title}: {done}.', words),
    decision: Promise.resolve(decision),
  }
}
