import type { Trace } from "@docket/core/trace"
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
  /** Call it when nothing runs any more, also when the service could not start. */
  close(): Promise<void>
}

/** @throws config_invalid */
export function createServiceTelemetry(variables: TelemetryVariables): ServiceTelemetry {
  const settings = readTelemetrySettings(variables)
  const late = createLateTrace()
  let opened: Promise<Telemetry | null> = Promise.resolve(null)
  let current: Telemetry | null = null
  const open = async (deps: TelemetryDeps): Promise<Telemetry | null> => {
    try {
      const { openTelemetry } = await import("./open-telemetry.ts")
      current = await openTelemetry(settings, deps)
      late.open(current.trace)
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
    async close() {
      late.giveUp()
      await (await opened)?.close()
    },
  }
}
