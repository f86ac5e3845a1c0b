import type { Texts } from './en.ts'

export const fr: Texts = {
  'swap.pending': { title: 'Votre échange', text: 'Vous avez une nouvelle proposition d’échange.' },
  'swap.countered': { title: 'Votre échange', text: 'Vous avez une contre-proposition pour votre échange.' },
  'swap.accepted': { title: 'Votre échange', text: 'Votre échange a été accepté.' },
  'swap.confirmed': { title: 'Votre échange', text: 'L’autre partie a confirmé votre échange.' },
  'swap.completed': { title: 'Votre échange', text: 'Votre échange est terminé.' },
  'swap.declined': { title: 'Votre échange', text: 'Votre proposition d’échange a été refusée.' },
  'swap.withdrawn': { title: 'Votre échange', text: 'Une proposition d’échange a été retirée.' },
  'swap.expired': { title: 'Votre échange', text: 'Une proposition d’échange a expiré.' },
  'swap.cancelled': { title: 'Votre échange', text: 'Votre échange a été annulé.' },
  'swap.disputed': { title: 'Votre échange', text: 'Votre échange fait l’objet d’un litige.' },
  'swap.invalidated': { title: 'Votre échange', text: 'Un échange n’est plus possible.' },
  'swap.message': {
    title: '{count, plural, one {Nouveau message} many {# de nouveaux messages} other {# nouveaux messages}}',
    text: '{count, plural, one {Vous avez un nouveau message au sujet d’un échange.} many {Vous avez # de nouveaux messages au sujet d’un échange.} other {Vous avez # nouveaux messages au sujet d’un échange.}}',
  },
  'swap.message_from': {
    title:
      '{count, plural, one {Nouveau message de « {name} »} many {# de nouveaux messages de « {name} »} other {# nouveaux messages de « {name} »}}',
    text: '{count, plural, one {Vous avez un nouveau message au sujet d’un échange.} many {Vous avez # de nouveaux messages au sujet d’un échange.} other {Vous avez # nouveaux messages au sujet d’un échange.}}',
  },
  match: {
    title: 'Un échange est possible',
    text: 'Une personne dont un produit vous plaît s’intéresse à l’un des vôtres.',
  },
  match_with: {
    title: 'Un échange est possible',
    text: '« {name} » a un produit qui vous plaît et s’intéresse à l’un des vôtres.',
  },
  'group.join_requested': { title: 'Demande d’adhésion', text: 'Quelqu’un demande à rejoindre votre groupe.' },
  'group.joined': {
    title: 'Bienvenue',
    text: 'Vous êtes maintenant membre d’un groupe que vous avez demandé à rejoindre.',
  },
  'group.invited': { title: 'Invitation', text: 'Vous êtes invité à rejoindre un groupe.' },
  'product.verified': { title: 'Votre produit est vérifié', text: 'Les autres peuvent se fier à sa description.' },
  'product.rejected': { title: 'Votre produit n’a pas été accepté', text: '{message}' },
  'product.changes_requested': { title: 'Votre produit doit être modifié', text: '{message}' },
  'product.removed': {
    title: 'Produit retiré',
    text: 'L’un de vos produits a été retiré, car il est contraire à nos règles.',
  },
  'product.removed_because': { title: 'Produit retiré', text: '{message}' },
  'product.deleted': { title: 'Produit supprimé', text: 'L’un de vos produits a été supprimé par un administrateur.' },
  'product.warned': {
    title: 'Un avertissement',
    text: 'L’un de vos produits a été signalé à juste titre. Merci de lire nos règles.',
  },
  'product.warned_because': { title: 'Un avertissement', text: '{message}' },
  'report.actioned': {
    title: 'Votre signalement',
    text: 'Nous sommes intervenus au sujet d’un produit que vous avez signalé. Merci.',
  },
  'report.dismissed': {
    title: 'Votre signalement',
    text: 'Nous avons examiné un produit que vous avez signalé : il respecte nos règles.',
  },
  'staff.waiting': { title: 'Swapbell', text: 'Quelque chose vous attend dans l’administration.' },
}
