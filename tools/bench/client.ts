/** The administrator that every benchmark signs in as. */
export const ADMIN = { ADMIN_EMAIL: 'admin@bench.example', ADMIN_PASSWORD: 'only this benchmark' }

/** Calls of the API with a token; each gives `data` and fails on an error envelope. */
export type Api = {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: unknown): Promise<T>
  token: string
}

/** Signs the administrator in. */
export async function signIn(url: string): Promise<Api> {
  const { token } = await call<{ token: string }>(`${url}/api/admin/v1/login`, undefined, {
    email: ADMIN.ADMIN_EMAIL,
    password: ADMIN.ADMIN_PASSWORD,
  })
  return {
    get: (path) => call(`${url}${path}`, token),
    post: (path, body) => call(`${url}${path}`, token, body),
    token,
  }
}

async function call<T>(url: string, token: string | undefined, body?: unknown): Promise<T> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const json = (await answer.json()) as { success: boolean; data: T }
  if (!json.success) throw new Error(`${url} answered ${JSON.stringify(json)}`)
  return json.data
}
