import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { MessageWithParts, Part, ToolPart } from "../../ground/schema/index.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { drawnMessage, drawnModel, drawnTranscript } from "../../test/drawn-transcript.ts"
import { newSession, userMessageWith } from "../../test/entities.ts"
import { countedTokens, fitWindow } from "../compaction/fit-window.ts"
import { modelRequest } from "../prompt/model-request.ts"
import { createTranscript, type Transcript } from "./transcript.ts"

const createID = createIdSource()
const session = newSession(createID)

function call(messageID: string, compacted?: number): ToolPart {
  const place = { id: createID("part"), sessionID: session.id, messageID }
  const time = { start: 1, end: 2, ...(compacted !== undefined && { compacted }) }
  const state = { status: "completed", input: {}, output: "text", title: "", metadata: {}, time } as const
  return { ...place, type: "tool", callID: place.id, tool: "read", state }
}

test("a transcript knows when outputs were cleared last, from rows and changes", () => {
  const user = userMessageWith(createID, session.id, "Hello")
  const begun = createTranscript([{ ...user, parts: [...user.parts, call(user.info.id, 5), call(user.info.id, 3)] }])
  expect(begun.clearedAt()).toBe(5)
  begun.putPart(call(user.info.id))
  expect(begun.clearedAt()).toBe(5)
  begun.putPart(call(user.info.id, 9))
  expect(begun.clearedAt()).toBe(9)
  expect(createTranscript([user]).clearedAt()).toBe(0)
})

type Change = (transcript: Transcript) => Transcript

const place = fc.nat({ max: 40 })
const oneOf = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(1, all.length)]

function put(transcript: Transcript, { info, parts }: MessageWithParts): Transcript {
  transcript.putMessage(info)
  for (const part of parts) transcript.putPart(part)
  return transcript
}

function cleared(part: Part): Part {
  if (part.type !== "tool" || part.state.status !== "completed") return part
  return { ...part, state: { ...part.state, time: { ...part.state.time, compacted: 3 } } }
}

/** A change of a session between two steps. */
const change: fc.Arbitrary<Change> = fc.oneof(
  drawnMessage.map(
    (message): Change =>
      (transcript) =>
        put(transcript, message),
  ),
  // A message is written again: it has ended, or another attempt begins.
  fc.tuple(place, fc.nat({ max: 2 })).map(
    ([index, input]): Change =>
      (transcript) => {
        const info = oneOf(transcript.all(), index)?.info
        if (info?.role === "assistant")
          transcript.putMessage({ ...info, error: null, tokens: { ...info.tokens, input } })
        return transcript
      },
  ),
  place.map(
    (index): Change =>
      (transcript) => {
        const part = oneOf(
          transcript.all().flatMap(({ parts }) => parts),
          index,
        )
        if (part !== undefined) transcript.removePart(part.messageID, part.id)
        return transcript
      },
  ),
  // A prune.
  fc.constant<Change>((transcript) => {
    for (const part of transcript.all().flatMap(({ parts }) => parts)) transcript.putPart(cleared(part))
    return transcript
  }),
  // A compaction.
  place.map(
    (index): Change =>
      (transcript) => {
        transcript.startAt(oneOf(transcript.all(), index)?.info.id ?? "")
        return transcript
      },
  ),
  // An undo, or a step that continues after a restart: both are read from rows.
  place.map(
    (index): Change =>
      (transcript) =>
        createTranscript(structuredClone(transcript.all().slice(0, index))),
  ),
)

const provider = fc.constantFrom("@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/openai-compatible")

test("a request equals one built from all messages, whatever happens between", async () => {
  const window = fc.constantFrom({ context: 0, output: 0 }, { context: 40, output: 4 }, { context: 9_000, output: 900 })
  await fc.assert(
    fc.asyncProperty(
      drawnTranscript,
      fc.array(change, { maxLength: 10 }),
      provider,
      window,
      async (first, changes, npm, limit) => {
        let transcript = createTranscript(first)
        for (const next of [(same: Transcript) => same, ...changes]) {
          transcript = next(transcript)
          const kept = await requestOf(transcript, npm)
          const whole = await requestOf(createTranscript(structuredClone(transcript.all())), npm)
          const unknown = { from: kept.head.from, count: 0, tokens: 0, largest: 0, units: 0 }
          const counted = transcript
            .all()
            .findLastIndex(({ info }) => info.role === "assistant" && info.tokens.input > 0)
          expect(transcript.countedAt()).toBe(counted)
          const [sent, walked] = [fitWindow(kept, limit), fitWindow({ ...whole, head: unknown }, limit)]
          expect(JSON.stringify(sent.prompt)).toBe(JSON.stringify(walked.prompt))
          expect([sent.tokens, sent.tooLong, sent.units()]).toEqual([walked.tokens, walked.tooLong, walked.units()])
        }
      },
    ),
    drawn(200),
  )
})

function requestOf(transcript: Transcript, npm: string): ReturnType<typeof modelRequest> {
  // A request reads only these fields of a resolved model.
  const resolved = { npm, info: { inputs: undefined }, model: { supportedUrls: {} } } as unknown as ResolvedModel
  const request = {
    model: drawnModel,
    resolved,
    system: ["One.", "Two."],
    notes: ["A note."],
    readContent: async () => null,
    tools: [],
    mayCall: true,
  }
  return modelRequest({ ...request, transcript })
}

test("a step reads no message again", async () => {
  let looks = 0
  const watched = <T extends object>(of: T): T =>
    new Proxy(of, {
      get(value, key) {
        looks += 1
        return Reflect.get(value, key)
      },
    })
  const messages = Array.from({ length: 500 }, (_, n) => userMessageWith(createID, session.id, `Say ${n}`))
  const transcript = createTranscript(messages.map(watched))
  const step = async () => {
    const { prompt, head } = await requestOf(transcript, "@ai-sdk/openai")
    const end = head.from + head.count
    const guarded = prompt.map((message, index) => (index < head.from || index >= end ? message : watched(message)))
    const { tokens, units } = fitWindow({ prompt: guarded, head }, { context: 100_000, output: 4_000 })
    return [prompt.length, tokens, units(), countedTokens(transcript, drawnModel)]
  }
  const first = await step()
  expect(looks).toBeGreaterThanOrEqual(messages.length)
  looks = 0
  expect(await step()).toEqual(first)
  expect(looks).toBe(0)
  put(transcript, userMessageWith(createID, session.id, "One more"))
  await step()
  expect(looks).toBe(0)
})
