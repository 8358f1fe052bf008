import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

/** A program that writes `Hello` when told to, writes more after that failed, and then ends like a command. */
const program = `
  import { once } from "node:events"
  import { finish } from ${JSON.stringify(new URL("./finish.ts", import.meta.url))}
  import { outputFailure } from ${JSON.stringify(new URL("./output-failure.ts", import.meta.url))}
  const unwritten = outputFailure([process.stdout, process.stderr])
  await once(process.stdin, "data")
  process.stdout.write("Hello")
  if (!unwritten.aborted) await Promise.race([once(unwritten, "abort"), new Promise(setImmediate)])
  for (let more = 0; more < 3; more++) process.stdout.write("Hello")
  await finish(unwritten, Promise.resolve(0))`
const args = ["--input-type=module", "-e", program]

it("a command ends quietly when the reader of its pipe is gone", async () => {
  const command = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] })
  const errors = text(command.stderr)
  command.stdout.destroy()
  command.stdin.end("go")
  const [code] = await once(command, "close")
  expect(await errors).toBe("")
  expect(code).toBe(0)
})

it("a command whose output cannot be written fails with the reason", async () => {
  // The file is open for reading only, so each write fails, like on a full disk.
  const unwritable = openSync(fileURLToPath(import.meta.url), "r")
  const command = spawn(process.execPath, args, { stdio: ["pipe", unwritable, "pipe"] })
  closeSync(unwritable)
  if (!command.stderr || !command.stdin) throw new Error("the command has no pipes")
  const errors = text(command.stderr)
  command.stdin.end("go")
  const [code] = await once(command, "close")
  expect(await errors).toMatch(/^docket: the output could not be written: .*EBADF.*\n$/)
  expect(code).toBe(1)
})
