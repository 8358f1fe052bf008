import { PassThrough } from "node:stream"
import { grantReach } from "@docket/core/rule"
import { expect, test } from "vitest"
import { createTerminalAsk, type PermissionAnswer } from "./ask-permission.ts"

/** The answer and the output when a user types these lines, one each time the choices are shown. */
async function typed(lines: string[], permission: string): Promise<{ answer: PermissionAnswer; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ""
  output.on("data", (chunk) => {
    shown += chunk
    if (String(chunk).includes("[r]eject")) input.write(`${lines.shift()}\n`)
  })
  const question = { text: "May build run make?", reach: grantReach(permission, ["make"]) }
  const answer = await createTerminalAsk(input, output)(question, new AbortController().signal)
  return { answer, shown }
}

test("“always” offers the wider scopes that are allowed", async () => {
  expect((await typed(["a"], "bash")).answer).toEqual({ reply: "always" })
  expect((await typed(["p"], "bash")).answer).toEqual({ reply: "always", within: "project" })
  expect((await typed(["everywhere"], "bash")).answer).toEqual({ reply: "always", within: "everywhere" })
  const outside = await typed(["e", "o"], "sandbox")
  expect(outside.answer).toEqual({ reply: "once" })
  expect(outside.shown).toContain("project by project")
  expect(outside.shown).not.toContain("[e]verywhere")
})

test.for<[string, string, PermissionAnswer]>([
  ["yes allows once", "y", { reply: "once" }],
  ["no rejects", "no\n", { reply: "reject" }],
])("%s", async ([, line, answer]) => {
  expect((await typed([line], "bash")).answer).toEqual(answer)
})

test("what is no choice is answered with the letters", async () => {
  expect((await typed(["x", "o"], "sandbox")).shown).toContain("Type one of the letters o, a, p or r, then Enter.")
})

test("what was typed before the question does not answer it", async () => {
  const modes: boolean[] = []
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (raw: boolean) => void modes.push(raw) })
  const output = new PassThrough()
  input.write("e\n")
  output.on("data", (chunk) => {
    if (String(chunk).includes("[r]eject")) input.write("o\n")
  })
  const question = { text: "May build run make?", reach: grantReach("bash", ["make"]) }
  expect(await createTerminalAsk(input, output)(question, new AbortController().signal)).toEqual({ reply: "once" })
  expect(modes).toEqual([true, false])
})
