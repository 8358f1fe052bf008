import { expect, outputsOf, settled, startSession, test, textsOf } from "./fixtures/service-test.ts"

test("a command cut by a crash is marked interrupted and not repeated", async ({
  model,
  server,
  client,
  projectID,
  project,
}) => {
  model.script({
    "Run it": [
      {
        calls: [{ tool: "bash", args: { command: "echo ran >> ran.txt; sleep 30", description: "Note it and wait" } }],
      },
      { text: "It was interrupted." },
    ],
  })
  const sessionID = await startSession(client, projectID, "Run it")
  await expect.poll(() => project.read("ran.txt").catch(() => "")).toBe("ran\n")
  await server.kill()
  await server.restart()
  await settled(client, sessionID)
  expect((await textsOf(client, sessionID, "assistant")).at(-1)).toBe("It was interrupted.")
  // "Interrupted" or "interrupted".
  expect(await outputsOf(client, sessionID, "bash")).toEqual([expect.stringContaining("nterrupted")])
  expect(await project.read("ran.txt")).toBe("ran\n")
})
