import { expect, test } from "vitest"
import type { Part } from "../../ground/schema/index.ts"
import { createManualTime } from "../../test/manual-time.ts"
import type { TurnWriter } from "../loop/turn-writer.ts"
import { createTextStream } from "./process-stream.ts"

const place = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text" } as const

function setUp() {
  const told: string[] = []
  const time = createManualTime()
  const writer: Pick<TurnWriter, "part" | "delta"> = {
    part: async (part: Part, options) => {
      if (part.type === "text") told.push(`${options?.quiet ? "row" : "told"} ${part.text}`)
    },
    delta: (_part, _offset, text) => void told.push(`delta ${text}`),
  }
  // The stream uses no other method of the writer.
  const stream = createTextStream({ writer: writer as TurnWriter, ...time }, { ...place, text: "" })
  return { told, stream, pass: time.pass }
}

test("a new reader gets the text at the model's next pause, once", async () => {
  const { told, stream, pass } = setUp()
  stream.append("I begin")
  await pass(5_000)
  expect(told).toEqual(["told ", "delta I begin", "row I begin", "told I begin"])
})

test("a growing text is announced once, and complete at its end", async () => {
  const { told, stream, pass } = setUp()
  for (let n = 0; n < 40; n++) {
    stream.append("x")
    await pass(50)
  }
  expect(told.filter((line) => line.startsWith("told"))).toEqual(["told "])
  stream.end()
  await pass(5_000)
  expect(told.filter((line) => line.startsWith("told"))).toEqual(["told ", `told ${"x".repeat(40)}`])
})
