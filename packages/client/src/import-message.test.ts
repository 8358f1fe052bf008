import { expect, test } from "vitest"
import { importMessage } from "./import-message.ts"

const none = { sessions: 0, messages: 0, parts: 0, todos: 0, tasks: 0, comments: 0 }

test("the import message lists counts and leaves out zeros", () => {
  const words = importMessage({ ...none, sessions: 2, messages: 14, parts: 30, tasks: 1 })
  expect(words).toBe("2 sessions, 14 messages, and 1 task")
  expect(importMessage({ ...none, sessions: 1 })).toBe("1 session")
})
