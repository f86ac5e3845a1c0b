import type { Texts } from './en.ts'

export const es: Texts = {
  'swap.pending': { title: 'Novedades de tu intercambio', text: 'Tienes una nueva propuesta de intercambio.' },
  'swap.countered': { title: 'Novedades de tu intercambio', text: 'Tienes una contrapropuesta para tu intercambio.' },
  'swap.accepted': { title: 'Novedades de tu intercambio', text: 'Tu intercambio ha sido aceptado.' },
  'swap.confirmed': { title: 'Novedades de tu intercambio', text: 'La otra parte ha confirmado tu intercambio.' },
  'swap.completed': { title: 'Novedades de tu intercambio', text: 'Tu intercambio se ha completado.' },
  'swap.declined': { title: 'Novedades de tu intercambio', text: 'Tu propuesta de intercambio ha sido rechazada.' },
  'swap.withdrawn': { title: 'Novedades de tu intercambio', text: 'Se ha retirado una propuesta de intercambio.' },
  'swap.expired': { title: 'Novedades de tu intercambio', text: 'Una propuesta de intercambio ha caducado.' },
  'swap.cancelled': { title: 'Novedades de tu intercambio', text: 'Tu intercambio ha sido cancelado.' },
  'swap.disputed': { title: 'Novedades de tu intercambio', text: 'Hay una disputa sobre tu intercambio.' },
  'swap.invalidated': { title: 'Novedades de tu intercambio', text: 'Un intercambio ya no es posible.' },
  'swap.message': {
    title: '{count, plural, one {Mensaje nuevo} many {# de mensajes nuevos} other {# mensajes nuevos}}',
    text: '{count, plural, one {Tienes un mensaje nuevo sobre un intercambio.} many {Tienes # de mensajes nuevos sobre un intercambio.} other {Tienes # mensajes nuevos sobre un intercambio.}}',
  },
  'swap.message_from': {
    title:
      '{count, plural, one {Mensaje nuevo de «{name}»} many {# de mensajes nuevos de «{name}»} other {# mensajes nuevos de «{name}»}}',
    text: '{count, plural, one {Tienes un mensaje nuevo sobre un intercambio.} many {Tienes # de mensajes nuevos sobre un intercambio.} other {Tienes # mensajes nuevos sobre un intercambio.}}',
  },
  match: {
    title: 'Hay coincidencia',
    text: 'Alguien que tiene un producto que te gusta se interesa por uno de los tuyos.',
  },
  match_with: {
    title: 'Hay coincidencia',
    text: '«{name}» tiene un producto que te gusta y se interesa por uno de los tuyos.',
  },
  'group.join_requested': { title: 'Solicitud de ingreso', text: 'Alguien quiere unirse a tu grupo.' },
  'group.joined': { title: 'Te damos la bienvenida', text: 'Ya formas parte de un grupo al que pediste unirte.' },
  'group.invited': { title: 'Invitación', text: 'Tienes una invitación a un grupo.' },
  'product.verified': { title: 'Tu producto está verificado', text: 'Los demás pueden fiarse de lo que dice.' },
  'product.rejected': { title: 'Tu producto no ha sido aceptado', text: '{message}' },
  'product.changes_requested': { title: 'Tu producto necesita un cambio', text: '{message}' },
  'product.removed': {
    title: 'Producto retirado',
    text: 'Hemos retirado uno de tus productos porque incumple nuestras normas.',
  },
  'product.removed_because': { title: 'Producto retirado', text: '{message}' },
  'product.deleted': { title: 'Producto eliminado', text: 'Un administrador ha eliminado uno de tus productos.' },
  'product.warned': {
    title: 'Una advertencia',
    text: 'Uno de tus productos ha sido denunciado con razón. Lee nuestras normas, por favor.',
  },
  'product.warned_because': { title: 'Una advertencia', text: '{message}' },
  'report.actioned': {
    title: 'Tu denuncia',
    text: 'Hemos tomado medidas sobre un producto que denunciaste. Gracias.',
  },
  'report.dismissed': {
    title: 'Tu denuncia',
    text: 'Hemos revisado un producto que denunciaste y no incumple nuestras normas.',
  },
  'staff.waiting': { title: 'Swapbell', text: 'Algo te espera en la administración.' },
}
