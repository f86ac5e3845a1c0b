import { expect, onTestFinished } from 'vitest'
import type { Simulator } from '../src/server.ts'
import type { WallView } from '../src/wall/view.ts'
import { call } from './simulator.ts'

/** What the wall shows now. */
export async function fetchWall({ url }: Simulator): Promise<WallView> {
  return (await call(`${url}/simulator/phones`, 'GET')).json as WallView
}

/** Opens the live view; each call of what it returns gives the next event. */
export async function watch({ url }: Simulator): Promise<() => Promise<WallView>> {
  const response = await fetch(`${url}/simulator/events`)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader.cancel())
  let text = ''
  return async () => {
    while (!text.includes('\n\n')) {
      const { value, done } = await reader.read()
      if (done) throw new Error('The events have ended')
      text += value
    }
    const [event = '', ...rest] = text.split('\n\n')
    text = rest.join('\n\n')
    expect(event).toMatch(/^event: wall\ndata: \{/)
    return JSON.parse(event.split('data: ')[1] ?? '') as WallView
  }
}
