import type { SpanFacts, SpanKind, SpanNotes } from "@docket/core/trace"
import type { Attributes, Meter } from "@opentelemetry/api"
import { attribute, type MetricName, metric } from "./names.ts"

/** A span that has ended. */
export interface EndedSpan<Kind extends SpanKind> {
  facts: SpanFacts[Kind]
  notes: Partial<SpanNotes[Kind]>
  /** How long it took (s). */
  seconds: number
  /** The kind of its failure; null when it has not failed. */
  error: string | null
}

export interface Meters {
  /** Counts a span that has ended. */
  ended: { [Kind in SpanKind]: (span: EndedSpan<Kind>) => void }
  takenOver(): void
  readers(change: number): void
}

/** Measures by spans. Nothing is measured by session: there are too many. */
export function createMeters(meter: Meter): Meters {
  const histogram = ({ name, unit, description, buckets }: MetricName) =>
    meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: buckets ?? [] } })
  const counter = ({ name, unit, description }: MetricName) => meter.createCounter(name, { unit, description })
  const { name, ...about } = metric.readers
  const readers = meter.createUpDownCounter(name, about)
  const takeovers = counter(metric.takeovers)
  const turns = counter(metric.turns)
  const queueWait = histogram(metric.queueWait)
  const tokenUsage = histogram(metric.tokenUsage)
  const modelDuration = histogram(metric.modelDuration)
  const firstChunk = histogram(metric.firstChunk)
  const toolDuration = histogram(metric.toolDuration)
  const mcpDuration = histogram(metric.mcpDuration)
  // What never happened is 0, not missing: alerts compare with what was before.
  readers.add(0)
  takeovers.add(0)
  return {
    takenOver: () => takeovers.add(1),
    readers: (change) => readers.add(change),
    ended: {
      turn({ facts, notes, error }) {
        const isChild = facts.sessionID !== facts.rootID
        turns.add(1, { [attribute.status]: statusOf(notes.status, error), [attribute.isChild]: isChild })
      },
      queue: ({ seconds }) => queueWait.record(seconds),
      model({ facts, notes, seconds, error }) {
        const labels = {
          [attribute.operation]: "chat",
          [attribute.provider]: facts.provider,
          [attribute.requestModel]: facts.model,
        }
        modelDuration.record(seconds, { ...labels, ...failed(error) })
        if (notes.firstChunkMs !== undefined) firstChunk.record(notes.firstChunkMs / 1_000, labels)
        const { usage } = notes
        if (usage === undefined) return
        const input = usage.input + usage.cache.read + usage.cache.write
        tokenUsage.record(input, { ...labels, [attribute.tokenType]: "input" })
        tokenUsage.record(usage.output + usage.reasoning, { ...labels, [attribute.tokenType]: "output" })
      },
      call({ facts, seconds, error }) {
        // A model may make up any name.
        const tool = facts.isKnown ? facts.tool : "_OTHER"
        toolDuration.record(seconds, { [attribute.toolName]: tool, ...failed(error) })
      },
      mcp({ facts, seconds, error }) {
        const labels = { [attribute.mcpMethod]: "tools/call", [attribute.toolName]: facts.tool }
        mcpDuration.record(seconds, { ...labels, ...failed(error) })
      },
      permission() {},
    },
  }
}

/** A turn that still runs was taken by another process. */
function statusOf(status: string | undefined, error: string | null): string {
  if (error !== null || status === undefined) return "failed"
  return status === "running" ? "lost" : status
}

function failed(error: string | null): Attributes {
  return error === null ? {} : { [attribute.errorType]: error }
}
