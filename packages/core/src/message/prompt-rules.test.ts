import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { createIdSource } from "../id/create-id.ts"
import { fitPrompt } from "../prompt/fit-prompt.ts"
import type { AssistantMessage, MessageWithParts, Part } from "../schema/index.ts"
import { newUserMessage } from "../test/entities.ts"
import { modelInputs } from "./model-inputs.ts"
import { toModelPrompt } from "./to-model-prompt.ts"
import { noTokens } from "./token-usage.ts"

const createID = createIdSource()
const sessionID = createID("session")
const model = { providerID: "p", modelID: "one" }
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
  // Drawn parts are whole but for their place.
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
      model: { ...model, modelID },
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
const transcript = fc.array(fc.oneof(prompt, answer), { maxLength: 12 })
const packages = ["@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/google", "@ai-sdk/openai-compatible"]

function callsOf(message: LanguageModelV4Message | undefined) {
  return message?.role === "assistant" ? message.content.filter((part) => part.type === "tool-call") : []
}

function answersOf(message: LanguageModelV4Message | undefined) {
  return message?.role === "tool" ? message.content.filter((part) => part.type === "tool-result") : []
}

/** Every rule that one provider or another has. */
function checkRules(sent: LanguageModelV4Prompt, npm: string): void {
  const seen = new Set<string>()
  for (const [index, message] of sent.entries()) {
    if (message.role === "system") continue
    expect(message.content.length).toBeGreaterThan(0)
    for (const call of callsOf(message)) {
      expect(call).toMatchObject({ toolCallId: expect.stringMatching(/^[\w-]{1,64}$/), input: expect.any(Object) })
      expect(call.toolName).toMatch(/^[A-Za-z_][\w-]{0,63}$/)
      expect(Array.isArray(call.input)).toBe(false)
      expect(seen.has(call.toolCallId)).toBe(false)
      seen.add(call.toolCallId)
    }
    expect(answersOf(sent[index + 1]).map(({ toolCallId }) => toolCallId)).toEqual(
      callsOf(message).map(({ toolCallId }) => toolCallId),
    )
    if (message.role === "assistant") expect(message.content.at(-1)?.type).not.toBe("reasoning")
    for (const part of message.content) {
      if (part.type === "text" && part.text.trim() === "") expect(part.providerOptions).toHaveProperty("google")
      if (part.type === "tool-result" && "value" in part.output) expect(String(part.output.value).trim()).not.toBe("")
    }
  }
  const json = JSON.stringify(sent)
  expect(json.isWellFormed()).toBe(true)
  expect(json).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/)
  const roles = sent.map(({ role }) => role)
  expect(roles[0]).toBe("user")
  expect(roles.at(-1)).not.toBe("assistant")
  if (npm === "@ai-sdk/openai-compatible") expect(roles.join()).not.toContain("user,user")
}

test("whatever a transcript holds, its prompt keeps the rules of all providers", () => {
  fc.assert(
    fc.property(transcript, fc.constantFrom(...packages), (messages, npm) => {
      const sent = fitPrompt(toModelPrompt(messages, model, modelInputs(npm, undefined, {})), npm)
      checkRules(sent, npm)
      // The same again, from what is kept of each message.
      expect(fitPrompt(toModelPrompt(messages, model, modelInputs(npm, undefined, {})), npm)).toEqual(sent)
    }),
    drawn(300),
  )
})

test("a call keeps its id whatever comes after it", () => {
  fc.assert(
    fc.property(transcript, transcript, (before, after) => {
      const early = toModelPrompt(before, model)
      expect(toModelPrompt([...before, ...after], model).slice(0, early.length)).toEqual(early)
    }),
    drawn(100),
  )
})

test("a step converts only the messages that changed", () => {
  const messages = fc
    .sample(transcript, { numRuns: 20, seed: 1 })
    .flat()
    .filter(({ parts }) => !parts.some(({ type }) => type === "tool"))
  const first = toModelPrompt(messages, model)
  const last = messages.at(-1)
  if (last === undefined) throw new Error("nothing was drawn")
  const second = toModelPrompt([...messages.slice(0, -1), { ...last }], model)
  const same = second.filter((message, index) => message === first[index])
  expect(same.length).toBeGreaterThanOrEqual(first.length - 1)
})
