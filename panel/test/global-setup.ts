import { buildPanel } from '../build.ts'
import { writeClient } from '../client.ts'

/** Builds the panel and writes the client once, before any test: a service that starts meanwhile would read half. */
export async function setup(): Promise<void> {
  await writeClient()
  await buildPanel()
}
