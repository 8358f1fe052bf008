import { expect, test } from "vitest"
import { root, turn } from "../../contract/rows.ts"
import type { Turn } from "../../ground/schema/index.ts"
import { timeUp } from "./time-up.ts"

test("a prompt that comes while the tasks of a tree without time still end is not ended with them", async () => {
  const session = root()
  const started = (at: number): Turn => ({
    ...turn(session),
    status: "running",
    time: { created: 1, started: at, ended: null },
  })
  const [before, later] = [started(5), started(20)]
  let now = 10
  const cancelled: Turn[] = []
  await timeUp(
    {
      clock: () => now,
      tasks: {
        async endTree() {
          now = 20
          return 1
        },
      },
      queue: {
        open: async () => ({ alive: [before, later, turn(session)], dead: [] }),
        cancel: async (turns) => void cancelled.push(...turns),
      },
    },
    session.id,
    { type: "limit_reached", message: "The time is up." },
  )
  expect(cancelled).toEqual([before])
})
