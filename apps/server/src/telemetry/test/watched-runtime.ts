import { type Script, type ScriptedRuntime, scriptedRuntime } from "@docket/core/test/scripted-runtime"
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics"
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace"
import { createContents } from "../contents.ts"
import { createMeters } from "../create-meters.ts"
import { createTrace } from "../create-trace.ts"

export interface WatchedRuntime extends ScriptedRuntime {
  /** The spans that ended, by name. */
  spans(name: string): ReadableSpan[]
  /** The metrics so far, by name: the labels of each row, with its value or count. */
  measured(): Promise<Record<string, { labels: Record<string, unknown>; value: number }[]>>
}

type RuntimeOptions = NonNullable<Parameters<typeof scriptedRuntime>[1]>

/** A runtime with a scripted model whose spans and metrics are kept in memory. */
export async function watchedRuntime(
  script: Script,
  { content = false, ...options }: RuntimeOptions & { content?: boolean } = {},
): Promise<WatchedRuntime> {
  const kept = new InMemorySpanExporter()
  const tracing = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: kept })] })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 600_000 })
  const measuring = new MeterProvider({ readers: [reader] })
  const trace = createTrace({
    tracer: tracing.getTracer("test"),
    meters: createMeters(measuring.getMeter("test")),
    contents: content ? createContents({ home: "/home/ada", user: "ada" }) : null,
    hosts: [],
    clock: Date.now,
    now: () => performance.now(),
  })
  const runtime = await scriptedRuntime(script, { ...options, trace })
  return {
    ...runtime,
    spans: (name) => kept.getFinishedSpans().filter((span) => span.name === name),
    async measured() {
      exporter.reset()
      await measuring.forceFlush()
      const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((one) => one.metrics))
      return Object.fromEntries(
        metrics.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          (dataPoints as DataPoint<number | Histogram>[]).map(({ attributes: labels, value }) => ({
            labels,
            value: typeof value === "number" ? value : value.count,
          })),
        ]),
      )
    },
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]()
      await Promise.all([tracing.shutdown(), measuring.shutdown()])
    },
  }
}
