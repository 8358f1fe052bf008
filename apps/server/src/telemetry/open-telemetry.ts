import { randomUUID } from "node:crypto"
import { homedir } from "node:os"
import { homeOwner } from "@docket/core/redact"
import { ExportResultCode } from "@opentelemetry/core"
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http"
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { type Resource, resourceFromAttributes } from "@opentelemetry/resources"
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs"
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics"
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace"
import { createContents } from "./contents.ts"
import { createLogSender, type LogLine } from "./create-log-sender.ts"
import { createMeters } from "./create-meters.ts"
import { createTrace, type WatchedTrace } from "./create-trace.ts"
import { type MetricsServer, openMetricsServer } from "./metrics-server.ts"
import { attribute } from "./names.ts"
import type { TelemetrySettings } from "./telemetry-settings.ts"

export interface TelemetryDeps {
  /** Epoch ms; of nodes, that of the database. */
  clock(): number
  /** Monotonic ms. */
  now(): number
  version: string
  /** Tells this process from others of the service. */
  instance: string
  role: "all" | "web" | "worker"
  /** A message for the administrator. */
  report(text: string): void
}

export interface Telemetry {
  trace: WatchedTrace
  /** Sends a line of the log, with the span that runs now. */
  log(line: LogLine): void
  /** Where Prometheus reads; null where it does not. */
  metricsPort: number | null
  /** Sends what is left, for `flushMs` at most. */
  close(): Promise<void>
}

/** How long a receiver may hold up a stop (ms). */
export const flushMs = 2_000
/** Of ended spans, and of lines of the log, so many wait to be sent; more are dropped. */
const mostWaiting = 2_048
/** How long one request may take (ms), with its repetitions. */
const sendMs = 10_000
/** How many requests may be under way: a receiver that hangs holds no more than these. */
const mostRequests = 4

/** Sends spans and measures, as set. Nothing is registered for the whole process: libraries send nothing of their own. */
export async function openTelemetry(settings: TelemetrySettings, deps: TelemetryDeps): Promise<Telemetry> {
  const resource = resourceFromAttributes({
    ...settings.resource,
    "service.name": settings.serviceName,
    "service.version": deps.version,
    "service.instance.id": deps.instance,
    [attribute.role]: deps.role,
  })
  const tracing = settings.tracesURL === null ? null : openTracing(settings, settings.tracesURL, { resource, deps })
  const prometheus =
    settings.prometheus &&
    new PrometheusExporter({
      ...{ preventServerStart: true, withoutScopeInfo: true },
      withResourceConstantLabels: /^docket\.node\.role$/,
    })
  const readers: IMetricReader[] = prometheus === null ? [] : [prometheus]
  if (settings.metricsURL !== null) readers.push(metricSender(settings, settings.metricsURL, deps))
  const measuring = new MeterProvider({ resource, readers })
  const server = settings.prometheus && prometheus && (await serveMetrics(settings.prometheus, prometheus, deps))
  const trace = createTrace({
    ...{ clock: deps.clock, now: deps.now, hosts: settings.hosts },
    tracer: tracing?.getTracer("docket", deps.version) ?? null,
    meters: createMeters(measuring.getMeter("docket", deps.version)),
    contents: settings.content ? createContents(homeOwner(homedir())) : null,
  })
  const logging = settings.logsURL === null ? null : openLogging(settings, settings.logsURL, { resource, deps })
  return {
    trace,
    log: logging
      ? createLogSender({
          ...{ logger: logging.getLogger("docket", deps.version), key: randomUUID(), owner: homeOwner(homedir()) },
          ...{ content: settings.content, context: trace.context },
        })
      : () => {},
    metricsPort: server?.port ?? null,
    async close() {
      server?.close()
      const over = Promise.allSettled([tracing?.shutdown(), measuring.shutdown(), logging?.shutdown()])
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, flushMs)
      await Promise.race([over, late.promise])
      clearTimeout(timer)
    },
  }
}

/** Null when the address cannot be had: the service goes on without it. */
async function serveMetrics(
  at: NonNullable<TelemetrySettings["prometheus"]>,
  exporter: PrometheusExporter,
  { report }: Pick<TelemetryDeps, "report">,
): Promise<MetricsServer | null> {
  try {
    return await openMetricsServer({ ...at, answer: (req, res) => exporter.getMetricsRequestHandler(req, res) })
  } catch (error) {
    report(`telemetry: metrics cannot be read at ${at.host}:${at.port} (DOCKET_METRICS): ${error}`)
    return null
  }
}

function openTracing(
  { headers, sampled, spanDelayMs }: TelemetrySettings,
  url: string,
  { resource, deps }: { resource: Resource; deps: TelemetryDeps },
): TracerProvider {
  const sending = { url, headers, timeoutMillis: sendMs, concurrencyLimit: mostRequests }
  const exporter = heard(new OTLPTraceExporter(sending), url, deps)
  return new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampled) }),
    spanLimits: { attributeCountLimit: 64, eventCountLimit: 16, linkCountLimit: 16 },
    spanProcessors: [
      new BatchSpanProcessor({
        ...{ exporter, maxQueueSize: mostWaiting, scheduledDelayMillis: spanDelayMs },
        exportTimeoutMillis: sendMs,
      }),
    ],
  })
}

function openLogging(
  { headers, spanDelayMs }: TelemetrySettings,
  url: string,
  { resource, deps }: { resource: Resource; deps: TelemetryDeps },
): LoggerProvider {
  const sending = { url, headers, timeoutMillis: sendMs, concurrencyLimit: mostRequests }
  const exporter = heard(new OTLPLogExporter(sending), url, deps)
  return new LoggerProvider({
    resource,
    processors: [
      new BatchLogRecordProcessor({
        ...{ exporter, maxQueueSize: mostWaiting, scheduledDelayMillis: spanDelayMs },
        exportTimeoutMillis: sendMs,
      }),
    ],
  })
}

function metricSender(
  { headers, metricIntervalMs }: TelemetrySettings,
  url: string,
  deps: TelemetryDeps,
): PeriodicExportingMetricReader {
  const timeoutMillis = Math.min(sendMs, metricIntervalMs)
  const exporter = heard(
    new OTLPMetricExporter({ url, headers, timeoutMillis, concurrencyLimit: mostRequests }),
    url,
    deps,
  )
  return new PeriodicExportingMetricReader({
    ...{ exporter, exportIntervalMillis: metricIntervalMs, exportTimeoutMillis: timeoutMillis },
  })
}

interface Exporter<Batch> {
  export(batch: Batch, done: (result: { code: ExportResultCode; error?: Error }) => void): void
}

/** The exporter, which says once when what it sends is no longer taken, and once when it is again. */
function heard<Batch, Kind extends Exporter<Batch>>(
  exporter: Kind & Exporter<Batch>,
  url: string,
  { report }: Pick<TelemetryDeps, "report">,
): Kind {
  const send = exporter.export.bind(exporter)
  let isTaken = true
  exporter.export = (batch, done) => {
    send(batch, (result) => {
      const isNowTaken = result.code === ExportResultCode.SUCCESS
      if (isTaken && !isNowTaken)
        report(`telemetry: ${url} does not take what is sent: ${result.error?.message ?? "no reason given"}`)
      if (!isTaken && isNowTaken) report(`telemetry: ${url} takes what is sent again`)
      isTaken = isNowTaken
      done(result)
    })
  }
  return exporter
}
