import type { ThreadView } from "@docket/core"
import type { MessageWithParts, Part, TaskSummary } from "@docket/core/schema"
import { expect, it } from "vitest"
import type { ReviewRow } from "../task/review-rows.ts"
import { layOutMinimap, targetAt } from "./minimap-lanes.ts"
import { messageIDAt, messageTime, partAfter, partAt } from "./part-times.ts"

// Only the fields that the code reads.
const row = (sessionID: string, attempts: Partial<TaskSummary>[] = []) =>
  [sessionID, { sessionID, attempts: attempts as TaskSummary[] } as ReviewRow] as const

const thread = (sessionID: string, at: number, partID: string) =>
  ({
    thread: {
      sessionID,
      anchor: { kind: "part", messageID: messageIDAt(at), partID },
      resolved: null,
      time: { created: at + 9_000 },
    },
  }) as ThreadView

const sources = { rootID: "ses_root", messages: [], work: null, live: false, asking: {}, threads: [] }
const worked = { time: { created: 1_000, started: 1_000, ended: 2_000 } }

it("each session has one lane, shared by its attempts", () => {
  const rows = new Map([
    row("ses_root"),
    row("ses_a", [worked, { time: { created: 4_000, started: 4_000, ended: 5_000 } }]),
    row("ses_b", [worked]),
  ])
  const { lanes, layout } = layOutMinimap({ ...sources, rows }, 9_000)
  expect(lanes.map(({ sessionID }) => sessionID)).toEqual(["ses_root", "ses_a", "ses_b"])
  expect(layout.total).toBe(4_000)
  expect(lanes[1]?.spans.map(({ from, until }) => [from, until])).toEqual([
    [0, 1_000],
    [3_000, 4_000],
  ])
})

it("a click opens the nearby comment or failure, else the moment", () => {
  const moments = [{ kind: "error" as const, from: 1_800, until: 1_800 }]
  const rows = new Map([row("ses_root"), row("ses_a", [{ ...worked, moments }])])
  const map = layOutMinimap({ ...sources, rows, threads: [thread("ses_a", 1_400, "prt_1")] }, 9_000)
  const lane = map.lanes[1]
  if (!lane) throw new Error("the child has no lane")
  expect(targetAt(map, lane, 390, 20)).toEqual({ partID: "prt_1" })
  expect(targetAt(map, lane, 790, 20)).toEqual({ time: 1_800 })
  expect(targetAt(map, lane, 100, 20)).toEqual({ time: 1_100 })
})

it("a comment is placed where its subject was written", () => {
  const rows = new Map([row("ses_root"), row("ses_a", [worked])])
  const { lanes } = layOutMinimap({ ...sources, rows, threads: [thread("ses_a", 1_400, "prt_1")] }, 9_000)
  expect(lanes[1]?.comments).toEqual([{ time: 1_400, partID: "prt_1", open: true }])
  expect(messageTime(messageIDAt(1_400))).toBe(1_400)
})

it("partAt finds the part that a session worked on at a moment", () => {
  const part = (id: string, start: number) => ({ id, type: "reasoning", time: { start, end: start } }) as Part
  const message = (created: number, ...parts: Part[]) =>
    ({ info: { time: { created } }, parts: [{ id: "prt_0", type: "step-start" }, ...parts] }) as MessageWithParts
  const messages = [message(10, part("prt_1", 10), part("prt_2", 20)), message(30, part("prt_3", 30))]
  expect(partAt(messages, 25)?.id).toBe("prt_2")
  expect(partAt(messages, 99)?.id).toBe("prt_3")
  expect(partAt(messages, 1)?.id).toBe("prt_1")
  expect(partAt([], 1)).toBeNull()
  // After the end of a step comes the first part of the next step.
  expect(partAfter(messages, "prt_2")?.id).toBe("prt_3")
  expect(partAfter(messages, "prt_3")?.id).toBe("prt_3")
})

it("the root's lane covers all its time, in detail where loaded", () => {
  const answered = (id: string, created: number, completed: number) =>
    ({ info: { id, role: "assistant", time: { created, completed } }, parts: [] as Part[] }) as MessageWithParts
  const messages = [answered("msg_4", 3_000, 4_000), answered("msg_5", 6_000, 8_000)]
  const kept = [
    { kind: "work", from: 0, until: 1_000 },
    { kind: "error", from: 500, until: 500 },
    { kind: "work", from: 3_000, until: 4_000 },
  ] as const
  const work = { stretches: [...kept], before: "msg_5" }
  const rows = new Map([row("ses_root")])
  const { lanes } = layOutMinimap({ ...sources, rows, messages, work, asking: { ses_root: 8_000 } }, 9_000)
  expect(lanes[0]?.spans.map(({ kind, from, until }) => [kind, from, until])).toEqual([
    ["work", 0, 1_000],
    ["error", 500, 500],
    ["work", 3_000, 4_000],
    ["work", 6_000, 8_000],
    ["wait", 8_000, null],
  ])
})
