import type { SharedV4ProviderMetadata } from "@ai-sdk/provider"
import type { AssistantMessage, ToolPart } from "../schema/index.ts"
import type { StreamDeps } from "./process-stream.ts"
import { storedMetadata } from "./stored-metadata.ts"

/** Arguments that are still streaming reach the readers at most this often (ms). */
const inputMs = 200

interface Entry {
  part: ToolPart
  raw: string
  shownAt: number
}

/** The tool calls of one step. They are recorded here and run later. */
export interface StepCalls {
  start(callID: string, tool: string, metadata: SharedV4ProviderMetadata | undefined): void
  append(callID: string, delta: string): void
  /** The call is complete; `input` is JSON text. */
  complete(call: { callID: string; tool: string; input: string; metadata: SharedV4ProviderMetadata | undefined }): void
  /** Complete calls in order, in state `pending`. */
  completed(): ToolPart[]
}

export function createStepCalls(deps: StreamDeps, message: AssistantMessage): StepCalls {
  const entries = new Map<string, Entry>()
  const completed: ToolPart[] = []
  const write = (part: ToolPart) => void deps.writer.part(part).catch(() => {})
  const start = (callID: string, tool: string, metadata: SharedV4ProviderMetadata | undefined): Entry => {
    const place = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id }
    const state = { status: "pending", input: {}, raw: "" } as const
    const part: ToolPart = { ...place, type: "tool", callID, tool, state, ...storedMetadata(metadata) }
    const entry = { part, raw: "", shownAt: deps.clock() }
    entries.set(callID, entry)
    write(part)
    return entry
  }
  return {
    start(callID, tool, metadata) {
      start(callID, tool, metadata)
    },
    append(callID, delta) {
      const entry = entries.get(callID)
      if (entry === undefined) return
      entry.raw += delta
      if (deps.clock() - entry.shownAt < inputMs) return
      entry.shownAt = deps.clock()
      entry.part = { ...entry.part, state: { status: "pending", input: {}, raw: entry.raw } }
      write(entry.part)
    },
    complete({ callID, tool, input, metadata }) {
      const entry = entries.get(callID) ?? start(callID, tool, metadata)
      const state = { status: "pending", input: parseInput(input), raw: input } as const
      entry.part = { ...entry.part, tool, state, ...storedMetadata(metadata) }
      completed.push(entry.part)
    },
    completed: () => completed,
  }
}

/** JSON when it is JSON; the text itself otherwise, for the error that the model reads. */
function parseInput(raw: string): unknown {
  try {
    return JSON.parse(raw === "" ? "{}" : raw)
  } catch {
    return raw
  }
}
