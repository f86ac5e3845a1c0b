/** What people write to each other about a swap, in the order in which such talks go. */
export const OPENINGS = [
  'Hi! Is it still there?',
  'Hello, I like this a lot. Would you take something of mine for it?',
  'Good evening! Could you tell me how old it is?',
  'Hi, my daughter has been looking for one of these.',
  'Hello! I live around the corner and could come any day.',
  'Does it come with everything in the picture?',
]

export const REPLIES = [
  'Yes, it is. I had a look at yours, and it could work.',
  'Still here! About three years old, always treated well.',
  'Everything in the picture goes with it.',
  'Let me think about it until tomorrow.',
  'Could you add a small thing? Then gladly.',
  'I would rather have the other one that you listed.',
  'That sounds fair to me.',
  'Could you send one more picture of the back?',
]

export const ARRANGEMENTS = [
  'Saturday at eleven, by the fountain?',
  'I can be at the station at six.',
  'Tuesday works. I will ring the second bell.',
  'Could we make it half an hour later?',
  'On my way, blue bicycle!',
  'I am at the entrance of the market.',
  'It is wrapped and ready.',
]

export const CLOSINGS = [
  'Thank you, that was easy!',
  'Works perfectly. Enjoy yours!',
  'It was nice to meet you.',
  'Sorry, something came up. Another time.',
  'All good, thank you.',
]

/** Notes that go with a proposal; most proposals have none. */
export const PROPOSAL_NOTES = [
  'Mine for yours, as they are?',
  'I could add a bag of children’s books.',
  'I know it is not quite even. Let me know.',
  'Pick-up is on me.',
  'Would the week after next be all right?',
]

export const REPORT_DETAILS = [
  'The picture is taken from a shop’s website.',
  'They asked for money on top before we met.',
  'This is listed three times.',
  'It is not what the description says.',
  'I do not think that this may be given away here.',
  'The text insults people.',
  'A copy sold as the real one.',
  'The cable is damaged, that is dangerous.',
]
