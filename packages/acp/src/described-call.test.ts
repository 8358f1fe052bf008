import { expect, test } from "vitest"
import { createDescriber, withChange } from "./described-call.ts"

test("what has not changed of a call is read once", () => {
  const describe = createDescriber({ directory: "/project", commands: new Map() })
  const content = [{ type: "diff" as const, path: "a.txt", oldText: "one", newText: "two" }]
  const call = withChange(undefined, { toolCallId: "1", kind: "edit", content, rawInput: {}, rawOutput: { n: 1 } })
  const first = describe(call)
  const second = describe(withChange(call, { toolCallId: "1", title: "Other" }))
  expect(second).toMatchObject({ title: "Other", files: ["/project/a.txt"], output: '{"n":1}' })
  expect(second.changes).toBe(first.changes)
  expect(second.files).toBe(first.files)
})
