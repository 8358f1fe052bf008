import { PassThrough } from "node:stream"
import type { StartedProgram } from "@docket/core/start-program"
import { expect, test } from "vitest"
import { frameStream } from "./frame-stream.ts"

/** Reads what is written to `stdout`. The notification "break" breaks its reader; `heard` is what another one says. */
function readFrames() {
  const over = { code: 0, signal: null }
  const stdout = new PassThrough()
  const program = { stdout, stdin: new PassThrough(), exited: new Promise(() => over) } as unknown as StartedProgram
  const failures: unknown[] = []
  const noise: string[] = []
  const heard = Promise.withResolvers<unknown>()
  frameStream(program, {
    translate: (frame) => [frame],
    onNotification(method, params) {
      if (method === "break") throw new RangeError("too deep")
      heard.resolve(params)
    },
    onNoise: (line) => noise.push(line),
    takes: () => true,
    onFailure: (error) => failures.push(error),
    pace: async () => {},
  })
  return { stdout, failures, noise, heard: heard.promise }
}

test("a frame that breaks its reader fails the turn only", async () => {
  const { stdout, failures, heard } = readFrames()
  stdout.write('{"jsonrpc":"2.0","method":"break"}\n{"jsonrpc":"2.0","method":"go on","params":1}\n')
  expect(await heard).toBe(1)
  expect(failures).toEqual([new RangeError("too deep")])
})

test("a frame of more than 10 MiB fails the turn", async () => {
  const { stdout, failures, noise, heard } = readFrames()
  const long = "x".repeat(11 * 1024 * 1024)
  stdout.write(`${long}\n{"jsonrpc":"2.0","method":"`)
  stdout.write(long)
  stdout.write(`${long}"}\n{"jsonrpc":"2.0","method":"go on","params":1}\n`)
  expect(await heard).toBe(1)
  expect(noise).toEqual(["[Docket] A line of more than 10 MiB was left out."])
  expect(failures).toEqual([new Error("a message of more than 10 MiB")])
})
