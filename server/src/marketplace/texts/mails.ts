import type { Language } from '../../platform/shared/languages.ts'
import type { MailKind } from '../../platform/tables/account-tables.ts'
import { toLocale } from './texts.ts'

type Template = { subject: string; text: string }

/** They contain no text of a person; otherwise people could register a stranger’s address and write to them. */
export const MAIL_TEMPLATES = {
  en: {
    password_forgotten: {
      subject: 'A new password for Swapbell',
      text: 'Somebody, probably you, asked for a new password. Choose one here, within 30 minutes:\n\n{link}\n\nIf it was not you, do nothing: your password stays as it is.',
    },
    password_changed: {
      subject: 'Your Swapbell password was changed',
      text: 'The password of your account was changed, and other devices were signed out.\n\nIf it was not you, ask for a new password in the app now.',
    },
    address_confirm: {
      subject: 'Confirm your e-mail address',
      text: 'Confirm that this is your address for Swapbell, within 30 minutes:\n\n{link}\n\nIf you have no account with us, do nothing.',
    },
    address_changed: {
      subject: 'Your e-mail address was changed',
      text: 'Your Swapbell account has another e-mail address now. We do not write to this one any more.\n\nIf it was not you, write to our support.',
    },
    account_deleted: {
      subject: 'Your Swapbell account was deleted',
      text: 'Your account was deleted. For 30 days our support can restore it; after that we delete your data for good.\n\nIf it was not you, write to our support now.',
    },
  },
  es: {
    password_forgotten: {
      subject: 'Una contraseña nueva para Swapbell',
      text: 'Alguien, seguramente tú, ha pedido una contraseña nueva. Elígela aquí en los próximos 30 minutos:\n\n{link}\n\nSi no has sido tú, no hagas nada: tu contraseña sigue igual.',
    },
    password_changed: {
      subject: 'Tu contraseña de Swapbell ha cambiado',
      text: 'Se ha cambiado la contraseña de tu cuenta y se ha cerrado la sesión en los demás dispositivos.\n\nSi no has sido tú, pide ahora una contraseña nueva en la aplicación.',
    },
    address_confirm: {
      subject: 'Confirma tu dirección de correo',
      text: 'Confirma en los próximos 30 minutos que esta es tu dirección para Swapbell:\n\n{link}\n\nSi no tienes cuenta con nosotros, no hagas nada.',
    },
    address_changed: {
      subject: 'Tu dirección de correo ha cambiado',
      text: 'Tu cuenta de Swapbell tiene ahora otra dirección de correo. Ya no escribiremos a esta.\n\nSi no has sido tú, escribe a nuestro servicio de ayuda.',
    },
    account_deleted: {
      subject: 'Tu cuenta de Swapbell se ha eliminado',
      text: 'Tu cuenta se ha eliminado. Durante 30 días nuestro servicio de ayuda puede recuperarla; después borramos tus datos para siempre.\n\nSi no has sido tú, escribe ahora a nuestro servicio de ayuda.',
    },
  },
  fr: {
    password_forgotten: {
      subject: 'Un nouveau mot de passe pour Swapbell',
      text: 'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe. Choisissez-le ici dans les 30 minutes :\n\n{link}\n\nSi ce n’était pas vous, ne faites rien : votre mot de passe reste le même.',
    },
    password_changed: {
      subject: 'Votre mot de passe Swapbell a changé',
      text: 'Le mot de passe de votre compte a été changé et les autres appareils ont été déconnectés.\n\nSi ce n’était pas vous, demandez tout de suite un nouveau mot de passe dans l’application.',
    },
    address_confirm: {
      subject: 'Confirmez votre adresse e-mail',
      text: 'Confirmez dans les 30 minutes que cette adresse est la vôtre pour Swapbell :\n\n{link}\n\nSi vous n’avez pas de compte chez nous, ne faites rien.',
    },
    address_changed: {
      subject: 'Votre adresse e-mail a changé',
      text: 'Votre compte Swapbell a maintenant une autre adresse e-mail. Nous n’écrirons plus à celle-ci.\n\nSi ce n’était pas vous, écrivez à notre assistance.',
    },
    account_deleted: {
      subject: 'Votre compte Swapbell a été supprimé',
      text: 'Votre compte a été supprimé. Pendant 30 jours, notre assistance peut le rétablir ; ensuite nous effaçons vos données définitivement.\n\nSi ce n’était pas vous, écrivez tout de suite à notre assistance.',
    },
  },
  de: {
    password_forgotten: {
      subject: 'Ein neues Passwort für Swapbell',
      text: 'Jemand, wahrscheinlich du, hat ein neues Passwort angefordert. Wähle es hier innerhalb von 30 Minuten:\n\n{link}\n\nWenn du es nicht warst, tu nichts: Dein Passwort bleibt, wie es ist.',
    },
    password_changed: {
      subject: 'Dein Passwort für Swapbell wurde geändert',
      text: 'Das Passwort deines Kontos wurde geändert, und andere Geräte wurden abgemeldet.\n\nWenn du es nicht warst, fordere jetzt in der App ein neues Passwort an.',
    },
    address_confirm: {
      subject: 'Bestätige deine E-Mail-Adresse',
      text: 'Bestätige innerhalb von 30 Minuten, dass dies deine Adresse für Swapbell ist:\n\n{link}\n\nWenn du kein Konto bei uns hast, tu nichts.',
    },
    address_changed: {
      subject: 'Deine E-Mail-Adresse wurde geändert',
      text: 'Dein Konto bei Swapbell hat jetzt eine andere E-Mail-Adresse. An diese schreiben wir nicht mehr.\n\nWenn du es nicht warst, schreib an unsere Hilfe.',
    },
    account_deleted: {
      subject: 'Dein Konto bei Swapbell wurde gelöscht',
      text: 'Dein Konto wurde gelöscht. 30 Tage lang kann unsere Hilfe es wiederherstellen; danach löschen wir deine Daten endgültig.\n\nWenn du es nicht warst, schreib jetzt an unsere Hilfe.',
    },
  },
  ja: {
    password_forgotten: {
      subject: 'Swapbellの新しいパスワード',
      text: '新しいパスワードの設定が申し込まれました。30分以内にこちらで設定してください。\n\n{link}\n\n心当たりがない場合は、何もしないでください。パスワードは変わりません。',
    },
    password_changed: {
      subject: 'Swapbellのパスワードが変更されました',
      text: 'アカウントのパスワードが変更され、ほかの端末からログアウトしました。\n\n心当たりがない場合は、すぐにアプリで新しいパスワードを設定してください。',
    },
    address_confirm: {
      subject: 'メールアドレスの確認',
      text: 'このメールアドレスがSwapbellで使うあなたのものであることを、30分以内に確認してください。\n\n{link}\n\nアカウントをお持ちでない場合は、何もしないでください。',
    },
    address_changed: {
      subject: 'メールアドレスが変更されました',
      text: 'Swapbellのアカウントのメールアドレスが変更されました。今後このアドレスにはお送りしません。\n\n心当たりがない場合は、サポートにご連絡ください。',
    },
    account_deleted: {
      subject: 'Swapbellのアカウントが削除されました',
      text: 'アカウントが削除されました。30日以内であればサポートが復元できます。その後、データは完全に削除されます。\n\n心当たりがない場合は、すぐにサポートにご連絡ください。',
    },
  },
} as const satisfies Record<Language, Record<MailKind, Template>>

/** The mail is in the language of the reader (BCP 47), or in English. */
export function renderMail(language: string, kind: MailKind, link: string): { subject: string; text: string } {
  const { subject, text } = MAIL_TEMPLATES[toLocale(language)][kind]
  return { subject, text: `${text.replaceAll('{link}', () => link)}\n` }
}
