import { createGate } from "./fixtures/gate.ts"
import { begin, expect, send, sessionOf, test } from "./fixtures/test.ts"

test("kill -9 during a turn loses nothing committed, and the session continues", {
  tag: "@journey",
}, async ({ desk, model, server, client }) => {
  const gate = createGate()
  model.script({
    "Look at the names": [
      { text: "I read the file.", calls: [{ tool: "read", args: { filePath: "src/names.js" } }] },
      { text: "It splits at commas.", gate },
    ],
  })
  await begin(desk, "Look at the names")
  await gate.reached
  await expect(desk.getByText("I read the file.")).toBeVisible()
  const sessionID = sessionOf(desk)
  const before = await client.session.messages.query({ sessionID })

  await server.kill()
  gate.open()
  await server.restart()

  // The page reconnects by itself; the turn was resumed and finished.
  await expect(desk.getByText("It splits at commas.")).toHaveCount(1)
  await expect(desk.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
  await expect(desk.getByText("I read the file.")).toHaveCount(1)

  const after = await client.session.messages.query({ sessionID })
  const committed = before.items.flatMap((message) => message.parts).filter((part) => part.type === "tool")
  const kept = new Set(after.items.flatMap((message) => message.parts).map((part) => part.id))
  expect(committed.length).toBeGreaterThan(0)
  for (const part of committed) expect(kept.has(part.id)).toBe(true)
  const open = after.items
    .flatMap((message) => message.parts)
    .filter((part) => part.type === "tool" && (part.state.status === "running" || part.state.status === "pending"))
  expect(open).toEqual([])

  model.script({ "And then": [{ text: "It trims them." }] })
  await send(desk, "And then")
  await expect(desk.getByText("It trims them.")).toBeVisible()
})
