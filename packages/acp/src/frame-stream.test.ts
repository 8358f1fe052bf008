import { PassThrough } from "node:stream"
import type { StartedProgram } from "@docket/core/start-program"
import { expect, test } from "vitest"
import { frameStream } from "./frame-stream.ts"

test("a frame that breaks its reader fails the turn only", async () => {
  const over = { code: 0, signal: null }
  const stdout = new PassThrough()
  const program = { stdout, stdin: new PassThrough(), exited: new Promise(() => over) } as unknown as StartedProgram
  const failures: unknown[] = []
  const heard = Promise.withResolvers<unknown>()
  frameStream(program, {
    translate: (frame) => [frame],
    onNotification(method, params) {
      if (method === "break") throw new RangeError("too deep")
      heard.resolve(params)
    },
    onNoise: () => {},
    takes: () => true,
    onFailure: (error) => failures.push(error),
    pace: async () => {},
  })
  stdout.write('{"jsonrpc":"2.0","method":"break"}\n{"jsonrpc":"2.0","method":"go on","params":1}\n')
  expect(await heard.promise).toBe(1)
  expect(failures).toEqual([new RangeError("too deep")])
})
