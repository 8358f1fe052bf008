import type { Trace } from "@docket/core/trace"
import type { LogLine } from "./create-log-sender.ts"
import { createLateTrace } from "./late-trace.ts"
import type { Telemetry, TelemetryDeps } from "./open-telemetry.ts"
import { readTelemetrySettings, type TelemetryVariables } from "./telemetry-settings.ts"

/** Telemetry over the life of a service. */
export interface ServiceTelemetry {
  trace: Trace
  /** Call it when the service listens. Resolves when everything is told from now on; never rejects. */
  open(deps: TelemetryDeps): Promise<void>
  /** For a line of the log: the ids of the span that runs now; empty when there is none. */
  ids(): string
  /** Sends a line of the log. Those from before it is open follow then. */
  log(line: LogLine): void
  /** Call it when nothing runs any more, also when the service could not start. */
  close(): Promise<void>
}

/** How many lines of the log wait until the service listens. */
const mostEarly = 200

/** @throws config_invalid */
export function createServiceTelemetry(variables: TelemetryVariables): ServiceTelemetry {
  const settings = readTelemetrySettings(variables)
  const late = createLateTrace()
  let opened: Promise<Telemetry | null> = Promise.resolve(null)
  let current: Telemetry | null = null
  const early: LogLine[] = []
  const open = async (deps: TelemetryDeps): Promise<Telemetry | null> => {
    try {
      const { openTelemetry } = await import("./open-telemetry.ts")
      current = await openTelemetry(settings, deps)
      late.open(current.trace)
      for (const line of early.splice(0)) current.log(line)
      return current
    } catch (error) {
      deps.report(`telemetry: off, because it could not be opened: ${error}`)
      late.giveUp()
      return null
    }
  }
  return {
    trace: late.trace,
    async open(deps) {
      opened = open(deps)
      await opened
    },
    ids() {
      const ids = current?.trace.ids()
      return ids ? ` trace_id=${ids.traceID} span_id=${ids.spanID}` : ""
    },
    log(line) {
      if (current !== null) current.log(line)
      else if (early.length < mostEarly) early.push(line)
    },
    async close() {
      late.giveUp()
      await (await opened)?.close()
    },
  }
}
