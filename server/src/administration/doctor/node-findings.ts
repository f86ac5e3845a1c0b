import type { DivisionFacts, NodeFacts } from '../figures/nodes.queries.ts'
import { fail, ok, warn, type Finding } from './findings.ts'

const TRIED = /^13\.2\./
const COORDINATOR = 0
const RECOVERS_EVERY = '2s'
const PREPARED_MOST_S = 10
const UNEVEN = 1.1

/** Gives what an operator should know of the servers of a divided database (docs/divided.md). */
export function nodeFindings({ nodes, pool_size, modify_mode }: DivisionFacts): Finding[] {
  const listThose = (are: (node: NodeFacts) => boolean) =>
    nodes
      .filter(are)
      .map(({ address }) => address)
      .join(', ')
  const away = listThose(({ version }) => version === null)
  const untried = listThose(({ version }) => version !== null && !TRIED.test(version))
  const slow = listThose(({ recovers_every: every }) => every !== null && every !== RECOVERS_EVERY)
  // It alone has transactions of several servers to end. On a worker, connecting anew each time would cost more.
  const keeper = nodes.find(({ node }) => node === COORDINATOR)?.kept_by ?? null
  const late = listThose(({ oldest_prepared: age }) => (age ?? 0) > PREPARED_MOST_S)
  const alone = listThose(({ node, standbys }) => node > 0 && standbys === 0)
  const settings = [
    ...(slow ? [`citus.recover_2pc_interval to ${RECOVERS_EVERY} on ${slow}`] : []),
    ...(keeper === null
      ? []
      : [`citus.max_cached_conns_per_worker to 0 for the role ${keeper}, not for the service, on the coordinator`]),
    ...(pool_size === '1' ? [] : ['citus.max_adaptive_executor_pool_size to 1']),
    ...(modify_mode === 'sequential' ? [] : ['citus.multi_shard_modify_mode to sequential']),
  ].join(', ')
  return [
    away
      ? fail('nodes', `The coordinator cannot reach ${away}: the people of these homes get nothing.`)
      : ok('nodes', `The coordinator reaches all ${nodes.length} servers.`),
    untried ? warn('citus', `The version of Citus was not tried: ${untried}. 13.2 was.`) : ok('citus', 'Citus 13.2.'),
    homesFinding(nodes.filter(({ holds_homes: holds }) => holds)),
    settings ? warn('citus-settings', `Set ${settings}.`) : ok('citus-settings', 'Citus has the settings it should.'),
    late
      ? fail('prepared', `Transactions are prepared and not ended on ${late}: their rows are locked.`)
      : ok('prepared', `No transaction has been prepared for more than ${PREPARED_MOST_S} s.`),
    alone
      ? warn('node-standbys', `No standby is connected to ${alone}.`)
      : ok('node-standbys', 'Each worker that can be reached has a standby.'),
  ]
}

function homesFinding(holders: NodeFacts[]): Finding {
  const all = holders.reduce((sum, { homes }) => sum + homes, 0)
  const most = Math.max(0, ...holders.map(({ homes }) => homes))
  const says = `${all} homes: ${holders.map(({ homes, address }) => `${homes} on ${address}`).join(', ')}.`
  const isUneven = most > Math.ceil((UNEVEN * all) / holders.length)
  return isUneven ? warn('homes', `${says} Even them out.`) : ok('homes', says)
}
