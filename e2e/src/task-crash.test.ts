import { setTimeout as delay } from "node:timers/promises"
import { drawn, fractions } from "@docket/config/sampling"
import { vi } from "vitest"
import { createGate } from "./fixtures/gate.ts"
import { findProcess, ownSeconds, waitForProcess } from "./fixtures/processes.ts"
import { expect, launch, noticesOf, settled, startSession, test, textsOf } from "./fixtures/service-test.ts"
import { expectWhole } from "./fixtures/whole-tree.ts"

test.override({ config: { delegation: { envelope: false, concurrency: 2 }, permission: "allow" } })

const rounds = { sqlite: drawn(8, 2), postgres: drawn(4, 1) }
const pollOptions = { timeout: 60_000, interval: 50 }
const text = (words: number) => "word ".repeat(words)
const heard = [{ text: "Understood." }]

for (const database of ["sqlite", "postgres"] as const) {
  test.describe(`on ${database}`, () => {
    test.override({ database })

    test("kill -9 during three children ends each once and notifies the parent", async ({
      client,
      model,
      projectID,
      server,
    }) => {
      const seconds = ownSeconds(86_000)
      const gate = createGate()
      model.script({
        "Take the outcome into account": heard,
        "Ask three": [
          { calls: [launch("general", "Wait in a command")] },
          { calls: [launch("explore", "Write a long text")] },
          { calls: [launch("explore", "Stand in the queue")] },
          { text: "I wait." },
        ],
        "Wait in a command": [
          { calls: [{ tool: "bash", args: { command: `sleep ${seconds}`, description: "Wait" } }] },
        ],
        "Write a long text": [{ text: text(20_000) }],
        "Stand in the queue": [{ text: "never", gate }],
      })
      const sessionID = await startSession(client, projectID, "Ask three")
      await waitForProcess(["sleep", seconds])
      await vi.waitFor(async () => {
        const tasks = await expectTasks(["running", "running", "queued"])
        const writer = tasks.find((task) => task.description === "Write a long text")?.sessionID ?? ""
        expect((await textsOf(client, writer, "assistant")).join("").length).toBeGreaterThan(100)
        expect((await client.session.get.query({ sessionID })).status.type).toBe("idle")
      }, pollOptions)

      await server.kill()
      await server.restart()
      await settled(client, sessionID)

      await expectTasks(["interrupted", "interrupted", "interrupted"])
      const notices = await noticesOf(client, sessionID)
      expect(notices).toHaveLength(1)
      for (const number of [1, 2, 3]) expect(notices[0]?.split(`Task #${number} `)).toHaveLength(2)
      expect((await textsOf(client, sessionID, "assistant")).at(-1)).toBe("Understood.")
      expect((await client.session.children.query({ sessionID })).length).toBe(3)
      expect(await findProcess(["sleep", seconds])).toEqual([])
      await expectWhole(client, sessionID)

      // After a second start there is nothing left to notify about.
      await server.kill()
      await server.restart()
      await settled(client, sessionID)
      expect(await noticesOf(client, sessionID)).toHaveLength(1)
      gate.open()

      async function expectTasks(states: string[]) {
        const { tasks } = await client.session.tree.query({ sessionID })
        expect(tasks.map((task) => task.state).sort()).toEqual(states.toSorted())
        return tasks
      }
    })

    test("a kill at any moment leaves a complete tree", async ({ client, model, projectID, server }) => {
      const random = fractions()
      // Ends by itself: a parent that is resumed before it has launched a task launches again.
      const seconds = ownSeconds(6)
      const enough = Array.from({ length: 8 }, () => ({ text: "Enough." }))
      model.script({
        "Take the outcome into account": Array.from({ length: 8 }, () => ({ text: "Understood." })),
        "Ask three": [
          {
            text: "I ask three.",
            calls: [
              launch("general", "Wait in a command"),
              launch("explore", "Write a long text"),
              launch("explore", "Stand in the queue"),
            ],
          },
          {
            calls: [
              { tool: "task", args: { description: "Block", prompt: "Look at names", subagent_type: "explore" } },
              { tool: "async_task_gather", args: { task_ids: ["2", "3"], until: "any", wait_ms: 5_000 } },
            ],
          },
          ...enough,
        ],
        "Wait in a command": [
          { calls: [{ tool: "bash", args: { command: `sleep ${seconds}`, description: "Wait" } }] },
          ...enough,
        ],
        "Write a long text": [
          { calls: [{ tool: "glob", args: { pattern: "**/*.js" } }] },
          { text: text(400) },
          ...enough,
        ],
        "Stand in the queue": [{ calls: [{ tool: "glob", args: { pattern: "*" } }] }, ...enough],
        "Look at names": [{ calls: [{ tool: "read", args: { filePath: "src/names.js" } }] }, ...enough],
      })
      for (let round = 0; round < rounds[database].numRuns; round++) {
        const sessionID = await startSession(client, projectID, "Ask three")
        // Most writes happen early.
        await delay(random.next().value ** 2 * 2_000)
        const sleeping = await findProcess(["sleep", seconds])
        await server.kill()
        await server.restart()
        for (const pid of await findProcess(["sleep", seconds])) expect(sleeping).not.toContain(pid)
        await settled(client, sessionID)
        await expectWhole(client, sessionID)
      }
    })
  })
}
