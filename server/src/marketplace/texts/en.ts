/** What pushes say, as ICU messages. Every other language falls back to these. */
export const en = {
  'swap.pending': { title: 'Swap update', text: 'You have a new swap proposal.' },
  'swap.countered': { title: 'Swap update', text: 'You have a counter-proposal for your swap.' },
  'swap.accepted': { title: 'Swap update', text: 'Your swap was accepted.' },
  'swap.confirmed': { title: 'Swap update', text: 'The other side has confirmed your swap.' },
  'swap.completed': { title: 'Swap update', text: 'Your swap is complete.' },
  'swap.declined': { title: 'Swap update', text: 'Your swap proposal was declined.' },
  'swap.withdrawn': { title: 'Swap update', text: 'A swap proposal was withdrawn.' },
  'swap.expired': { title: 'Swap update', text: 'A swap proposal has expired.' },
  'swap.cancelled': { title: 'Swap update', text: 'Your swap was cancelled.' },
  'swap.disputed': { title: 'Swap update', text: 'There is a dispute about your swap.' },
  'swap.invalidated': { title: 'Swap update', text: 'A swap is no longer possible.' },
  'swap.message': {
    title: '{count, plural, one {New message} other {# new messages}}',
    text: '{count, plural, one {You have a new message about a swap.} other {You have # new messages about a swap.}}',
  },
  'swap.message_from': {
    title: '{count, plural, one {New message from “{name}”} other {# new messages from “{name}”}}',
    text: '{count, plural, one {You have a new message about a swap.} other {You have # new messages about a swap.}}',
  },
  match: {
    title: 'It is a swap match',
    text: 'Somebody with a product that you like is interested in one of yours.',
  },
  match_with: {
    title: 'It is a swap match',
    text: '“{name}” has a product that you like, and is interested in one of yours.',
  },
  'group.join_requested': { title: 'Join request', text: 'Somebody asks to join your group.' },
  'group.joined': { title: 'Welcome', text: 'You are now a member of a group that you asked to join.' },
  'group.invited': { title: 'Invitation', text: 'You are invited to a group.' },
  'product.verified': { title: 'Your product is verified', text: 'Others can trust what it says.' },
  'product.rejected': { title: 'Your product was not accepted', text: '{message}' },
  'product.changes_requested': { title: 'Your product needs a change', text: '{message}' },
  'product.removed': {
    title: 'Product removed',
    text: 'One of your products was removed because it is against our rules.',
  },
  'product.removed_because': { title: 'Product removed', text: '{message}' },
  'product.deleted': { title: 'Product deleted', text: 'One of your products was deleted by an administrator.' },
  'product.warned': {
    title: 'A warning',
    text: 'One of your products was reported, and the report is right. Please read our rules.',
  },
  'product.warned_because': { title: 'A warning', text: '{message}' },
  'report.actioned': {
    title: 'Your report',
    text: 'We have acted on a product that you reported. Thank you.',
  },
  'report.dismissed': {
    title: 'Your report',
    text: 'We have looked at a product that you reported and found nothing against our rules.',
  },
  'staff.waiting': { title: 'Swapbell', text: 'Something waits for you in the administration.' },
} as const

export type TextKey = keyof typeof en

type Template = { title: string; text: string }

/** English replaces missing texts of a language. */
export type Texts = { readonly [Key in TextKey]?: Template }
