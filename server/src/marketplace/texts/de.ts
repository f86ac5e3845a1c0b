import type { Texts } from './en.ts'

export const de: Texts = {
  'swap.pending': { title: 'Neues zu deinem Tausch', text: 'Du hast einen neuen Tauschvorschlag.' },
  'swap.countered': { title: 'Neues zu deinem Tausch', text: 'Du hast einen Gegenvorschlag zu deinem Tausch.' },
  'swap.accepted': { title: 'Neues zu deinem Tausch', text: 'Dein Tausch wurde angenommen.' },
  'swap.confirmed': { title: 'Neues zu deinem Tausch', text: 'Die andere Seite hat deinen Tausch bestätigt.' },
  'swap.completed': { title: 'Neues zu deinem Tausch', text: 'Dein Tausch ist abgeschlossen.' },
  'swap.declined': { title: 'Neues zu deinem Tausch', text: 'Dein Tauschvorschlag wurde abgelehnt.' },
  'swap.withdrawn': { title: 'Neues zu deinem Tausch', text: 'Ein Tauschvorschlag wurde zurückgezogen.' },
  'swap.expired': { title: 'Neues zu deinem Tausch', text: 'Ein Tauschvorschlag ist abgelaufen.' },
  'swap.cancelled': { title: 'Neues zu deinem Tausch', text: 'Dein Tausch wurde abgesagt.' },
  'swap.disputed': { title: 'Neues zu deinem Tausch', text: 'Zu deinem Tausch gibt es einen Streitfall.' },
  'swap.invalidated': { title: 'Neues zu deinem Tausch', text: 'Ein Tausch ist nicht mehr möglich.' },
  'swap.message': {
    title: '{count, plural, one {Neue Nachricht} other {# neue Nachrichten}}',
    text: '{count, plural, one {Du hast eine neue Nachricht zu einem Tausch.} other {Du hast # neue Nachrichten zu einem Tausch.}}',
  },
  'swap.message_from': {
    title: '{count, plural, one {Neue Nachricht von „{name}“} other {# neue Nachrichten von „{name}“}}',
    text: '{count, plural, one {Du hast eine neue Nachricht zu einem Tausch.} other {Du hast # neue Nachrichten zu einem Tausch.}}',
  },
  match: {
    title: 'Ein Tausch passt',
    text: 'Jemand mit einem Produkt, das dir gefällt, interessiert sich für eines von deinen.',
  },
  match_with: {
    title: 'Ein Tausch passt',
    text: '„{name}“ hat ein Produkt, das dir gefällt, und interessiert sich für eines von deinen.',
  },
  'group.join_requested': { title: 'Beitrittsanfrage', text: 'Jemand möchte deiner Gruppe beitreten.' },
  'group.joined': { title: 'Willkommen', text: 'Du bist jetzt Mitglied einer Gruppe, der du beitreten wolltest.' },
  'group.invited': { title: 'Einladung', text: 'Du bist in eine Gruppe eingeladen.' },
  'product.verified': { title: 'Dein Produkt ist geprüft', text: 'Andere können seinen Angaben vertrauen.' },
  'product.rejected': { title: 'Dein Produkt wurde nicht angenommen', text: '{message}' },
  'product.changes_requested': { title: 'Dein Produkt braucht eine Änderung', text: '{message}' },
  'product.removed': {
    title: 'Produkt entfernt',
    text: 'Eines deiner Produkte wurde entfernt, weil es gegen unsere Regeln verstößt.',
  },
  'product.removed_because': { title: 'Produkt entfernt', text: '{message}' },
  'product.deleted': { title: 'Produkt gelöscht', text: 'Eines deiner Produkte wurde von der Verwaltung gelöscht.' },
  'product.warned': {
    title: 'Eine Warnung',
    text: 'Eines deiner Produkte wurde zu Recht gemeldet. Bitte lies unsere Regeln.',
  },
  'product.warned_because': { title: 'Eine Warnung', text: '{message}' },
  'report.actioned': {
    title: 'Deine Meldung',
    text: 'Wir haben bei einem Produkt eingegriffen, das du gemeldet hast. Danke.',
  },
  'report.dismissed': {
    title: 'Deine Meldung',
    text: 'Wir haben ein Produkt geprüft, das du gemeldet hast: Es verstößt nicht gegen unsere Regeln.',
  },
  'staff.waiting': { title: 'Swapbell', text: 'In der Verwaltung wartet etwas auf dich.' },
}
