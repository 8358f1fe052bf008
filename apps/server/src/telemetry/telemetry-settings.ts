import { DocketError } from "@docket/core"

/** The environment variables of telemetry, as they are set. */
export interface TelemetryVariables {
  OTEL_SDK_DISABLED?: string | undefined
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT?: string | undefined
  OTEL_EXPORTER_OTLP_HEADERS?: string | undefined
  OTEL_EXPORTER_OTLP_PROTOCOL?: string | undefined
  OTEL_TRACES_EXPORTER?: string | undefined
  OTEL_METRICS_EXPORTER?: string | undefined
  OTEL_LOGS_EXPORTER?: string | undefined
  OTEL_TRACES_SAMPLER_ARG?: number | undefined
  OTEL_BSP_SCHEDULE_DELAY?: number | undefined
  OTEL_METRIC_EXPORT_INTERVAL?: number | undefined
  OTEL_SERVICE_NAME?: string | undefined
  OTEL_RESOURCE_ATTRIBUTES?: string | undefined
  DOCKET_METRICS?: string | undefined
  DOCKET_METRICS_TOKEN?: string | undefined
  DOCKET_TELEMETRY_CONTENT?: "on" | "off" | undefined
  DOCKET_TELEMETRY_HOSTS?: string | undefined
}

export interface TelemetrySettings {
  /** Where spans, metrics and lines of the log are sent; null where they are not. */
  tracesURL: string | null
  metricsURL: string | null
  logsURL: string | null
  headers: Record<string, string>
  /** The share of traces that are sent (0 to 1). */
  sampled: number
  /** How long ended spans and lines of the log wait for others before they are sent (ms). */
  spanDelayMs: number
  /** How often metrics are sent (ms). */
  metricIntervalMs: number
  serviceName: string
  resource: Record<string, string>
  /** Where Prometheus reads; null where it does not. */
  prometheus: { host: string; port: number; token: string | null } | null
  /** Whether spans, and errors in the log, hold what people, models and tools said. */
  content: boolean
  /** The hosts of model providers that are told of spans. */
  hosts: readonly string[]
}

/** @throws config_invalid */
export function readTelemetrySettings(given: TelemetryVariables): TelemetrySettings {
  const { OTEL_EXPORTER_OTLP_PROTOCOL: protocol } = given
  if (protocol?.startsWith("http") === false)
    throw invalid(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, and Docket sends http/json only. Name the HTTP port of the receiver, usually 4318`,
    )
  const isOff = given.OTEL_SDK_DISABLED?.toLowerCase() === "true"
  const url = (own: string | undefined, exporter: string | undefined, path: string) =>
    isOff || exporter === "none" ? null : (own ?? below(given.OTEL_EXPORTER_OTLP_ENDPOINT, path))
  return {
    tracesURL: url(given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, given.OTEL_TRACES_EXPORTER, "v1/traces"),
    metricsURL: url(given.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT, given.OTEL_METRICS_EXPORTER, "v1/metrics"),
    logsURL: url(given.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT, given.OTEL_LOGS_EXPORTER, "v1/logs"),
    headers: pairs(given.OTEL_EXPORTER_OTLP_HEADERS),
    sampled: given.OTEL_TRACES_SAMPLER_ARG ?? 1,
    spanDelayMs: given.OTEL_BSP_SCHEDULE_DELAY ?? 5_000,
    metricIntervalMs: given.OTEL_METRIC_EXPORT_INTERVAL ?? 60_000,
    serviceName: given.OTEL_SERVICE_NAME ?? "docket",
    resource: pairs(given.OTEL_RESOURCE_ATTRIBUTES),
    prometheus: prometheusOf(given),
    content: given.DOCKET_TELEMETRY_CONTENT === "on",
    hosts: (given.DOCKET_TELEMETRY_HOSTS ?? "")
      .split(",")
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ""),
  }
}

function below(endpoint: string | undefined, path: string): string | null {
  return endpoint === undefined ? null : `${endpoint.replace(/\/+$/, "")}/${path}`
}

/** `name=value,name=value`, with values that may be encoded as in a URL. */
function pairs(text = ""): Record<string, string> {
  return Object.fromEntries(
    text
      .split(",")
      .map((pair) => pair.split(/=(.*)/s, 2).map((word) => word.trim()))
      .flatMap(([name, value]) => (name && value ? [[name, decoded(value)] as const] : [])),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const loopback = ["127.0.0.1", "localhost", "::1"]

function prometheusOf(variables: TelemetryVariables): TelemetrySettings["prometheus"] {
  const { DOCKET_METRICS: given } = variables
  const token = variables.DOCKET_METRICS_TOKEN ?? null
  if (given === undefined) return null
  const [, host = "", port = ""] = /^(?:\[?([^\]]+)\]?:)?(\d{1,5})$/.exec(given) ?? []
  if (port === "" || Number(port) > 65_535)
    throw invalid(
      `DOCKET_METRICS is ${JSON.stringify(given)}; it has to be an address and a port, as in 127.0.0.1:9464`,
    )
  if (host !== "" && !loopback.includes(host) && token === null)
    throw invalid(
      `DOCKET_METRICS=${given} lets other machines read the metrics. Set DOCKET_METRICS_TOKEN too, and give it to Prometheus`,
    )
  return { host: host === "" ? "127.0.0.1" : host, port: Number(port), token }
}

function invalid(message: string): DocketError {
  return new DocketError("config_invalid", message)
}
