import { api, readBody } from '../api/client.ts'

const WORKER = '/service-worker.js'

export function knowsPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Asks the person once, then registers this browser. False: they do not want it. */
export async function startPush(publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await navigator.serviceWorker.register(WORKER)
  await register(publicKey)
  return true
}

/** The push service then answers that the browser is gone, and the service forgets it. */
export async function stopPush(): Promise<void> {
  await (await findSubscription())?.unsubscribe()
}

export async function findSubscription(): Promise<PushSubscription | null> {
  if (!knowsPush()) return null
  const worker = await navigator.serviceWorker.getRegistration(WORKER)
  return (await worker?.pushManager.getSubscription()) ?? null
}

/** At each start: a browser may have another address since, and the session is another one. */
export async function renewPush(): Promise<void> {
  if ((await findSubscription()) === null || Notification.permission !== 'granted') return
  const { data } = await readBody(api.GET('/api/admin/v1/browser'))
  if (data.public_key !== null) await register(data.public_key)
}

async function register(publicKey: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  const wish = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = await pushManager.subscribe(wish).catch(async () => {
    // One that was made with an earlier key of the service is of no use.
    await stopPush()
    return pushManager.subscribe(wish)
  })
  await readBody(api.POST('/api/admin/v1/browser', { body: { token: JSON.stringify(subscription) } }))
}
