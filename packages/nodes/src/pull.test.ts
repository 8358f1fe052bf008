import { expect, test } from "vitest"
import { createPull } from "./pull.ts"

test("a look is never lost, whenever it comes", async () => {
  const lost: number[] = []
  for (let moment = 0; moment < 20; moment++) {
    let fetches = 0
    const pull = createPull({
      everyMs: 3_600_000,
      async fetch() {
        fetches += 1
      },
      onError: expect.fail,
    })
    pull.start()
    for (let passed = 0; passed < moment; passed++) await Promise.resolve()
    const before = fetches
    pull.look()
    await new Promise(setImmediate)
    if (fetches <= before) lost.push(moment)
    await pull.stop()
  }
  expect(lost).toEqual([])
})

test("a stopped pull fetches nothing", async () => {
  let fetches = 0
  const pull = createPull({
    everyMs: 3_600_000,
    async fetch() {
      fetches += 1
    },
    onError: expect.fail,
  })
  pull.start()
  pull.look()
  await pull.stop()
  const before = fetches
  pull.look()
  await new Promise(setImmediate)
  expect(fetches).toBe(before)
})
