import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { drawnMessage, drawnModel, drawnTranscript } from "../../test/drawn-transcript.ts"
import type { MessageWithParts, ModelInfo } from "../schema/index.ts"
import { createCachedPrompt } from "./cached-prompt.ts"
import { endFit, fitPrompt } from "./fit-prompt.ts"
import { modelInputs } from "./model-inputs.ts"
import { type PromptTarget, toModelPrompt } from "./to-model-prompt.ts"

type Change = (messages: MessageWithParts[]) => MessageWithParts[]

const place = fc.nat({ max: 20 })
const at = (messages: MessageWithParts[], index: number) => index % Math.max(1, messages.length)

/** What happens to the transcript of a session between two steps. */
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.array(drawnMessage, { minLength: 1, maxLength: 3 }).map(
    (more): Change =>
      (messages) => [...messages, ...more],
  ),
  // An answer that goes on, a call that ends, an output that is cleared.
  fc.tuple(place, drawnMessage).map(
    ([index, { parts }]): Change =>
      (messages) =>
        messages.map((message, i) => (i === at(messages, index) ? { ...message, parts } : message)),
  ),
  fc.tuple(place, place).map(
    ([index, part]): Change =>
      (messages) =>
        messages.map((message, i) =>
          i === at(messages, index) ? { ...message, parts: message.parts.toSpliced(part, 1) } : message,
        ),
  ),
  // An undo, and the prompts that come after it.
  place.map(
    (index): Change =>
      (messages) =>
        messages.slice(0, at(messages, index)),
  ),
  // A compaction: the transcript begins at its summary.
  place.map(
    (index): Change =>
      (messages) =>
        messages.slice(at(messages, index)),
  ),
  // Read again from its rows.
  fc.constant<Change>((messages) => structuredClone(messages)),
)

const target: fc.Arbitrary<PromptTarget> = fc.record({
  model: fc.constantFrom(drawnModel, { ...drawnModel, modelID: "two" }),
  inputs: fc
    .tuple(
      fc.constantFrom("@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/openai-compatible"),
      fc.constantFrom<ModelInfo["inputs"]>([], ["image"], undefined),
      fc.constantFrom({}, { "image/*": [/^https:/] }),
    )
    .map(([npm, kinds, urls]) => modelInputs(npm, kinds, urls)),
  texts: fc.constant(new Map<string, string>()),
})

/** The target stays as it is more often than not. */
const step = fc.tuple(change, fc.option(target, { nil: null, freq: 3 }))

test("a cached conversation equals a fresh conversion after any changes", () => {
  fc.assert(
    fc.property(drawnTranscript, target, fc.array(step, { maxLength: 8 }), (first, begun, steps) => {
      const kept = createCachedPrompt()
      let messages = first
      let current = begun
      for (const [next, other] of [[(same: MessageWithParts[]) => same, null] as const, ...steps]) {
        messages = next(messages)
        current = other ?? current
        const { model, inputs } = current
        const fresh = fitPrompt(toModelPrompt(messages, model, { inputs }), inputs.npm)
        expect(endFit(kept.of(messages, current))).toEqual(fresh)
      }
    }),
    drawn(300),
  )
})

test("messages that are known to be the same are not compared", () => {
  const kept = createCachedPrompt()
  const own = { model: drawnModel, inputs: modelInputs("@ai-sdk/openai", undefined, {}), texts: new Map() }
  const messages = fc.sample(drawnTranscript, { numRuns: 20, seed: 1 }).flat()
  const first = kept.of(messages, own)
  const looked = new Set<PropertyKey>()
  const watched = new Proxy(messages, {
    get(all, key) {
      looked.add(key)
      return Reflect.get(all, key)
    },
  })
  expect(kept.of(watched, own, messages.length)).toEqual(first)
  expect([...looked]).toEqual(["length"])
})

test("a caller's change of the returned array is not kept", () => {
  const kept = createCachedPrompt()
  const own = { model: drawnModel, inputs: modelInputs("@ai-sdk/openai", undefined, {}), texts: new Map() }
  const messages = fc.sample(drawnTranscript, { numRuns: 20, seed: 1 }).flat()
  const before = kept.of(messages, own).slice()
  kept.of(messages, own).splice(0)
  expect(kept.of(messages, own)).toEqual(before)
})

test("a step converts only the messages that changed", () => {
  const kept = createCachedPrompt()
  const own = { model: drawnModel, inputs: modelInputs("@ai-sdk/openai", undefined, {}), texts: new Map() }
  const messages = fc.sample(drawnTranscript, { numRuns: 20, seed: 1 }).flat()
  const first = kept.of(messages, own)
  const last = messages.at(-1)
  if (last === undefined) throw new Error("nothing was drawn")
  const second = kept.of([...messages.slice(0, -1), { ...last }], own)
  const same = second.filter((message, index) => message === first[index])
  expect(second).toEqual(first)
  // An answer with calls is two messages.
  expect(same.length).toBeGreaterThanOrEqual(first.length - 2)
})
