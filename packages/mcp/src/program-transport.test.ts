import { PassThrough } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { StartedProgram } from "@docket/core/start-program"
import { expect, test } from "vitest"
import { createProgramTransport } from "./program-transport.ts"

test("a program that talks too fast is not read meanwhile", async () => {
  const stdout = new PassThrough()
  const never = new Promise<never>(() => {})
  const program = { pid: 1, stdin: new PassThrough(), stdout, ended: never } as unknown as StartedProgram
  const over = Promise.withResolvers<void>()
  const counted: number[] = []
  const transport = createProgramTransport(program, {
    onNoise: () => {},
    after: () => () => {},
    async pace(count) {
      counted.push(count)
      await over.promise
    },
  })
  let heard = 0
  const last = Promise.withResolvers<void>()
  transport.onmessage = () => {
    heard += 1
    if (heard === 5) last.resolve()
  }
  await transport.start()
  const message = `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress" })}\n`
  stdout.write(message.repeat(3))
  await nextTurn()
  stdout.write(message.repeat(2))
  await nextTurn()
  expect([heard, counted]).toEqual([3, [3]])
  over.resolve()
  await last.promise
  expect(counted).toEqual([3, 2])
})
