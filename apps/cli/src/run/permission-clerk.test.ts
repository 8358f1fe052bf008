import type { DocketEvent, PermissionRequest, QuestionAnswer } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import type { AskPermission, PermissionAnswer } from "./ask-permission.ts"
import type { AskPlan } from "./ask-plan.ts"
import type { AskQuestions } from "./ask-questions.ts"
import { createPermissionClerk, type PermissionMode } from "./permission-clerk.ts"
import { TerminalClosedError } from "./with-terminal.ts"

const questions = [{ header: "Way", question: "Which way?", options: [], multiple: false }]

function eventOf(
  id: string,
  type: "permission.asked" | "permission.replied" = "permission.asked",
  metadata: object = { kind: "other" },
): DocketEvent {
  const status = type === "permission.asked" ? "pending" : "once"
  const request = { id, permission: "bash", patterns: [`make ${id}`], always: [`make ${id}`], metadata, status }
  // Only the fields that the clerk reads.
  return {
    type,
    rootID: "ses_root",
    seq: 1,
    properties: { request: request as unknown as PermissionRequest },
  } as DocketEvent
}

interface StartOptions {
  mode?: PermissionMode
  inquire?: AskQuestions
  askPlan?: AskPlan
}

function start(ask: AskPermission | null, { mode = "ask", inquire, askPlan }: StartOptions = {}) {
  const replies: (PermissionAnswer & { id: string })[] = []
  const notes: string[] = []
  const waiting: (() => void)[] = []
  const answers: { id: string; given: QuestionAnswer[] }[] = []
  const clerk = createPermissionClerk({
    mode,
    ask,
    inquire: inquire ?? null,
    askPlan: askPlan ?? null,
    answer: async (id, given) => {
      answers.push({ id, given })
      for (const resolve of waiting.splice(0)) resolve()
    },
    planOf: async (sessionID) => `The plan of ${sessionID}`,
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
  const answersReach = async (count: number) => {
    while (answers.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return { clerk, replies, answers, notes, repliesReach, answersReach }
}

describe("permission clerk", () => {
  it("refuses with a message and a note when there is no terminal", async () => {
    const { clerk, replies, notes, repliesReach } = start(null)
    clerk.handle(eventOf("a"))
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
    clerk.handle(eventOf("a"))
    clerk.handle(eventOf("b"))
    clerk.handle(eventOf("a"))
    await repliesReach(2)
    expect(replies).toEqual([
      { id: "a", reply: "once" },
      { id: "b", reply: "reject", message: "use npm" },
    ])
  })

  it("shows a plan and approves, returns or closes it", async () => {
    const shown: string[] = []
    const said: Awaited<ReturnType<AskPlan>>[] = [{ choice: "Approve" }, { words: "Test it first" }, null]
    const unasked = () => Promise.reject(new Error("no permission is asked for"))
    const { clerk, answers, replies, answersReach, repliesReach } = start(unasked, {
      askPlan: async ({ text }) => {
        shown.push(text)
        return said.shift() ?? null
      },
    })
    const questions = [
      { header: "Plan", question: "?", options: [{ label: "Approve", description: "" }], multiple: false },
    ]
    for (const id of ["a", "b", "c"]) {
      const request = {
        id,
        sessionID: "ses_root",
        permission: "plan_exit",
        patterns: ["*"],
        metadata: { kind: "plan", questions },
      }
      // Only the fields that the clerk reads.
      clerk.add(request as unknown as PermissionRequest)
    }
    await answersReach(2)
    await repliesReach(1)
    expect(answers).toEqual([
      { id: "a", given: [{ choices: ["Approve"], own: null }] },
      { id: "b", given: [{ choices: [], own: "Test it first" }] },
    ])
    expect(replies).toEqual([{ id: "c", reply: "reject" }])
    expect(shown[0]).toBe("The plan of ses_root")
  })

  it("drops a question that was answered in the browser, and says so", async () => {
    const asked = Promise.withResolvers<void>()
    const { clerk, replies, notes, repliesReach } = start((question, signal) => {
      if (!question.text.includes("make a")) return Promise.resolve({ reply: "always" })
      asked.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
    })
    clerk.handle(eventOf("a"))
    clerk.handle(eventOf("b"))
    await asked.promise
    clerk.handle(eventOf("a", "permission.replied"))
    await repliesReach(1)
    expect(replies).toEqual([{ id: "b", reply: "always" }])
    expect(notes).toEqual([expect.stringMatching(/^allowed elsewhere: .*make a/)])
  })

  it("allows or denies by the run's options, without asking", async () => {
    for (const [mode, reply, refused] of [
      ["allow", "once", 0],
      ["deny", "reject", 1],
    ] as const) {
      const { clerk, replies, repliesReach } = start(() => Promise.reject(new Error("asked")), { mode })
      clerk.handle(eventOf("a"))
      await repliesReach(1)
      expect(replies[0]?.reply).toBe(reply)
      expect(clerk.refused()).toBe(refused)
    }
  })

  it("asks questions on the terminal, or dismisses them with a reason", async () => {
    const question = eventOf("a", "permission.asked", { kind: "question", questions })
    const there = start(null, { inquire: async () => [{ choices: [], own: "left" }] })
    there.clerk.handle(question)
    await there.answersReach(1)
    expect(there.answers).toEqual([{ id: "a", given: [{ choices: [], own: "left" }] }])
    for (const mode of ["ask", "allow"] as const) {
      const nobody = start(null, { mode })
      nobody.clerk.handle(question)
      await nobody.repliesReach(1)
      expect(nobody.replies[0]).toMatchObject({
        reply: "reject",
        message: expect.stringContaining("Nobody can be asked"),
      })
      expect(nobody.clerk.refused()).toBe(0)
    }
  })

  it("refuses requests when the terminal is closed", async () => {
    const { clerk, replies, repliesReach } = start(() => Promise.reject(new TerminalClosedError()))
    clerk.handle(eventOf("a"))
    await repliesReach(1)
    expect(replies[0]).toMatchObject({ reply: "reject", message: expect.stringContaining("Nobody can be asked") })
  })
})
