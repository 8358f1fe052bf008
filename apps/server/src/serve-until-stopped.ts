import { isDocketError } from "@docket/core"
import { openRuntime } from "./open-runtime.ts"
import { parseOptions, usage } from "./options.ts"
import { releaseMemoryWhenIdle } from "./release-memory.ts"
import { type Service, startService } from "./start-service.ts"

const say = (line: string) => process.stderr.write(`${line}\n`)
const report = (phase: string) => say(`docket: ${phase}`)
const log = (text: string, error: unknown) =>
  say(`docket: ${text}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)

/** The `docket serve` command. Resolves with its exit code after SIGINT or SIGTERM, or when it cannot start. */
export async function serveUntilStopped(args: string[]): Promise<number> {
  try {
    const options = parseOptions(args, process.cwd())
    if (options.help) {
      process.stdout.write(usage)
      return 0
    }
    const stopped = untilSignal()
    const service = await startService(options, { openRuntime, report, log })
    announce(service, options)
    releaseMemoryWhenIdle()
    service.webReady.then(
      () => options.web && report("web app ready"),
      (error) => log("the web app could not be loaded; the API goes on without it", error),
    )
    await stopped
    report("stopping")
    await service.stop()
    return 0
  } catch (error) {
    if (!isDocketError(error)) throw error
    say(`docket: ${error.message}`)
    return error.code === "invalid_input" || error.code === "unsafe_bind" ? 2 : 1
  }
}

function announce({ url, loginUrl, tokenFile }: Service, { json, web }: { json: boolean; web: boolean }): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ url, loginUrl, tokenFile, pid: process.pid })}\n`)
  } else if (web) {
    process.stdout.write(`\nOpen this link to sign in (it works once, for 15 minutes):\n\n  ${loginUrl}\n\n`)
  } else {
    process.stdout.write(`\nDocket answers on ${url}. The token is in ${tokenFile}.\n\n`)
  }
}

/** Resolves at the first signal to stop. A second one ends the process at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0
    const onSignal = () => {
      signals += 1
      if (signals > 1) process.exit(130)
      resolve()
    }
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal)
  })
}
