import { once } from "node:events"
import { DocketError, isDocketError } from "@docket/core"
import { announceService } from "./announce-service.ts"
import { type CommandLine, usage } from "./command-line.js"
import { describeStartFailure } from "./describe-start-failure.ts"
import { env, isWatched } from "./env.ts"
import { openRuntime } from "./open-runtime.ts"
import { openStore } from "./open-store.ts"
import { parseOptions, program } from "./options.ts"
import { releaseMemoryWhenIdle } from "./release-memory.ts"
import { startService } from "./start-service.ts"
import { untilRemoved } from "./watch-data-directory.ts"

const print = (text: string) => void process.stdout.write(text)
const say = (line: string) => process.stderr.write(`${line}\n`)
const logLine = (text: string, error: unknown) =>
  say(`docket: ${text}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)

/**
 * The `docket serve` command. Resolves with its exit code: after SIGINT or SIGTERM, when the parent process has ended,
 * when the data directory was removed, when another service took the database, or when it cannot start.
 */
export async function serveUntilStopped(args: string[]): Promise<number> {
  keepQuietWhenUnheard()
  try {
    const options = parseOptions(args, process.cwd())
    if (options.webFollows) requireChannel()
    if (!options.help) return await serveWith(options)
    process.stdout.write(usage(program))
    return 0
  } catch (error) {
    if (!isDocketError(error)) throw error
    say(`docket: ${error.message}`)
    return 2
  }
}

async function serveWith(options: CommandLine): Promise<number> {
  const stopped = untilStopped()
  const webBuilt = options.webFollows ? untilWebBuilt() : undefined
  const telemetry = isWatched()
    ? (await import("./telemetry/service-telemetry.ts")).createServiceTelemetry(env)
    : undefined
  const log = (text: string, error: unknown) => {
    logLine(`${text}${telemetry?.ids() ?? ""}`, error)
    telemetry?.log({ text, error })
  }
  const report = (text: string) => {
    say(`docket: ${text}`)
    telemetry?.log({ text })
  }
  const startedBy = process.connected && { startedBy: process.ppid }
  const deps = { openStore, openRuntime, report, log, webBuilt, telemetry, ...startedBy }
  const service = await startService(options, deps).catch((error: unknown) => {
    const text = describeStartFailure(error, options.data)
    if (text === null) throw error
    say(`docket: ${text}`)
  })
  if (service === undefined) return 1
  const removed = untilRemoved(options.data).then(() => {
    report(`the data directory ${options.data} was removed`)
    return 1
  })
  const stopping = new AbortController()
  void announceService(service, { ...options, signal: stopping.signal }, { print, report, log })
  // A team's service is rarely idle, and events for its many readers soon become garbage.
  const memory = service.publicUrl === null ? {} : { bearable: 112 * 1024 * 1024 }
  void Promise.allSettled([service.warm, service.webReady]).then(() => releaseMemoryWhenIdle(memory))
  const failed = service.failed.then((reason) => {
    say(`docket: ${reason.message}`)
    return 1
  })
  const code = await Promise.race([stopped, removed, failed])
  stopping.abort()
  report("stopping")
  await service.stop()
  return code
}

/**
 * Resolves with exit code 0 at the first stop signal, or when the channel to the parent process closes, because then
 * nobody could stop this process. A second signal ends the process at once.
 */
function untilStopped(): Promise<number> {
  return new Promise((resolve) => {
    let signals = 0
    const onSignal = () => {
      signals += 1
      if (signals > 1) process.exit(130)
      resolve(0)
    }
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal)
    process.once("disconnect", () => resolve(0))
  })
}

/** Resolves at the only message of the parent process: the web app is built, and lies where it belongs. */
async function untilWebBuilt(): Promise<void> {
  await once(process, "message")
}

/** Without a channel to the parent process, the service would wait for ever. */
function requireChannel(): void {
  if (process.connected) return
  throw new DocketError("invalid_input", "--web-follows is for npm start, which builds the web app. Leave it out.")
}

/** The reader of the output may be gone; that must not prevent an orderly stop. */
function keepQuietWhenUnheard(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
}
