import { createClient } from '../src/client.ts'

let token: string | undefined
const api = createClient({ baseUrl: 'https://api.example.com', token: () => token })

export async function listSomething(): Promise<number> {
  const { data: session } = await api.signIn({ body: { email: 'ann@example.com', password: 'long enough' } })
  if ('token' in session) token = session.token
  const { data: product } = await api.createMyProduct({
    body: { title: 'Red kettle', description: 'Whistles.', category_id: 1, condition: 'good', submit: true },
    header: { 'Idempotency-Key': 'kettle-1' },
  })
  return product.id
}
