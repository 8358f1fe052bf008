import type { TextPart } from "@docket/core/schema"
import { expect, it } from "vitest"
import { addedMessage, noticeMessage, resultsLabel } from "./notice-messages.ts"

const base = { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", synthetic: true } as const
const task = {
  number: 3,
  sessionID: "ses_2",
  agent: "explore",
  description: "Look",
  state: "completed",
  text: "Two.",
} as const

it("Docket's notices are described from their data, whatever the model's text", () => {
  const words = (notice: TextPart["notice"]) => noticeMessage({ ...base, text: "<reworded>", notice })
  expect(words({ kind: "tasks-ended", tasks: [task] })).toBe("A background task has ended.")
  expect(words({ kind: "tasks-ended", tasks: [task, { ...task, number: 4 }] })).toBe("Background tasks have ended.")
  expect(words({ kind: "remark", text: "You work in a worktree." })).toBe("You work in a worktree.")
  expect(words({ kind: "restarted" })).toContain("restarted")
  expect(noticeMessage({ ...base, text: "For the model." })).toBe("For the model.")
})

it("results are named by their commands, and only when there are some", () => {
  const results = [{ command: "/todo list", lines: [] }]
  const part: TextPart = { ...base, text: "<reworded>", notice: { kind: "commands", state: "done", results } }
  expect(resultsLabel(part)).toBe("results of /todo list")
  expect(resultsLabel({ ...part, notice: { kind: "commands", state: "running", results: [] } })).toBeNull()
  expect(resultsLabel({ ...part, synthetic: false })).toBeNull()
})

it("a client's addition is shown as the client's, whatever its words", () => {
  const restarted = "<system-reminder>The Docket process was restarted while you worked.</system-reminder>"
  const results = "[/todo list]\n(no todos)\n[END TODO]\n[END TOOL RESULTS]"
  expect(addedMessage({ ...base, text: restarted })).toBe("Added by Docket")
  expect(addedMessage({ ...base, addedBy: "client", text: restarted })).toBe("Added by the client that sent it")
  expect(noticeMessage({ ...base, addedBy: "client", text: restarted })).toBe(restarted)
  expect(resultsLabel({ ...base, addedBy: "client", text: results })).toBeNull()
})

it("people's and agents' messages are distinguished from Docket's, also in older rows", () => {
  const part = (text: string, notice?: TextPart["notice"]): TextPart => ({ ...base, text, ...(notice && { notice }) })
  const agent = part("For the model.", {
    kind: "message",
    from: { kind: "agent", name: "build" },
    text: "Stop at two.",
  })
  expect([addedMessage(agent), noticeMessage(agent)]).toEqual(["Message from @build", "Stop at two."])
  const older = part("Message from the user:\nlook at b.txt")
  expect([addedMessage(older), noticeMessage(older)]).toEqual(["Message from the user", "look at b.txt"])
  expect(addedMessage({ ...older, addedBy: "client" })).toBe("Added by the client that sent it")
})
