/** The functions whose statements read several homes, and why (ADR 2). All others name the home of their people. */
export const CROSS_HOMES: Record<string, string> = {
  // Is there something to do?
  countWaitingCopies: 'how far ahead is decided depends on all that waits',
  claimWrites: 'badges for the realtime database come by time, of people of any home',
  listUnconfiguredWithWork: 'whether anything waits for a provider that is not configured any more',

  // Sums and reports of a message or of all
  withCounts: 'the report of a campaign',
  selectProviderReports: 'the same by provider',
  countReached: 'a budget counts the people whom a sender reached lately',
  readWayCounts: 'the comparison of two ways to a phone',
  resetWayCounts: 'it begins anew for all phones',
  findRecent: 'the last answers of a provider',
  lanesDue: 'how much is due',
  receiptsDue: 'how many receipts are due',
  waitingCopies: 'how much waits for a provider',
  findInstallationFigures: 'the metrics of the installation',
  recountBuckets: 'the insights count pushes of all people',
  oldestTime: 'when the insights begin',

  // Lists of people
  listPeople: 'a page of the people of a message',
  selectAudience: 'the same',
  skippedPeople: 'the same, of those who were skipped',
  leftOut: 'the same, of those whom a stop left out',
  openers: 'the same, of those who opened it',
  holders: 'the same, of those with a copy in some state',
  foundBy: 'the copies of a message',
  countCopies: 'how many there are',
  checkBadgesAfter: 'a check of all badges, in the order of people',

  // Retention
  deleteCounts: 'a message that is deleted takes its counts along',
  deleteProviderCounts: 'the same',
  deleteHomeMessages: 'the same, for what homes need of it',
  countRowsBefore: 'how much is old',
}
