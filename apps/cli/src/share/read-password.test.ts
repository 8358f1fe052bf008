import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { Readable } from "node:stream"
import { expect, it, onTestFinished } from "vitest"
import { readPassword } from "./read-password.ts"

const nothing = { file: undefined, stdin: Readable.from([]), variable: undefined }

it("a link's password comes from file, stdin or environment, without its newline", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-password-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, "password")
  await writeFile(file, "correct horse\n")
  expect(await readPassword({ ...nothing, file, variable: "another one" })).toBe("correct horse")
  expect(await readPassword({ ...nothing, file: "-", stdin: Readable.from(["correct ", "horse\r\n"]) })).toBe(
    "correct horse",
  )
  expect(await readPassword({ ...nothing, variable: "correct horse" })).toBe("correct horse")
  expect(await readPassword(nothing)).toBeUndefined()
})

it("an empty or unreadable password file is refused", async () => {
  await expect(readPassword({ ...nothing, file: "-" })).rejects.toThrow("the password is empty")
  await expect(readPassword({ ...nothing, file: "/nowhere/password" })).rejects.toThrow("cannot be read")
})
