import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { encryptPush, encryptRecord, ENCRYPTION_BYTES } from './encryption.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('A push is encrypted as the example of RFC 8291 is', () => {
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'))
  expect(sender.getPublicKey().toString('base64url')).toBe(
    'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  )
  const to = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  }
  const text = 'When I grow up, I want to be a watermelon'
  const body = encryptPush(text, to, { sender, salt: bytes('DGv6ra1nlYgDCS1FRnbzlw') })
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  expect(body.length).toBe(text.length + ENCRYPTION_BYTES)
})

test('A record is encrypted as the example of RFC 8188 is', () => {
  const body = encryptRecord(Buffer.from('I am the walrus'), {
    secret: bytes('yqdlZ-tYemfogSmv7Ws5PQ'),
    salt: bytes('I1BsxtFttlv3u_Oo94xnmw'),
    keyName: Buffer.alloc(0),
  })
  expect(body.toString('base64url')).toBe('I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg')
})

test('Two pushes of the same text share nothing, and a point that is not on the curve is refused', () => {
  const receiver = createECDH('prime256v1')
  receiver.generateKeys()
  const to = { p256dh: receiver.getPublicKey(), auth: Buffer.alloc(16, 1) }
  expect(encryptPush('a', to).equals(encryptPush('a', to))).toBe(false)
  expect(() => encryptPush('a', { ...to, p256dh: Buffer.alloc(65, 4) })).toThrow('Public key is not valid')
})
