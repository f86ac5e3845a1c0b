import { api, readBody } from '../api/client.ts'

const WORKER = '/service-worker.js'
// Who asked that this browser be told.
const ASKED_BY = 'told'

export function knowsPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Asks the person once, then registers this browser. False: they do not want it. */
export async function startPush(publicKey: string, userId: number): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker.register(WORKER)
  await register(publicKey)
  localStorage.setItem(ASKED_BY, String(userId))
  return true
}

/** Nobody tells our service: it learns from the push service's next answer that the browser is gone. */
export async function stopPush(): Promise<void> {
  await (await findSubscription())?.unsubscribe()
}

async function findSubscription(): Promise<PushSubscription | null> {
  if (!knowsPush()) return null
  const worker = await navigator.serviceWorker.getRegistration(WORKER)
  return (await worker?.pushManager.getSubscription()) ?? null
}

/** Several people may sign in with one browser; only who asked is told. */
export async function isToldFor(userId: number): Promise<boolean> {
  return localStorage.getItem(ASKED_BY) === String(userId) && (await findSubscription()) !== null
}

/** Runs at each start: a browser may have another address since, and the session is another one. */
export async function renewPush(userId: number): Promise<void> {
  if (!(await isToldFor(userId)) || Notification.permission !== 'granted') return
  const { data } = await readBody(api.GET('/api/admin/v1/browser'))
  if (data.public_key !== null) await register(data.public_key)
}

async function register(publicKey: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  const wish = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = await pushManager.subscribe(wish).catch(async () => {
    // A subscription that was made with an earlier key of the service is of no use.
    await stopPush()
    return pushManager.subscribe(wish)
  })
  await readBody(api.POST('/api/admin/v1/browser', { body: { token: JSON.stringify(subscription) } }))
}
