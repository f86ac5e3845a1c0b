// Shows pushes while no page is open. Browsers end the right to push of a worker that shows nothing.
self.addEventListener('push', (event) => {
  const { title, body, tag, notification_id, data } = read(event.data)
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { ...data, notification_id } }))
})

// An open page of ours comes to the front; otherwise a new one opens. A push cannot lead to another site.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { link } = event.notification.data ?? {}
  const url = new URL(typeof link === 'string' && /^\/(?!\/)/.test(link) ? link : '/', self.location.origin)
  event.waitUntil(open(url.href))
})

async function open(url) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length === 0) return self.clients.openWindow(url)
  const page = await pages[0].focus()
  return page.navigate(url)
}

function read(data) {
  try {
    const { title, ...push } = data.json()
    return { ...push, title: String(title) }
  } catch {
    return { title: 'Swapbell', tag: 'swapbell' }
  }
}
