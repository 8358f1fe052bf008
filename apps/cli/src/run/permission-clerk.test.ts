import type { DocketEvent, PermissionRequest } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import type { AskPermission, PermissionAnswer } from "./ask-permission.ts"
import { createPermissionClerk } from "./permission-clerk.ts"

function asked(id: string, type: "permission.asked" | "permission.replied" = "permission.asked"): DocketEvent {
  const request = { id, permission: "bash", patterns: [`make ${id}`], metadata: { kind: "other" } }
  // Only what the clerk reads.
  return {
    type,
    rootID: "ses_root",
    seq: 1,
    properties: { request: request as unknown as PermissionRequest },
  } as DocketEvent
}

function start(ask: AskPermission | null) {
  const replies: (PermissionAnswer & { id: string })[] = []
  const notes: string[] = []
  const waiting: (() => void)[] = []
  const clerk = createPermissionClerk({
    ask,
    reply: async (id, answer) => {
      replies.push({ id, ...answer })
      for (const resolve of waiting.splice(0)) resolve()
    },
    note: (text) => notes.push(text),
    sessions: [],
    signal: new AbortController().signal,
  })
  const repliesReach = async (count: number) => {
    while (replies.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return { clerk, replies, notes, repliesReach }
}

describe("permission clerk", () => {
  it("refuses with words when there is no terminal, and says so", async () => {
    const { clerk, replies, notes, repliesReach } = start(null)
    clerk.handle(asked("a"))
    await repliesReach(1)
    expect(replies[0]).toMatchObject({ id: "a", reply: "reject", message: expect.stringContaining("no terminal") })
    expect(notes).toEqual(["✗ refused, as nobody can be asked: The agent wants to use bash: make a"])
    expect(clerk.refused()).toBe(1)
  })

  it("asks one after another and passes the answers on", async () => {
    const answers: PermissionAnswer[] = [{ reply: "once" }, { reply: "reject", message: "use npm" }]
    let open = 0
    const { clerk, replies, repliesReach } = start(async () => {
      expect(++open).toBe(1)
      await Promise.resolve()
      open--
      return answers.shift() ?? { reply: "once" }
    })
    clerk.handle(asked("a"))
    clerk.handle(asked("b"))
    clerk.handle(asked("a"))
    await repliesReach(2)
    expect(replies).toEqual([
      { id: "a", reply: "once" },
      { id: "b", reply: "reject", message: "use npm" },
    ])
  })

  it("drops a question that was answered in the browser", async () => {
    const { clerk, replies, repliesReach } = start((question, signal) =>
      question.includes("make a")
        ? new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
        : Promise.resolve({ reply: "always" }),
    )
    clerk.handle(asked("a"))
    clerk.handle(asked("b"))
    clerk.handle(asked("a", "permission.replied"))
    await repliesReach(1)
    expect(replies).toEqual([{ id: "b", reply: "always" }])
  })
})
