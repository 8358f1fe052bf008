import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { createTerminalConfirm } from "./confirm-removal.ts"

function terminal(answer: string) {
  const [input, output] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()]
  input.end(answer)
  return { input, output, shown: () => String(output.read()) }
}

it.each([
  ["acme\n", true],
  [" acme \n", true],
  ["\n", false],
  ["yes\n", false],
  ["ACME\n", false],
  ["", false],
])("the answer %j confirms the removal: %s", async (answer, agreed) => {
  const { input, output, shown } = terminal(answer)
  expect(await createTerminalConfirm(input, output)("acme", "2 todos, 1 token")).toBe(agreed)
  expect(shown()).toContain("Tenant acme owns 2 todos, 1 token.")
})

it("without a terminal, the removal asks for --yes", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  await expect(createTerminalConfirm(input, output)("acme", "nothing")).rejects.toThrow("add --yes")
})
