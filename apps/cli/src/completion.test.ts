import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"

const run = promisify(execFile)
const program = fileURLToPath(new URL("main.js", import.meta.url))

/** What the scripts of all shells are told for these words, the last of which is being typed. */
async function proposed(...words: string[]): Promise<string[]> {
  const { stdout } = await run(process.execPath, [program, "complete", "--", ...words])
  // Each line is a word and what it means; the last one is a number for the script.
  return stdout.split("\n").flatMap((line) => (/^(?:$|:)/.test(line) ? [] : [line.split("\t")[0] ?? ""]))
}

test("shells complete commands and their commands", async () => {
  expect(await proposed("up")).toEqual(["upgrade"])
  expect(await proposed("mcp", "lo")).toEqual(["login", "logout"])
})

test("shells complete options and the values that they choose from", async () => {
  expect(await proposed("run", "--per")).toEqual(["--permission"])
  expect(await proposed("run", "--permission", "")).toEqual(["deny", "ask", "allow"])
})

test.each(["bash", "zsh", "fish"])("docket completion prints a script for %s", async (shell) => {
  const { stdout } = await run(process.execPath, [program, "completion", shell])
  expect(stdout).toContain("docket complete")
})
