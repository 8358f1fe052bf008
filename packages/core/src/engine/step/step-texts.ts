import type { SharedV4ProviderMetadata } from "@ai-sdk/provider"
import type { AssistantMessage } from "../../ground/schema/index.ts"
import { storedMetadata } from "./stored-metadata.ts"
import type { StreamDeps } from "./stream-deps.ts"
import { createTextStream, type TextStream } from "./text-stream.ts"

type Kind = "text" | "reasoning"

/** The text and reasoning parts of one step, by the provider's ids. */
export interface StepTexts {
  start(kind: Kind, id: string, metadata: SharedV4ProviderMetadata | undefined): void
  append(kind: Kind, id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void
  end(kind: Kind, id: string, metadata: SharedV4ProviderMetadata | undefined): void
  endAll(): void
}

export function createStepTexts(deps: StreamDeps, message: AssistantMessage): StepTexts {
  const texts = new Map<string, TextStream>()
  const start: StepTexts["start"] = (type, id, metadata) => {
    // Some providers use an id again for the next text.
    texts.get(`${type}:${id}`)?.end()
    const base = { id: deps.createID("part"), sessionID: message.sessionID, messageID: message.id, text: "" }
    const time = { start: deps.clock(), end: null }
    texts.set(`${type}:${id}`, createTextStream(deps, { ...base, type, time, ...storedMetadata(metadata) }))
  }
  return {
    start,
    append(kind, id, delta, metadata) {
      if (delta === "" && metadata === undefined) return
      // Some providers leave the start out.
      if (!texts.has(`${kind}:${id}`)) start(kind, id, undefined)
      const text = texts.get(`${kind}:${id}`)
      // A signature comes with no text.
      text?.annotate(metadata)
      if (delta !== "") text?.append(delta)
    },
    end(kind, id, metadata) {
      const text = texts.get(`${kind}:${id}`)
      text?.annotate(metadata)
      text?.end()
    },
    endAll() {
      for (const text of texts.values()) text.end()
    },
  }
}
