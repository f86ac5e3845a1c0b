/** A fault that somebody could write: in a file of the service, a text becomes another. */
export type Fault = { name: string; file: string; from: string; to: string }

const LEDGER = 'server/src/push/ledger/ledger.ts'
const BATCH_COUNTS = 'server/src/push/ledger/batch-counts.ts'
const PLAN = 'server/src/push/ledger/plan.ts'
const DECIDE = 'server/src/push/pipeline/decide.ts'
const READING = 'server/src/push/inbox/reading.ts'
const REACTIONS = 'server/src/push/ledger/reactions.queries.ts'
const ENTRIES = 'server/src/push/ledger/entries.queries.ts'
const PERSON = 'server/src/push/ledger/person.queries.ts'
const CONTROL = 'server/src/push/messages/control.ts'
const LEDGER_TABLES = 'server/src/push/ledger/ledger.queries.ts'
const SCHEMA = 'server/migrations/0011_homes.sql'

/** Each must be found by the model of the ledger (`server/src/push/ledger/model.test.ts`). */
export const FAULTS: readonly Fault[] = [
  {
    name: 'a late answer is stored whatever was asked since',
    file: LEDGER,
    from: 'return isOpen && rounds[place] === round',
    to: 'return state[place] === COPY.asked || state[place] === COPY.failed',
  },
  {
    name: 'an answer that comes after the end of its copy is not heard',
    file: LEDGER,
    from: 'return isOpenIn(ledger, place, round) || (hasEnded && ledger.facts.round[place] === round)',
    to: 'return isOpenIn(ledger, place, round)',
  },
  {
    name: 'an attempt is not counted',
    file: LEDGER,
    from: "  count(ledger, 'attempts', place, 1)\n",
    to: '',
  },
  {
    name: 'a push after an unknown outcome is no possible duplicate',
    file: LEDGER,
    from: 'const isRetry = isUnknown(ledger, place)',
    to: 'const isRetry = false',
  },
  {
    name: 'the first pushes after a restore are no possible duplicates',
    file: 'server/src/push/pipeline/claim.ts',
    from: '{ at: plan.now, mayBeDouble, way',
    to: '{ at: plan.now, mayBeDouble: false, way',
  },
  {
    name: 'a copy that ended has no time of its end',
    file: LEDGER,
    from: 'isUnknown(ledger, place) || (facts.duplicates[place] ?? 0) > 0\n  facts.state[place] = COPY.ended\n  facts.code[place] = internWord(ledger, mayHaveArrived ? UNKNOWN : code)\n  facts.settled[place] = internMoment(ledger, at)\n',
    to: 'isUnknown(ledger, place) || (facts.duplicates[place] ?? 0) > 0\n  facts.state[place] = COPY.ended\n  facts.code[place] = internWord(ledger, mayHaveArrived ? UNKNOWN : code)\n',
  },
  {
    name: 'phones are counted as people',
    file: BATCH_COUNTS,
    from: 'notified: tally(facts.owner, userIds.length).reduce((people, copies) => people + Math.min(copies, 1), 0)',
    to: 'notified: deviceIds.length',
  },
  {
    name: 'a receipt that says no counts as delivered',
    file: LEDGER,
    from: 'facts.state[place] = delivered ? COPY.delivered : COPY.undelivered',
    to: 'facts.state[place] = COPY.delivered',
  },
  {
    name: 'a copy takes the receipt of another request',
    file: 'server/src/push/pipeline/receipts.ts',
    from: 'receipt: answer?.receipts.get(one.ticket) }',
    to: "receipt: answer?.receipts.get(question.tickets.find(({ place }) => place === one.place)?.ticket ?? '') }",
  },
  {
    name: 'what a provider refused counts as accepted by it',
    file: BATCH_COUNTS,
    from: 'if (state !== COPY.ended) own.accepted++',
    to: 'own.accepted++',
  },
  {
    name: 'what is to be tried again is forgotten',
    file: PLAN,
    from: '    insertWork(runner, plan.home, plan.later),\n',
    to: '',
  },
  {
    name: 'a skip has a row and is not counted',
    file: PLAN,
    from: '  plan.counts.push({ messageId, [`skipped_${reason}`]: owners.length })\n',
    to: '',
  },
  {
    name: 'a skip is counted and has no row',
    file: PLAN,
    from: '    if (userId !== 0) plan.skips.push({ messageId, userId, reason })\n',
    to: '',
  },
  {
    name: 'a skip has a row of another reason',
    file: PLAN,
    from: 'if (userId !== 0) plan.skips.push({ messageId, userId, reason })',
    to: "if (userId !== 0) plan.skips.push({ messageId, userId, reason: 'stale' })",
  },
  {
    name: 'an entry of a bulk send is there twice',
    file: PLAN,
    from: '    entries.filter(({ isListed }) => !isListed),\n    work.now(),\n',
    to: '    entries.filter(({ isListed, isBulk }) => isBulk || !isListed),\n    work.now(),\n',
  },
  {
    name: 'a person of a bulk send takes the bits of neighbours',
    file: ENTRIES,
    from: '  mask[bit >> 3] = (mask[bit >> 3] ?? 0) | (1 << (bit & 7))\n',
    to: '  mask[bit >> 3] = 1 << (bit & 7)\n',
  },
  {
    name: 'an entry is counted twice after quiet hours',
    file: DECIDE,
    from: 'const isListed = isForInbox(work, answer) && !work.is_chat && !work.is_entered',
    to: 'const isListed = isForInbox(work, answer) && !work.is_chat',
  },
  {
    name: 'somebody without a phone has no entry',
    file: DECIDE,
    from: "return answer !== 'deleted' && answer !== 'inactive'",
    to: 'return answer === null || answer instanceof Date',
  },
  {
    name: 'phones ring in quiet hours',
    file: DECIDE,
    from: "  if (wish !== 'now') return wish\n",
    to: '',
  },
  {
    name: 'what waits for quiet hours keeps its time when they change',
    file: 'server/src/push/ledger/work.queries.ts',
    from: 'update work set due_at = ${now}, platform = null where home',
    to: 'update work set due_at = due_at, platform = null where home',
  },
  {
    name: 'who switched notifications off is rung',
    file: DECIDE,
    from: "  if (needs_opt_in && !person.isOptedIn) return 'opted_out'\n",
    to: '',
  },
  {
    name: 'a phone that left is rung by a retry',
    file: DECIDE,
    from: 'const own = known.findPerson(userId).phones.find((one) => one.deviceId === deviceId)',
    to: 'const { phones } = known.findPerson(userId)\n    const own = phones.find((one) => one.deviceId === deviceId) ?? phones[0]',
  },
  {
    name: 'a stop forgets what waits for a retry',
    file: CONTROL,
    from: "  for (const work of waiting) endWork(plan, work, { code: 'Stopped', reason: 'stopped' })\n",
    to: '',
  },
  {
    name: 'a badge does not fall when something is read',
    file: READING,
    from: '  unread.addEntries(userId, -held.filter(',
    to: '  unread.addEntries(userId, 0 * held.filter(',
  },
  {
    name: 'an opening counts one phone of several',
    file: READING,
    from: '...countOpened(ways)',
    to: '...countOpened(ways.slice(0, 1))',
  },
  {
    name: '“read up to” moves back',
    file: REACTIONS,
    from: 'read_up_to = greatest(k.read_up_to, excluded.read_up_to)',
    to: 'read_up_to = excluded.read_up_to',
  },
  {
    name: '“read up to” leaves out the entry itself',
    file: PERSON,
    from: 'case when (one.made_at, one.message_id) <= (mark.read_up_to, mark.read_message) then mark.read_at end',
    to: 'case when (one.made_at, one.message_id) < (mark.read_up_to, mark.read_message) then mark.read_at end',
  },
  {
    name: 'a batch lies in another home than its people',
    file: LEDGER_TABLES,
    from: 'groupByHome(tx, ordered, (userId) => userId)',
    to: 'groupByHome(tx, ordered, (userId) => userId + 512)',
  },
  {
    name: 'people of two homes share a batch',
    file: LEDGER_TABLES,
    from: 'groupByHome(tx, ordered, (userId) => userId)',
    to: 'groupByHome(tx, ordered, () => 0)',
  },
  {
    name: 'a purge forgets one home alone',
    file: SCHEMA,
    from: 'perform forget_copies(of_home, people)',
    to: 'perform forget_copies(0::smallint, people)',
  },
  {
    name: 'a purge leaves the copies',
    file: SCHEMA,
    from: 'case when u = any(people) then 0 else u end',
    to: 'u',
  },
  {
    name: 'a restore doubts nothing that waits',
    file: 'server/src/push/status/restored.ts',
    from: '      for (const place of open) doubt(ledger, place, now)\n',
    to: '',
  },
]
