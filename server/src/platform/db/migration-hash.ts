import { createHash } from 'node:crypto'

const OPENING = /--|\/\*|[eE]'|['"]|\$\w*\$/
const ESCAPED = /^[eE]'(?:[^'\\]|\\[^])*'/

export function statementsHash(text: string): string {
  const pieces: string[] = []
  let plain = ''
  let rest = text
  for (let found = OPENING.exec(rest); found !== null; found = OPENING.exec(rest)) {
    const begun = rest.slice(found.index)
    const length = lengthOf(begun, found[0])
    plain += rest.slice(0, found.index)
    if (found[0] === '--' || found[0] === '/*') plain += ' '
    else {
      pieces.push(withShortBlanks(plain), begun.slice(0, length))
      plain = ''
    }
    rest = begun.slice(length)
  }
  return sha256([...pieces, withShortBlanks(plain + rest)].join('').trim())
}

function withShortBlanks(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** Of a comment, text, quoted name or function body. A doubled quote begins a new text. */
function lengthOf(begun: string, opening: string): number {
  if (/^e'/i.test(opening)) return ESCAPED.exec(begun)?.[0].length ?? begun.length
  const closing = opening === '--' ? '\n' : opening === '/*' ? '*/' : opening
  const end = begun.indexOf(closing, opening.length)
  return end === -1 ? begun.length : end + closing.length
}
/** `recorded` was stored when the migration ran. Earlier versions hashed the whole file, comments included. */
export function isSameMigration(name: string, text: string, recorded: string): boolean {
  const statements = statementsHash(text)
  const [file, itsStatements] = FIRST[name] ?? []
  return recorded === statements || recorded === sha256(text) || (recorded === file && statements === itsStatements)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Migrations that ran while whole files were hashed: the hash of the file then, and of its statements. */
const FIRST: Record<string, [file: string, statements: string]> = {
  '0001_accounts.sql': [
    'dad04885bb35aa2ee77215e5c9877adc0bf841ff7ab4747e4c3d09e5ebc2a2ea',
    '7f00a86ae003a39160aa7651b76adcc5e7b383f189c209bdf6404b34742f48eb',
  ],
  '0002_push.sql': [
    'cb20ab7abf6d94203a5a8066d9f97590ba7bee648a5e31d9b4e1778a7bd2dd45',
    'b0354eb0cdaaba23874beb513784a39bf584c064ccae40a8db0bb056aaab0645',
  ],
  '0003_resumed.sql': [
    '2b4c00964e254cfd169f08bdf01e88ecaaa36071829495930b0e63ff223d9ab8',
    '562ef123689de97eb4df91a4646891a3c34b2fb8d145825d50a45953698ad237',
  ],
  '0004_marketplace.sql': [
    '860f6021f9dc99a3287b951d01a5e88b46c704a1f6749e192b997f18fd6f1f04',
    'd8b8b451594049f54fa336ec3a3ef6e008f517fc94c68722cac6f5ca807e7861',
  ],
  '0005_activity.sql': [
    '0d27b0b3b585b0bc05728247074035f81a3ace734c8fcf7012ce539708b3de6b',
    'b762216183471dbeeb4607b115710b76ad8eb533cbd38bcdfc10bf7e33eece13',
  ],
  '0006_users_list.sql': [
    'ab942437f78b1e303223cd8c71959a8378ea790fd7716cccb6f00a2a2a7ef0ca',
    '1a6273d173a64a389fb1a0bb86b03ac050ca51e8473f62920ba2246ff13f1c69',
  ],
  '0007_products.sql': [
    '470e29a53131e7963c3b2ff1a14445e6d5477d0304f60bfbd260599f1d9318e5',
    '7cc2b9f8d216e32bf4134a9c2af88e49c9b9ad9f787355443e80e325ad7e09b2',
  ],
  '0008_reports.sql': [
    'ea4413b988c2c1947795c969d6d1a0e8cb862601ee7f64333bb179a8265a9e23',
    '0b1c5d37e442f9a2f47aae5ee8f2d1a2332ff1a6b6f3993fc51204c0b9555db7',
  ],
  '0009_insights.sql': [
    '000d97f4a8df31a779f1dbd22493213aa74a5a3390eb478aed6c03265352b853',
    '9dbbb4b3ae8bbd19a2ba0075023e366d1a0508459ef2f0c4267e90107dfe8a11',
  ],
  '0010_exports.sql': [
    '97cdc33df3e48709be195422e0c725b336d4c947db6539cbe0c1bfca8120728c',
    '3a09a5185a85c8804401eb2f8307c4445d32b14c05d54de22d73e5e2a6adf082',
  ],
  '0011_batches_claimed.sql': [
    '24ff94440e759a608f53c5d17206595820fe43848dd7fd17ba13aa23970307e2',
    '2a14554c398031ffd8240e82cb8612a903ad5ee71ced1578f3ae2abd0adbccf9',
  ],
  '0012_pipeline.sql': [
    'f27a9c4719226e7ffce57b429c96249bc21baa8cdf6f27e4c99df17ea3e548b7',
    'a8ece0a94067347fe762bd6d1f837df05557709fa53ea9976bb8c75afe5c3a7d',
  ],
  '0013_identity.sql': [
    'c936ae79910a79c15c756d5a379b808fd7968631553e30a2d8da56b0f7673635',
    'e7582132d638d6fdb1ae893a987980dd7407665429c01ad24fb3528c7e759cb8',
  ],
  '0014_sending.sql': [
    '26abde3894ea307b82e7e6161b2cf0ec6988961d407fb859b14ecc97c8f6d4a3',
    '7f98ecaeb23ea147467be50653fc27005fafcf443f870f75a78247a4319d4595',
  ],
  '0015_lists.sql': [
    '40ac45497a4eed59f3d840cdf7e2426bc3358ef7f3bc067a329d809e6abbadae',
    '5a708218ef79535c0c3b3c402676bb193b191a43961ce7792cc165f6ebd62f12',
  ],
}
