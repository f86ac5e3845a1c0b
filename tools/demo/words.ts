import { CATEGORIES, CONDITIONS, GOODS, HANDOVERS, MARKS, WANTS } from './goods.ts'
import { CITIES, FAMILY_NAMES, GIVEN_NAMES } from './people-names.ts'
import { ARRANGEMENTS, CLOSINGS, OPENINGS, PROPOSAL_NOTES, REPLIES, REPORT_DETAILS } from './chat-texts.ts'

/** All names and texts of the data, from which the statements pick. */
export const WORDS = {
  categories: CATEGORIES,
  goods: GOODS,
  marks: MARKS,
  conditions: CONDITIONS,
  handovers: HANDOVERS,
  wants: WANTS,
  givenNames: GIVEN_NAMES,
  familyNames: FAMILY_NAMES,
  cities: CITIES,
  openings: OPENINGS,
  replies: REPLIES,
  arrangements: ARRANGEMENTS,
  closings: CLOSINGS,
  proposalNotes: PROPOSAL_NOTES,
  reportDetails: REPORT_DETAILS,
}
export type Words = typeof WORDS
