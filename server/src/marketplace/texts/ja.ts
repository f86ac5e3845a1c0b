import type { Texts } from './en.ts'

export const ja: Texts = {
  'swap.pending': { title: '交換のお知らせ', text: '新しい交換の提案が届きました。' },
  'swap.countered': { title: '交換のお知らせ', text: '交換の逆提案が届きました。' },
  'swap.accepted': { title: '交換のお知らせ', text: '交換が承諾されました。' },
  'swap.confirmed': { title: '交換のお知らせ', text: '相手が交換を確認しました。' },
  'swap.completed': { title: '交換のお知らせ', text: '交換が完了しました。' },
  'swap.declined': { title: '交換のお知らせ', text: '交換の提案が辞退されました。' },
  'swap.withdrawn': { title: '交換のお知らせ', text: '交換の提案が取り下げられました。' },
  'swap.expired': { title: '交換のお知らせ', text: '交換の提案の期限が切れました。' },
  'swap.cancelled': { title: '交換のお知らせ', text: '交換がキャンセルされました。' },
  'swap.disputed': { title: '交換のお知らせ', text: '交換について異議が申し立てられました。' },
  'swap.invalidated': { title: '交換のお知らせ', text: '交換ができなくなりました。' },
  'swap.message': {
    title: '{count, plural, other {新着メッセージ#件}}',
    text: '{count, plural, other {交換について新しいメッセージが#件あります。}}',
  },
  'swap.message_from': {
    title: '{count, plural, other {「{name}」からの新着メッセージ#件}}',
    text: '{count, plural, other {交換について新しいメッセージが#件あります。}}',
  },
  match: {
    title: '交換マッチ',
    text: 'あなたの気に入った商品の持ち主が、あなたの商品に興味を持っています。',
  },
  match_with: {
    title: '交換マッチ',
    text: '「{name}」さんがあなたの気に入った商品を持っていて、あなたの商品に興味を持っています。',
  },
  'group.join_requested': { title: '参加リクエスト', text: 'あなたのグループへの参加希望があります。' },
  'group.joined': { title: 'ようこそ', text: '参加を希望したグループのメンバーになりました。' },
  'group.invited': { title: '招待', text: 'グループに招待されています。' },
  'product.verified': { title: '商品が認証されました', text: '商品の内容が確認されました。' },
  'product.rejected': { title: '商品は承認されませんでした', text: '{message}' },
  'product.changes_requested': { title: '商品の修正が必要です', text: '{message}' },
  'product.removed': {
    title: '商品が削除されました',
    text: 'ルールに違反しているため、あなたの商品が1点削除されました。',
  },
  'product.removed_because': { title: '商品が削除されました', text: '{message}' },
  'product.deleted': { title: '商品が削除されました', text: 'あなたの商品の一つが管理者によって削除されました。' },
  'product.warned': {
    title: '警告',
    text: 'あなたの商品への報告が正当と判断されました。ルールをご確認ください。',
  },
  'product.warned_because': { title: '警告', text: '{message}' },
  'report.actioned': { title: '報告について', text: '報告された商品に対応しました。ありがとうございます。' },
  'report.dismissed': {
    title: '報告について',
    text: '報告された商品を確認しましたが、ルール違反は見つかりませんでした。',
  },
  'staff.waiting': { title: 'Swapbell', text: '管理画面で確認が必要な項目があります。' },
}
