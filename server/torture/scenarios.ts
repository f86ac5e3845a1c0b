import type { Scenario } from './scenario.ts'
import { answers, gateway } from './scenarios/answers.ts'
import { kill } from './scenarios/kill.ts'
import { points } from './scenarios/points.ts'

/** Every scenario, in the order in which they are played. */
export const SCENARIOS: readonly Scenario[] = [kill, points, gateway, answers]
