import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import { plainSentence, sentenceOfBody } from "./plain-sentence.ts"
import { toMessageError } from "./to-message-error.ts"

it.each([
  ["The model is busy.", "The model is busy."],
  ['{"error":{"message":"The model is busy.","code":503}}', "The model is busy."],
  ['[{"error":{"message":"The model is busy."}}]', "The model is busy."],
  ['400 {"type":"error","error":{"type":"x","message":"The model is busy."}}', "400: The model is busy."],
  ['{"message":"{\\"error\\":{\\"message\\":\\"The model is busy.\\"}}"}', "The model is busy."],
  ['{"error":{"message":"The model is busy.","metadata":{"raw":"{', "The model is busy."],
  ['{"detail":[{"message":"The model is busy."}]}', "The model is busy."],
  ['Type validation failed: Value: {"id":1}.\nError message: [{"path":[]}]', "Type validation failed"],
  ['JSON parsing failed: Text: {"id":.\nError message: x', "JSON parsing failed"],
  ['{"code":1}', ""],
  ["<!DOCTYPE html><html><body>502</body></html>", ""],
  ["Use {model} or [name].", "Use {model} or [name]."],
])("%s is said as: %s", (message, sentence) => {
  expect(plainSentence(message)).toBe(sentence)
})

it("the sentence of an error shows no JSON, whatever a provider sends", () => {
  const nested = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.string(),
      fc.integer(),
      fc.record({ message: tie("value") }),
      fc.record({ error: tie("value") }),
    ),
  })).value
  fc.assert(
    fc.property(fc.constantFrom("", "failed: "), fc.record({ error: nested, code: fc.string() }), (before, body) => {
      const text = JSON.stringify(body)
      for (const error of [
        new Error(before + text),
        before + text,
        { responseBody: text, message: text, statusCode: 500 },
      ])
        expect(toMessageError(error).message).not.toContain('"error":')
      expect(sentenceOfBody(text)).not.toContain('"error":')
    }),
    drawn(),
  )
})

it.each([
  Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }),
  Object.assign(new Error("write EPIPE"), { code: "EPIPE" }),
  new Error("socket hang up"),
  new TypeError("terminated", { cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }) }),
  new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) }),
])("a broken connection is reported with advice and retried: %s", (error) => {
  expect(toMessageError(error, { providerID: "openai" })).toMatchObject({
    name: "ProviderUnavailableError",
    message: expect.stringMatching(/^The connection to OpenAI was cut .* Send the prompt again/),
    retryable: true,
  })
})
