import { randomUUID } from "node:crypto"
import { createScanner, type HomeOwner, redactText, type Scanner, type ScannerSources } from "@docket/core/redact"
import type { SpanFacts, SpanKind, SpanNotes } from "@docket/core/trace"
import { attribute } from "./names.ts"

/** The most of one text, and of one attribute, that is sent (characters). */
const most = { text: 16_384, attribute: 65_536 } as const

/** What was said in one turn. */
export interface TurnContents {
  /** The values as attributes in JSON, without secrets. Rejects when it is not known what is secret. */
  redacted(values: Record<string, unknown>): Promise<Record<string, string>>
}

/** Reads what people, models and tools said. */
export interface Contents {
  ofTurn(secrets: SpanFacts["turn"]["secrets"]): TurnContents
  /** What a span says of it, by attribute. */
  of: {
    [Kind in SpanKind]: (facts: SpanFacts[Kind], notes: Partial<SpanNotes[Kind]>) => Record<string, unknown>
  }
}

export function createContents(owner: HomeOwner): Contents {
  const key = randomUUID()
  return {
    ofTurn(secrets) {
      let scanner: Promise<Scanner> | null = null
      const load = async () => createScanner({ key, owner, ...(await secrets()) } satisfies ScannerSources)
      return {
        async redacted(values) {
          if (Object.keys(values).length === 0) return {}
          scanner ??= load()
          const { find } = await scanner
          const clean = (text: string) => {
            const shown = text.slice(0, most.text)
            return redactText(shown, find(shown, { isWhole: true })) + (text.length > most.text ? "…" : "")
          }
          return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inJSON(value, clean)]))
        },
      }
    },
    of: {
      turn: () => ({}),
      queue: () => ({}),
      model: ({ prompt }, { answer }) => ({
        ...ofPrompt(prompt()),
        ...(answer !== undefined && { [attribute.outputMessages]: [{ role: "assistant", parts: answer() }] }),
      }),
      call: ({ input }, { result }) => ({
        [attribute.toolArguments]: input(),
        ...(result !== undefined && { [attribute.toolResult]: result() }),
      }),
      mcp: () => ({}),
      permission: () => ({}),
    },
  }
}

/** The system's messages apart, as the conventions want it. */
function ofPrompt(prompt: unknown): Record<string, unknown> {
  const messages: { role?: unknown; content?: unknown }[] = Array.isArray(prompt) ? prompt : []
  const system = messages.flatMap(({ role, content }) => (role === "system" ? [{ type: "text", content }] : []))
  const others = messages.flatMap(({ role, content }) => (role === "system" ? [] : [{ role, parts: content }]))
  return { [attribute.systemInstructions]: system, [attribute.inputMessages]: others }
}

/** JSON with clean texts. Of a list that is too long, the last entries are kept. */
function inJSON(value: unknown, clean: (text: string) => string): string {
  const write = (one: unknown) => JSON.stringify(one, (_, inner: unknown) => plain(inner, clean)) ?? "null"
  if (typeof value === "string") return clean(value)
  if (!Array.isArray(value)) return cut(write(value))
  const kept: string[] = []
  let room: number = most.attribute
  for (const one of value.toReversed()) {
    const text = write(one)
    room -= text.length
    if (room < 0) break
    kept.unshift(text)
  }
  return `[${kept.join(",")}]`
}

/** Bytes of files are left out. Names are texts too: what a model calls a field may be anything. */
function plain(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === "string") return clean(value)
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  if ("type" in value && value.type === "file" && "mediaType" in value)
    return { type: "file", mediaType: value.mediaType }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), inner]))
}

function cut(text: string): string {
  return text.length > most.attribute ? `${text.slice(0, most.attribute)}…` : text
}
