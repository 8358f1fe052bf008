import { ReviewThreadID, SessionID } from "@docket/core/schema"
import { expect, it } from "vitest"
import { z } from "zod"
import { callsWithID } from "./calls-with-id.ts"
import { besideKinds, missingID, type OwnIds } from "./id-kinds.ts"

const own = Object.fromEntries(besideKinds.map((kind) => [kind, missingID(kind)])) as OwnIds
const callsOf = (input: z.ZodType) =>
  callsWithID({ paths: {} }, own, { "fruit.eat": { type: "mutation", inputs: [input] } })

it("a new operation's ids are tried without an entry for them", () => {
  const input = z.object({ sessionID: SessionID, how: z.enum(["raw", "baked"]), left: z.string().optional() })
  const place = z.union([z.object({ threadID: ReviewThreadID, note: z.string() }), z.null()])
  const calls = callsOf(input.extend({ place: place.optional() }))
  expect(calls.map(({ name, kind, request }) => [name, kind, request("ID").body])).toEqual([
    ["fruit.eat sessionID", "session", { sessionID: "ID", how: "raw" }],
    [
      "fruit.eat place.threadID",
      "reviewThread",
      { sessionID: own.session, how: "raw", place: { threadID: "ID", note: expect.any(String) } },
    ],
  ])
})

it("an id of unknown kind fails and says what to write", () => {
  expect(() => callsOf(z.object({ fruitID: z.string() }))).toThrow(
    "fruit.eat fruitID looks like an id: write into `kindsOfNames` of which kind, or into `notTried` why it is none.",
  )
})

it("an input without a valid sample fails and says what to write", () => {
  const input = z.object({ sessionID: SessionID, color: z.string().startsWith("#") })
  expect(() => callsOf(input)).toThrow("write into `values` what to send.")
})
