import { expect, test } from "vitest"
import { callText } from "./call-text.ts"

test("a call names its file once and drops line numbers and notes", () => {
  const read =
    "src/main.js\n/work/src/main.js\n1: import { greeting }\n2: \n3: const name = 1\n\n(End of file, 3 lines.)"
  expect(callText({ tool: "read" }, read)).toBe("src/main.js\nimport { greeting }\n\nconst name = 1\n")
  expect(callText({ tool: "edit" }, "a.ts\na.ts\n1: old\nnew")).toBe("a.ts\n1: old\nnew")
})

test("a todo call shows each todo text once, without the raw format", () => {
  const json = JSON.stringify(
    [
      { id: "tod_1", number: 1, content: 'Read "the" code', status: "completed", priority: "high", dependsOn: [] },
      { id: "tod_2", number: 2, content: "Write a test", status: "pending", priority: "low", dependsOn: ["tod_1"] },
    ],
    null,
    2,
  )
  const sent = 'tod_1\nRead "the" code\ncompleted\nhigh\nWrite a test\npending\nlow'
  const shown = 'One todo\nRead "the" code\nWrite a test'
  for (const tool of ["todowrite", "todo_update"]) {
    expect(callText({ tool }, `One todo\n${sent}\n${json}`)).toBe(shown)
    expect(callText({ tool }, `One todo\n${json}\n\nWarning: one.`)).toBe(`${shown}\nWarning: one.`)
  }
  for (let end = 0; end < json.length; end += 1)
    expect(callText({ tool: "todoread" }, `T\n${json.slice(0, end)}`)).not.toMatch(/[{}[\]:_]/)
})

test("texts of other tools stay as they are", () => {
  for (const text of ["", "Run the tests\nnpm test\n1: ok", "\n\nx", "a.ts\nb/a.tsx"])
    expect(callText({ tool: "bash" }, text)).toBe(text)
})
