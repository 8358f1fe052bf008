import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openLoginFile } from "./login-file.ts"
import { readOrCreateToken } from "./token-file.ts"

function newDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-token-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

test("the token is created once and replaced when the file is truncated", () => {
  const file = path.join(newDirectory(), "token")
  const token = readOrCreateToken(file)
  expect(token.length).toBeGreaterThanOrEqual(43)
  expect(readOrCreateToken(file)).toBe(token)
  writeFileSync(file, "short")
  expect(readOrCreateToken(file).length).toBeGreaterThanOrEqual(43)
})

test("a pipe in place of the token or login file never blocks", () => {
  const directory = newDirectory()
  for (const name of ["token", "logins"]) execFileSync("mkfifo", [path.join(directory, name)])
  expect(() => readOrCreateToken(path.join(directory, "token"))).toThrow(
    "token is a pipe, not a regular file. Remove it",
  )
  expect(openLoginFile(path.join(directory, "logins"), Date.now).has("x")).toBe(false)
})
