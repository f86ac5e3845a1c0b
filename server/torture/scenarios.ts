import type { Scenario } from './scenario.ts'
import { answers, gateway } from './scenarios/answers.ts'
import { coordinators } from './scenarios/coordinators.ts'
import { credentials } from './scenarios/credentials.ts'
import { database } from './scenarios/database.ts'
import { durable } from './scenarios/durable.ts'
import { freeze } from './scenarios/freeze.ts'
import { guard } from './scenarios/guard.ts'
import { kill } from './scenarios/kill.ts'
import { moves } from './scenarios/moves.ts'
import { failing, refusing } from './scenarios/outage.ts'
import { points } from './scenarios/points.ts'
import { receipts } from './scenarios/receipts.ts'
import { stop } from './scenarios/stop.ts'

/** Every scenario, in the order in which they are played. */
export const SCENARIOS: readonly Scenario[] = [
  kill,
  points,
  gateway,
  answers,
  refusing,
  failing,
  credentials,
  coordinators,
  moves,
  database,
  stop,
  freeze,
  receipts,
  guard,
  durable,
]
