import fc from "fast-check"
import { createIdSource } from "../ground/id/create-id.ts"
import { noTokens } from "../ground/message/usage.ts"
import type { AssistantMessage, MessageWithParts, Part } from "../ground/schema/index.ts"
import { newUserMessage } from "./entities.ts"

const createID = createIdSource()
const sessionID = createID("session")
/** The model of about half of the generated answers. */
export const drawnModel = { providerID: "p", modelID: "one" }
const time = { start: 1, end: 2 }

const text = fc.oneof(
  fc.constantFrom("", " ", "\n", "words", "half \ud83d", "nul \0", "data:,", "😀"),
  fc.string({ unit: "binary" }),
)
const metadata = fc.option(
  fc.constantFrom(
    { anthropic: { signature: "s" } },
    { openai: { itemId: "i" } },
    { google: { thoughtSignature: "t" } },
  ),
  { nil: undefined },
)
const input = fc.oneof(fc.dictionary(text, text), fc.constantFrom<unknown>("no json", [1], null, 7))
const state = fc.oneof(
  fc.record({ input, output: text }).map((given) => ({ ...given, status: "completed", title: "", metadata: {}, time })),
  fc.record({ input, error: text }).map((given) => ({ ...given, status: "error", metadata: {}, time })),
  fc.record({ input }).map((given) => ({ ...given, status: "running", metadata: {}, time: { start: 1 } })),
  fc.record({ input, raw: text }).map((given) => ({ ...given, status: "pending" })),
)
const callID = fc.oneof(fc.constantFrom("call_0", "call_1", "functions.read:0", ""), fc.string({ maxLength: 100 }))
const tool = fc.oneof(fc.constantFrom("read", "my tool", ""), fc.string({ maxLength: 100 }))

const answerPart = fc.oneof(
  fc.record({ text, providerMetadata: metadata }).map((given) => ({ type: "text", ...given })),
  fc.record({ text, providerMetadata: metadata }).map((given) => ({ type: "reasoning", time, ...given })),
  fc.record({ callID, tool, state, providerMetadata: metadata }).map((given) => ({ type: "tool", ...given })),
  fc.constant({ type: "step-finish", reason: "stop", tokens: noTokens, cost: 0 }),
)
const promptPart = fc.oneof(
  text.map((value) => ({ type: "text", text: value })),
  fc
    .record({
      url: fc.oneof(fc.constantFrom("https://a.example/a.png", "data:image/png;base64,iVBORw0K", "file:///a"), text),
      mime: text,
      filename: text,
    })
    .map((given) => ({ type: "file", ...given })),
  fc.constantFrom({ type: "agent", name: "explore" }, { type: "compaction", auto: true }),
)

function placed(info: MessageWithParts["info"], drafts: object[]): MessageWithParts {
  // Generated parts are complete except for their ids.
  const parts = drafts.map((draft) => ({ ...draft, id: createID("part"), sessionID, messageID: info.id }) as Part)
  return { info, parts }
}

const errorName = fc.constantFrom(null, null, "AbortedError", "InterruptedError", "APIError")
const answer = fc
  .record({
    parts: fc.array(answerPart, { maxLength: 6 }),
    name: errorName,
    modelID: fc.constantFrom("one", "two"),
    summary: fc.boolean(),
  })
  .map(({ parts, name, modelID, summary }) => {
    const error = name && ({ name, message: "x", statusCode: null, retryable: false } as const)
    const info: AssistantMessage = {
      ...newUserMessage(createID, sessionID),
      role: "assistant",
      parentID: createID("message"),
      model: { ...drawnModel, modelID },
      finish: "stop",
      error,
      ...(summary && { summary }),
      cost: 0,
      tokens: noTokens,
      time: { created: 1, completed: 2 },
    }
    return placed(info, parts)
  })
const prompt = fc.array(promptPart, { maxLength: 3 }).map((parts) => placed(newUserMessage(createID, sessionID), parts))
export const drawnMessage = fc.oneof(prompt, answer)
/**
 * Up to twelve messages of every kind, with texts and calls that providers would refuse if they were sent unchanged.
 */
export const drawnTranscript = fc.array(drawnMessage, { maxLength: 12 })
