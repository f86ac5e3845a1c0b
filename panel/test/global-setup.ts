import { buildPanel } from '../build.ts'

/** Builds the panel once, before any test: a service that starts during a build would read half of it. */
export async function setup(): Promise<void> {
  await buildPanel()
}
