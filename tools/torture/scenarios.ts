import { repeatWithEveryProvider, type Scenario } from './scenario.ts'
import { answers, gateway } from './scenarios/answers.ts'
import { blackHole } from './scenarios/black-hole.ts'
import { clocks } from './scenarios/clocks.ts'
import { controls } from './scenarios/controls.ts'
import { coordinators } from './scenarios/coordinators.ts'
import { credentials } from './scenarios/credentials.ts'
import { database } from './scenarios/database.ts'
import { DIRECT_FAULTS } from './scenarios/direct-faults.ts'
import { DIRECT_HALTS } from './scenarios/direct-halts.ts'
import { disk } from './scenarios/disk.ts'
import { durable } from './scenarios/durable.ts'
import { failover } from './scenarios/failover.ts'
import { freeze } from './scenarios/freeze.ts'
import { frozenDatabase, frozenProvider } from './scenarios/frozen.ts'
import { guard } from './scenarios/guard.ts'
import { handHalt } from './scenarios/hand-halt.ts'
import { hang } from './scenarios/hang.ts'
import { holder } from './scenarios/holder.ts'
import { kill } from './scenarios/kill.ts'
import { lagging, settledLost } from './scenarios/lagging.ts'
import { link } from './scenarios/link.ts'
import { lone } from './scenarios/lone.ts'
import { moves } from './scenarios/moves.ts'
import { DIRECT_OUTAGES, failing, refusing } from './scenarios/outage.ts'
import { homesMove, nodeAway, nodeDisk, nodeKill } from './scenarios/node-faults.ts'
import { nodeSilent } from './scenarios/node-silent.ts'
import { outlast } from './scenarios/outlast.ts'
import { points } from './scenarios/points.ts'
import { readOnly } from './scenarios/read-only.ts'
import { poolerSession, poolerTransaction } from './scenarios/pooler.ts'
import { receipts } from './scenarios/receipts.ts'
import { restored } from './scenarios/restored.ts'
import { restarts } from './scenarios/restarts.ts'
import { rollback, rolling, upgrade } from './scenarios/rolling.ts'
import { skew } from './scenarios/skew.ts'
import { stop } from './scenarios/stop.ts'
import { swapCommit, twoPhases } from './scenarios/two-phases.ts'
import { urgent } from './scenarios/urgent.ts'

/** Every scenario, in the order of a run. */
export const SCENARIOS: readonly Scenario[] = [
  kill,
  points,
  urgent,
  gateway,
  answers,
  refusing,
  failing,
  lone,
  credentials,
  handHalt,
  coordinators,
  controls,
  moves,
  database,
  link,
  stop,
  hang,
  freeze,
  holder,
  skew,
  receipts,
  guard,
  durable,
  failover,
  readOnly,
  lagging,
  settledLost,
  restored,
  disk,
  poolerSession,
  poolerTransaction,
  outlast,
  frozenDatabase,
  frozenProvider,
  clocks,
  restarts,
  rolling,
  upgrade,
  rollback,
  nodeKill,
  twoPhases,
  swapCommit,
  nodeAway,
  nodeSilent,
  homesMove,
  nodeDisk,
  ...repeatWithEveryProvider([kill, urgent, database, stop, freeze, failover]),
  ...DIRECT_FAULTS,
  ...DIRECT_OUTAGES,
  blackHole,
  ...DIRECT_HALTS,
]
