import type { Check } from "./check.ts"

export interface TelemetryVariables {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
  OTEL_SDK_DISABLED?: string | undefined
  OTEL_TRACES_EXPORTER?: string | undefined
}

/** How long a receiver may take to answer (ms). */
const answerMs = 5_000

/** Sends no spans to where the service sends its own. Null where none are sent. */
export async function checkTelemetry(variables: TelemetryVariables): Promise<Check | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = variables
  const url = own ?? (endpoint && `${endpoint.replace(/\/+$/, "")}/v1/traces`)
  const isOff = variables.OTEL_SDK_DISABLED?.toLowerCase() === "true" || variables.OTEL_TRACES_EXPORTER === "none"
  if (!url || isOff) return null
  const check = (state: Check["state"], text: string): Check => ({ name: "telemetry", state, text })
  try {
    const { status } = await fetch(url, {
      method: "POST",
      headers: { ...headersIn(variables.OTEL_EXPORTER_OTLP_HEADERS), "content-type": "application/json" },
      body: JSON.stringify({ resourceSpans: [] }),
      signal: AbortSignal.timeout(answerMs),
    })
    if (status >= 200 && status < 300) return check("ok", `${url} takes what is sent`)
    return check("warn", `${url} answers with ${status}. ${adviceOn(status)}`)
  } catch (error) {
    const text = `${url} does not answer (${reasonOf(error)}). Start the receiver, or correct OTEL_EXPORTER_OTLP_ENDPOINT: its HTTP port is usually 4318. Docket works without it.`
    return check("warn", text)
  }
}

function adviceOn(status: number): string {
  if (status === 401 || status === 403) return "Put its key into OTEL_EXPORTER_OTLP_HEADERS."
  if (status === 404 || status === 405) return "OTEL_EXPORTER_OTLP_ENDPOINT is the address without /v1/traces."
  if (status === 415) return "It does not read JSON: send to a collector, which passes on what it gets."
  return "Look at its log."
}

function headersIn(text = ""): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s, 2).map((word) => word.trim())
      return name === "" ? [] : [[name, decodeURIComponent(value)]]
    }),
  )
}

/** What `fetch` knows of the cause: the code of the system, or that time was up. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.message
}
