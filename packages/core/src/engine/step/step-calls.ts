import type { SharedV4ProviderMetadata } from "@ai-sdk/provider"
import { parseJson } from "../../acts/tool/parse-json.ts"
import type { AssistantMessage, ToolPart } from "../../ground/schema/index.ts"
import { mergedMetadata, storedMetadata } from "./stored-metadata.ts"
import type { StreamDeps } from "./stream-deps.ts"

/** Arguments that are still streaming reach the readers at most this often (ms). */
const inputMs = 200

interface Entry {
  /** The id that the provider gave. */
  given: string
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
  /** Calls whose arguments are still streaming. */
  const open: Entry[] = []
  const completed: ToolPart[] = []
  const callIDs = new Set<string>()
  const write = (part: ToolPart) => void deps.writer.part(part)
  const start = (given: string, tool: string, metadata: SharedV4ProviderMetadata | undefined): Entry => {
    const callID = unusedID(given, callIDs)
    callIDs.add(callID)
    const place = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id }
    const state = { status: "pending", input: {}, raw: "" } as const
    const part: ToolPart = { ...place, type: "tool", callID, tool, state, ...storedMetadata(metadata) }
    const entry = { given, part, raw: "", shownAt: deps.clock() }
    open.push(entry)
    write(part)
    return entry
  }
  return {
    start(callID, tool, metadata) {
      start(callID, tool, metadata)
    },
    append(callID, delta) {
      const entry = open.findLast(({ given }) => given === callID)
      if (entry === undefined) return
      entry.raw += delta
      if (deps.clock() - entry.shownAt < inputMs) return
      entry.shownAt = deps.clock()
      entry.part = { ...entry.part, state: { status: "pending", input: {}, raw: entry.raw } }
      write(entry.part)
    },
    complete({ callID, tool, input, metadata }) {
      const entry = open.find(({ given }) => given === callID) ?? start(callID, tool, metadata)
      open.splice(open.indexOf(entry), 1)
      const state = { status: "pending", input: parseInput(input), raw: input } as const
      entry.part = { ...entry.part, tool, state, ...mergedMetadata(entry.part.providerMetadata, metadata) }
      completed.push(entry.part)
    },
    completed: () => completed,
  }
}

/** Weak models give two calls of an answer the same id: each must find its own result and its own task. */
function unusedID(given: string, used: ReadonlySet<string>): string {
  let callID = given
  for (let n = 2; used.has(callID); n++) callID = `${given}_${n}`
  return callID
}

/** JSON when it is JSON; the text itself otherwise, for the error that the model reads. */
function parseInput(raw: string): unknown {
  return parseJson(raw === "" ? "{}" : raw) ?? raw
}
