import { createServer, type IncomingHttpHeaders } from "node:http"

interface Value {
  stringValue?: string
  intValue?: number | string
  doubleValue?: number
  boolValue?: boolean
  arrayValue?: { values: Value[] }
}

interface Attribute {
  key: string
  value: Value
}

interface SentSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number }
}

export interface ReceivedSpan {
  traceID: string
  spanID: string
  parentID: string | null
  name: string
  /** ms. */
  start: number
  end: number
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  hasFailed: boolean
  /** Those of the process that sent it. */
  resource: Record<string, unknown>
}

interface SentLog {
  traceId?: string
  spanId?: string
  severityText: string
  body: Value
  attributes: Attribute[]
}

/** A line of a log. */
export interface ReceivedLog {
  traceID: string | null
  spanID: string | null
  severity: string
  text: unknown
  attributes: Record<string, unknown>
}

export interface OtlpReceiver {
  url: string
  spans: ReceivedSpan[]
  logs: ReceivedLog[]
  /** The names of metrics that came. */
  metrics: Set<string>
  headers: IncomingHttpHeaders[]
  stop(): Promise<void>
}

/**
 * Receives OTLP over HTTP in JSON.
 * @param options.hangs never answers
 */
export async function startOtlpReceiver({ hangs = false } = {}): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const logs: ReceivedLog[] = []
  const metrics = new Set<string>()
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    headers.push(request.headers)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8"))
    spans.push(...readSpans(body))
    logs.push(...readLogs(body))
    for (const name of metricNames(body)) metrics.add(name)
    if (!hangs) response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the receiver has no port")
  return {
    ...{ url: `http://127.0.0.1:${address.port}`, spans, logs, metrics, headers },
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

function readSpans(body: {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[]
}): ReceivedSpan[] {
  return (body.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceID: span.traceId,
        spanID: span.spanId,
        parentID: span.parentSpanId || null,
        name: span.name,
        start: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
        end: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
        attributes: record(span.attributes),
        links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
        hasFailed: span.status.code === 2,
        resource: record(resource.attributes),
      })),
    ),
  )
}

function readLogs(body: { resourceLogs?: { scopeLogs: { logRecords: SentLog[] }[] }[] }): ReceivedLog[] {
  return (body.resourceLogs ?? []).flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) =>
      logRecords.map(({ traceId, spanId, severityText, body, attributes }) => ({
        traceID: traceId || null,
        spanID: spanId || null,
        severity: severityText,
        text: read(body),
        attributes: record(attributes),
      })),
    ),
  )
}

function metricNames(body: { resourceMetrics?: { scopeMetrics: { metrics: { name: string }[] }[] }[] }): string[] {
  return (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
  )
}

function record(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, read(value)]))
}

function read({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(read)
  return stringValue ?? doubleValue ?? boolValue ?? Number(intValue)
}
