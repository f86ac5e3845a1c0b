import { errors } from '../../platform/shared/errors.ts'
import type { PushDeps } from '../../push/deps.ts'
import { isDate, startOfDay } from '../../platform/shared/zones.ts'
import { rebuildInsights } from './refresh.ts'

export const rebuildInsightsCommand = {
  doc: 'Count the insights again; the service may run meanwhile.',
  options: {
    from: { takes: 'YYYY-MM-DD', doc: 'The first UTC day; absent: from the beginning.' },
    to: { takes: 'YYYY-MM-DD', doc: 'The last UTC day; absent: until now.' },
    pushes: { doc: 'Count pushes too, since notifications were deleted last.' },
  },
  run: async (deps: PushDeps, options: Record<string, unknown>): Promise<{ text: string; isGood: boolean }> => {
    const { from, to, pushes } = options
    for (const [name, date] of Object.entries({ from, to }))
      if (date !== undefined && !(typeof date === 'string' && isDate(date)))
        throw errors.badRequest(`--${name} must be a date, YYYY-MM-DD.`)
    const reach = await rebuildInsights(deps, {
      from: from === undefined ? undefined : startOfDay(from as string, 'UTC'),
      to: to === undefined ? undefined : startOfDay(to as string, 'UTC', 1),
      pushes: pushes !== undefined && pushes !== false,
    })
    return { text: `Counted from ${reach.from.toISOString()} to ${reach.to.toISOString()}.`, isGood: true }
  },
}
