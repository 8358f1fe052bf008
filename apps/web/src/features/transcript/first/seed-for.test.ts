import type { TreeSeed } from "@docket/client"
import { expect, it } from "vitest"
import { seedFor } from "./seed-for.ts"

// The code reads only ids and page ends.
const items = [{ info: { id: "msg_1" }, parts: [{ id: "prt_1" }] }] as never
const seed = (after: string | null): TreeSeed => ({
  rootID: "ses_1",
  snapshot: { seq: 1, sessions: [], todos: {}, permissions: [], turns: [], tasks: [] },
  page: { sessionID: "ses_1", items, before: null, after, seq: 1 },
  cut: ["prt_1"],
})

it("seedFor keeps the sent messages if they hold the reader's place", () => {
  expect(seedFor(seed(null), null).page).not.toBeNull()
  expect(seedFor(seed("msg_1"), "prt_1").page).not.toBeNull()
  expect(seedFor(seed("msg_1"), "msg_1").page).not.toBeNull()
})

it("seedFor drops the messages when the reader's place is elsewhere", () => {
  expect(seedFor(seed(null), "prt_2").page).toBeNull()
  expect(seedFor(seed("msg_1"), null).page).toBeNull()
})
