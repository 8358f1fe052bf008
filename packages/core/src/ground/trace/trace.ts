import type { ScannerSources } from "../redact/index.ts"
import type { TokenUsage } from "../schema/index.ts"

/** What is known of each kind of work when it begins. */
export interface SpanFacts {
  /** A turn of an agent. It begins with its prompt. */
  turn: {
    agent: string
    sessionID: string
    rootID: string
    turnID: string
    attempt: number
    /** An earlier attempt of it was broken off. */
    isTakeover: boolean
    /** What nobody else may read of its contents. */
    secrets(): Promise<Pick<ScannerSources, "known" | "patterns">>
  }
  /** How long the prompt of the turn waited. */
  queue: Record<never, never>
  /** One call of a model. */
  model: {
    provider: string
    model: string
    maxTokens: number | undefined
    temperature: number | undefined
    /** What the model reads. */
    prompt(): unknown
  }
  /** One call of a tool. */
  call: { tool: string; callID: string; isKnown: boolean; isOwn: boolean; input(): unknown }
  /** One call of a tool at an MCP server. */
  mcp: { tool: string; server: string; isRemote: boolean }
  /** A wait for the answer of a person. */
  permission: { permission: string }
}

/** What becomes known later. */
export interface SpanNotes {
  turn: { agent: string; model: string; provider: string; status: string }
  queue: Record<never, never>
  model: {
    /** When the first piece of the answer came (ms after the call). */
    firstChunkMs: number
    responseID: string
    responseModel: string
    finish: string
    usage: TokenUsage
    answer(): unknown
  }
  call: { result(): unknown }
  mcp: { sessionID: string; protocol: string }
  permission: { answer: string }
}

export type SpanKind = keyof SpanFacts

/** Work that goes on. */
export interface Span<Kind extends SpanKind = SpanKind> {
  /** The span as a W3C traceparent, for work elsewhere; null when nobody watches. */
  id: string | null
  /** Runs `work` as work of this span: what begins meanwhile stands below it. */
  run<T>(work: () => T): T
  note(notes: Partial<SpanNotes[Kind]>): void
  /** Says that the work is late, and what it waits for. */
  late(what: string): void
  /** Ends it once; with an error when the work failed. Later calls do nothing. */
  end(error?: unknown): void
}

export interface SpanPlace {
  /** A span elsewhere to stand below, as a traceparent, or null for a trace of its own; else the one that runs now. */
  parent?: string | null
  /** A span elsewhere that it follows. */
  follows?: string | undefined
  /** When it began (epoch ms), if that was before. */
  since?: number | undefined
}

/** Tells those who watch the service what it does. The names that they read are made by who implements it. */
export interface Trace {
  begin<Kind extends SpanKind>(kind: Kind, facts: SpanFacts[Kind], place?: SpanPlace): Span<Kind>
  /** The span that runs now as W3C headers, for programs that are called; empty when there is none. */
  headers(): Readonly<Record<string, string>>
  /** Whether model providers at this host (with its port, if it names one) are told the span. */
  isTold(host: string): boolean
  /** A reader of events came (1) or went (-1). */
  readers(change: 1 | -1): void
  /** Turns wait for it, so that none is missed. */
  opened: Promise<void> | null
}

const noSpan: Span = { id: null, run: (work) => work(), note() {}, late() {}, end() {} }
const noHeaders = {}

/** Nobody watches. */
export const noTrace: Trace = {
  begin: () => noSpan,
  headers: () => noHeaders,
  isTold: () => false,
  readers() {},
  opened: null,
}

/** Runs `work` in the span, and ends it with it. */
export async function inSpan<Kind extends SpanKind, T>(span: Span<Kind>, work: () => Promise<T>): Promise<T> {
  try {
    const done = await span.run(work)
    span.end()
    return done
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** The span that runs now as environment variables of a program. */
export function traceVariables(trace: Pick<Trace, "headers">): Record<string, string> {
  return Object.fromEntries(Object.entries(trace.headers()).map(([name, value]) => [name.toUpperCase(), value]))
}
