/**
 * Exits with 0 when the process of this container is alive, else with 1. A worker without METRICS_PORT is asked
 * nothing: its watchdog ends it when it hangs.
 */
const { PROCESS = 'all', PORT = '3000', METRICS_PORT = '0' } = process.env
const address = METRICS_PORT === '0' ? `http://127.0.0.1:${PORT}/api/health` : `http://127.0.0.1:${METRICS_PORT}/live`

if (METRICS_PORT !== '0' || PROCESS !== 'worker') {
  const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
  if (answer?.status !== 200) process.exit(1)
}
