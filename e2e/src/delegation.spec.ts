import type { DocketEvent } from "@docket/core/schema"
import { createGate } from "./fixtures/gate.ts"
import type { Answer } from "./fixtures/scripted-model.ts"
import { begin, expect, sessionOf, test } from "./fixtures/test.ts"
import { followTree } from "./fixtures/tree-log.ts"

test.use({ shared: true })

const prompt = "Make the greeting louder"
const plan = ["Find the greeting", "Find its callers", "Change the greeting"]

function todowrite(done: number): NonNullable<Answer["calls"]> {
  const todos = plan.map((content, index) => ({
    content,
    priority: "medium",
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
  }))
  return [{ tool: "todowrite", args: { todos } }]
}

test("build plans, explores with two children, edits a file and finishes", { tag: "@journey" }, async ({
  desk,
  client,
  model,
  project,
}) => {
  const gate = createGate()
  const explore = (description: string, task: string) => ({
    tool: "task",
    args: { description, prompt: task, subagent_type: "explore" },
  })
  model.script({
    [prompt]: [
      { reasoning: "First a plan.", text: "I will plan this first.", calls: todowrite(0) },
      { calls: [explore("Find the greeting", "Look for greeting"), explore("Find its callers", "Look for callers")] },
      { calls: [...todowrite(2), { tool: "read", args: { filePath: "src/greeting.js" } }] },
      {
        calls: [
          {
            tool: "edit",
            args: {
              filePath: "src/greeting.js",
              oldString: "'Hello, ' + name + '!'",
              newString: "'HELLO, ' + name + '!!'",
            },
          },
        ],
      },
      { calls: todowrite(3) },
      { text: "The greeting is **louder** now. See `src/greeting.js`." },
    ],
    "Look for greeting": [
      { calls: [{ tool: "grep", args: { pattern: "Hello" } }] },
      { text: "It is in src/greeting.js.", gate },
    ],
    "Look for callers": [
      { calls: [{ tool: "read", args: { filePath: "src/main.js" } }] },
      { text: "src/main.js calls it.", gate },
    ],
  })

  await begin(desk, prompt)
  const rootID = sessionOf(desk)
  const log = followTree(client, rootID)

  // Both children wait at the gate, so they work at the same time, and the page shows it.
  const running = desk.getByRole("button", { name: /^Open task .*, running:/ })
  await expect(running).toHaveCount(2)
  await gate.reached
  await expect(desk.getByRole("tabpanel").getByRole("region", { name: "Tasks" })).toBeVisible()
  await desk.getByRole("tab", { name: "Todos" }).click()
  await expect(desk.getByRole("region", { name: "Todos" }).getByText("0 of 3")).toBeVisible()

  // All lanes share one tab stop; arrow keys move between them, and `o` expands one.
  await running.first().focus()
  await desk.keyboard.press("ArrowDown")
  await expect(running.last()).toBeFocused()
  await desk.keyboard.press("o")
  await expect(desk.getByRole("button", { name: "Details of Find its callers" })).toHaveAttribute(
    "aria-expanded",
    "true",
  )

  // A running child can be opened and read.
  await running.first().click()
  await desk.waitForURL(/\/c\/ses_/)
  await expect(desk.getByText("Look for greeting").first()).toBeVisible()
  await expect(desk.getByText("grep").first()).toBeVisible()
  await desk.goBack()
  gate.open()

  await expect(desk.getByText("The greeting is louder now.")).toBeVisible()
  await expect(desk.getByRole("button", { name: /^Open task .*, completed:/ })).toHaveCount(2)
  await expect(desk.getByRole("region", { name: "Todos" }).getByText("3 of 3")).toBeVisible()
  expect(await log.turnEnd(rootID)).toBe("completed")
  log.close()
  expect(await project.read("src/greeting.js")).toContain("'HELLO, ' + name + '!!'")

  const children = await client.session.children.query({ sessionID: rootID })
  expect(children.map((child) => child.title).sort()).toEqual([
    "Find its callers (@explore subagent)",
    "Find the greeting (@explore subagent)",
  ])
  expectOverlap(
    log.events,
    children.map((child) => child.id),
  )
})

/** Checks that every child began before any of them ended. */
function expectOverlap(events: DocketEvent[], sessionIDs: string[]): void {
  const turns = events.flatMap((event, index) =>
    event.type === "turn.updated" && sessionIDs.includes(event.properties.turn.sessionID)
      ? [{ index, status: event.properties.turn.status }]
      : [],
  )
  const starts = turns.filter((turn) => turn.status === "running").map((turn) => turn.index)
  const ends = turns.filter((turn) => turn.status === "completed").map((turn) => turn.index)
  expect(starts.length).toBeGreaterThanOrEqual(sessionIDs.length)
  expect(ends).toHaveLength(sessionIDs.length)
  expect(Math.max(...starts)).toBeLessThan(Math.min(...ends))
}
