import { AsyncLocalStorage } from "node:async_hooks"
import type { Span, SpanFacts, SpanKind, SpanNotes, SpanPlace, Trace } from "@docket/core/trace"
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span as SentSpan,
  SpanStatusCode,
  type Tracer,
  trace as traces,
} from "@opentelemetry/api"
import { millisToHrTime, parseTraceParent } from "@opentelemetry/core"
import type { Contents, TurnContents } from "./contents.ts"
import type { Meters } from "./create-meters.ts"
import { describeNotes, describeSpan, errorType } from "./describe-span.ts"
import { attribute, lateEvent, spanName } from "./names.ts"

export interface TraceDeps {
  /** Null where no spans are sent. */
  tracer: Tracer | null
  meters: Meters
  /** Reads what was said; null where nobody may. */
  contents: Contents | null
  /** The hosts of model providers that are told of spans. */
  hosts: readonly string[]
  /** Epoch ms. */
  clock(): number
  /** Monotonic ms. */
  now(): number
}

/** What is known of the span that runs now. */
interface Running {
  context: Context
  id: string | null
  /** What spans below a turn say of it. */
  ofTurn: Attributes
  contents: TurnContents | null
}

export interface WatchedTrace extends Trace {
  /** The ids of the span that runs now, for logs; null when there is none. */
  ids(): { traceID: string; spanID: string } | null
  /** The span that runs now, as the kit for telemetry knows it; undefined when there is none. */
  context(): Context | undefined
}

/** Makes spans and measures. The span that runs now is known by the asynchronous context, here and nowhere else. */
export function createTrace(deps: TraceDeps): WatchedTrace {
  const running = new AsyncLocalStorage<Running>()
  const current = () => running.getStore()
  return {
    begin: (kind, facts, place = {}) => {
      const above = place.parent === undefined ? current() : undefined
      if (kind === "turn" && "isTakeover" in facts && facts.isTakeover) deps.meters.takenOver()
      return beginSpan(deps, running, { kind, facts, place, above })
    },
    headers() {
      const id = current()?.id
      return id ? { traceparent: id } : {}
    },
    isTold: (host) => deps.hosts.includes(host.toLowerCase()) || deps.hosts.includes(host.replace(/:\d+$/, "")),
    readers: deps.meters.readers,
    opened: null,
    context: () => current()?.context,
    ids() {
      const context = current()?.context
      const span = context && traces.getSpanContext(context)
      return span ? { traceID: span.traceId, spanID: span.spanId } : null
    },
  }
}

interface Beginning<Kind extends SpanKind> {
  kind: Kind
  facts: SpanFacts[Kind]
  place: SpanPlace
  above: Running | undefined
}

function beginSpan<Kind extends SpanKind>(
  deps: TraceDeps,
  running: AsyncLocalStorage<Running>,
  { kind, facts, place, above }: Beginning<Kind>,
): Span<Kind> {
  const begunAt = deps.clock()
  const begun = deps.now()
  const start = place.since ?? begunAt
  const { name, direction, attributes } = describeSpan[kind](facts)
  const inherited = above?.ofTurn ?? {}
  const parent = place.parent ? contextOf(place.parent) : (above?.context ?? ROOT_CONTEXT)
  const sent = deps.tracer?.startSpan(
    name,
    {
      ...{ kind: direction, startTime: millisToHrTime(start), attributes: { ...inherited, ...attributes } },
      links: linksTo(place.follows),
    },
    parent,
  )
  const mine: Running = {
    context: sent ? traces.setSpan(parent, sent) : parent,
    id: sent ? traceparentOf(sent) : null,
    ofTurn: kind === "turn" ? pick(attributes, [attribute.conversation, attribute.agentName]) : inherited,
    contents: contentsOf(deps, kind, facts) ?? above?.contents ?? null,
  }
  let notes: Partial<SpanNotes[Kind]> = {}
  let isOver = false
  return {
    id: mine.id,
    run: (work) => running.run(mine, work),
    note(more) {
      notes = { ...notes, ...more }
      const said = describeNotes[kind](more)
      sent?.setAttributes(said)
      const agent = said[attribute.agentName]
      if (kind !== "turn" || typeof agent !== "string") return
      sent?.updateName(spanName.turn(agent))
      mine.ofTurn = { ...mine.ofTurn, [attribute.agentName]: agent }
    },
    late: (what) => void sent?.addEvent(lateEvent, { [attribute.waitsFor]: what }),
    end(failure) {
      if (isOver) return
      isOver = true
      const end = begunAt + (deps.now() - begun)
      const error = failure === undefined ? null : errorType(failure)
      deps.meters.ended[kind]({ facts, notes, seconds: Math.max(0, end - start) / 1_000, error })
      if (sent === undefined) return
      if (error !== null) {
        sent.setAttribute(attribute.errorType, error)
        sent.setStatus({ code: SpanStatusCode.ERROR })
      }
      endSent(deps, sent, { contents: mine.contents, texts: () => deps.contents?.of[kind](facts, notes) ?? {}, end })
    },
  }
}

/** Ends a span, with what was said if that may be read. Redaction waits for what is secret in the tree. */
function endSent(
  deps: TraceDeps,
  sent: SentSpan,
  { contents, texts, end }: { contents: TurnContents | null; texts(): Record<string, unknown>; end: number },
): void {
  const over = () => sent.end(millisToHrTime(end))
  if (deps.contents === null || contents === null || !sent.isRecording()) over()
  else
    contents.redacted(texts()).then((attributes) => {
      sent.setAttributes(attributes)
      over()
    }, over)
}

function contentsOf<Kind extends SpanKind>(
  deps: TraceDeps,
  kind: Kind,
  facts: Beginning<Kind>["facts"],
): TurnContents | null {
  return deps.contents !== null && kind === "turn" && "secrets" in facts ? deps.contents.ofTurn(facts.secrets) : null
}

function pick(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(names.flatMap((name) => (name in attributes ? [[name, attributes[name]]] : [])))
}

function contextOf(traceparent: string): Context {
  const parent = parseTraceParent(traceparent)
  return parent === null ? ROOT_CONTEXT : traces.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

function linksTo(traceparent: string | undefined) {
  const context = traceparent === undefined ? null : parseTraceParent(traceparent)
  return context === null ? [] : [{ context }]
}

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
function traceparentOf(span: SentSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`
}
