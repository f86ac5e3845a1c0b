import type { Commands } from './command-line.ts'
import { verifyAuditCommand } from '../administration/audit/verify-command.ts'
import { rebuildInsightsCommand } from '../administration/insights/rebuild-command.ts'
import {
  createAdminCommand,
  resetAdminPasswordCommand,
  twoPeopleCommand,
} from '../administration/operator/operator-commands.ts'
import { rebuildSwapTallies } from '../administration/statistics/swap-tallies.queries.ts'
import { afterRecoveryCommand, backupCommand, restoreCommand } from './backup-commands.ts'
import { doctorCommand } from './doctor-command.ts'
import { divideCommand, migrateCommand } from './migrate-command.ts'
import { checkListCounts, recountLists } from '../platform/lists/list-counts.ts'
import { checkBadgesCommand } from '../push/badges/check.ts'
import { retentionCommand } from '../push/retention/retention.ts'
import { haltCommand, resumeCommand } from '../push/status/halt-command.ts'
import { generateLoad } from '../trial.ts'

export const COMMANDS: Commands = {
  doctor: doctorCommand,
  migrate: migrateCommand,
  divide: divideCommand,
  backup: backupCommand,
  restore: restoreCommand,
  'after-recovery': afterRecoveryCommand,
  'create-admin': createAdminCommand,
  'reset-admin-password': resetAdminPasswordCommand,
  'two-people': twoPeopleCommand,
  halt: haltCommand,
  resume: resumeCommand,
  'verify-audit': verifyAuditCommand,
  'rebuild-swap-tallies': {
    doc: 'Count the swaps for their report again; the service may run meanwhile.',
    run: async ({ db }) => ({ text: `${await rebuildSwapTallies(db)} cells.`, isGood: true }),
  },
  'rebuild-insights': rebuildInsightsCommand,
  'check-list-counts': {
    doc: 'Compare the kept totals of the lists with the rows.',
    run: ({ db }) => checkListCounts(db),
  },
  'rebuild-list-counts': {
    doc: 'Count the rows of the lists again; writes to a list wait while it is counted.',
    run: ({ db }) => recountLists(db),
  },
  'check-badges': {
    doc: 'Compare all badges and the realtime database with the rows, and correct differences; the service may run meanwhile.',
    run: checkBadgesCommand,
  },
  retention: retentionCommand,
  'generate-load': {
    doc: 'Fill a database without users, for measuring.',
    options: {
      users: { takes: 'N', isRequired: true, doc: 'How many users, for example 1000000.' },
      activity: { takes: 'N', isRequired: true, doc: 'How many rows of activity, for example 10000000.' },
    },
    run: generateLoad,
  },
}
