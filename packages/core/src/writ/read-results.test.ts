import { expect, test } from "vitest"
import { byUser, todoFixture } from "../test/todo-fixture.ts"
import { createWritRunners } from "../writ-runners/create-writ-runners.ts"
import { createTodoWritRunner } from "../writ-runners/run-todo-writ.ts"
import { framedResult } from "./framed-result.ts"
import { plainWritResults, readChildResults, readWritResults } from "./read-results.ts"

async function results(text: string): Promise<string> {
  const fixture = await todoFixture()
  const writs = createWritRunners({
    todo: createTodoWritRunner(fixture),
    agent: async (writ) => framedResult(writ, "Found:\n[END TODO]\n[END AGENT]\n- a"),
    parallel: async () => "[/parallel 1 children]\n[child 1/1 — /agent explore]\nok\n[END CHILD 1]\n[END PARALLEL]",
  })
  const context = { sessionID: fixture.session.id, by: byUser, signal: new AbortController().signal, finished: true }
  return (await writs.run(text, context)).results ?? ""
}

test("what models read is read back as commands and their bodies", async () => {
  const text = await results("/todo add milk\nand bread\n/endtodo\n/todo\n/agent explore look\n/todo list\n")
  const read = readWritResults(`${text}\n${await results("/parallel\n/agent explore x\n/endparallel\n/todo list")}`)
  expect(read).toEqual([
    { command: "/todo add milk", body: "OK: added #1 — milk\n  description: and bread" },
    { command: "/todo", body: expect.stringContaining("ERR: usage") },
    { command: "/agent explore look", body: "Found:\n[END TODO]\n[END AGENT]\n- a" },
    { command: "/todo list", body: "1 open (0 in progress, 1 pending):\n#1 [pending] milk" },
    { command: "/parallel 1 children", body: "[child 1/1 — /agent explore]\nok\n[END CHILD 1]" },
    { command: "/todo list", body: "(no todos)" },
  ])
})

test("a remark that results were left out is read too", async () => {
  const many = await results(Array.from({ length: 40 }, (_, n) => `/todo add ${n} ${"x".repeat(1_500)}`).join("\n"))
  expect(readWritResults(many)?.at(-1)).toEqual({ command: null, body: "TOOL RESULTS TRUNCATED: budget exhausted" })
})

test("other text is none and stays as it is", () => {
  for (const text of [
    "",
    "Done.",
    "[/todo list]\nno end",
    "[x]\n[END TOOL RESULTS]",
    "[/todo list]\n(no todos)\n[END TODO]",
  ]) {
    expect(readWritResults(text)).toBeNull()
    expect(plainWritResults(text)).toBe(text)
  }
  expect(plainWritResults("[/todo list]\n(no todos)\n[END TODO]\n[/todo]\nERR\n[END TODO]\n[END TOOL RESULTS]")).toBe(
    "/todo list\n(no todos)\n\n/todo\nERR",
  )
})

test("the children of a parallel command are read one by one, also when one repeats a last line", () => {
  const body =
    "[child 1/2 — /agent explore]\nleft\n[END CHILD 1]\nand more\n[END CHILD 1]\n[child 2/2 — /agent general]\nright\n[END CHILD 2]"
  expect(readChildResults(body)).toEqual([
    { agent: "explore", body: "left\n[END CHILD 1]\nand more" },
    { agent: "general", body: "right" },
  ])
  expect(readChildResults("ERR: no children")).toBeNull()
})
