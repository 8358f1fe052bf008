import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { drawnModel as model, drawnTranscript as transcript } from "../../test/drawn-transcript.ts"
import { fitPrompt } from "./fit-prompt.ts"
import { modelInputs } from "./model-inputs.ts"
import { toModelPrompt } from "./to-model-prompt.ts"

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
  // Neither NUL nor half a surrogate pair: JSON writes both as an escape.
  expect(json).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/)
  const roles = sent.map(({ role }) => role)
  expect(roles[0]).toBe("user")
  expect(roles.at(-1)).not.toBe("assistant")
  if (npm === "@ai-sdk/openai-compatible") expect(roles.join()).not.toContain("user,user")
}

test("whatever a transcript holds, its prompt keeps the rules of all providers", () => {
  fc.assert(
    fc.property(transcript, fc.constantFrom(...packages), (messages, npm) => {
      const sent = fitPrompt(toModelPrompt(messages, model, { inputs: modelInputs(npm, undefined, {}) }), npm)
      checkRules(sent, npm)
    }),
    drawn(300),
  )
})

test("later messages change nothing in the prompt before them", () => {
  fc.assert(
    fc.property(transcript, transcript, (before, after) => {
      const early = toModelPrompt(before, model)
      expect(toModelPrompt([...before, ...after], model).slice(0, early.length)).toEqual(early)
    }),
    drawn(100),
  )
})
