import { expect, outputsOf, settled, startSession, test, textsOf } from "./fixtures/service-test.ts"

const bomb = "bomb() { [ $1 -gt 9 ] && sleep 20 && return; bomb $(($1+1)) | bomb $(($1+1)) & wait; }; bomb 0"
const loads = {
  "Start too much": [bomb, "more than 64 processes"],
  "Write too much": [
    "for i in $(seq 100); do head -c 4M /dev/zero >> big; sleep 0.02; done; sleep 20",
    "wrote more than 32 MiB",
  ],
} as const

test.override({
  config: {
    delegation: { envelope: false },
    permission: "allow",
    sandbox: { limits: { command: { processes: 64, written: "32 MiB" }, free: "1 MiB" } },
  },
})

test("the service answers while commands go over their limits", async ({ server, client, model, projectID, skip }) => {
  if (process.platform !== "linux") skip("there are no limits of commands yet")
  model.script({
    ...Object.fromEntries(
      Object.entries(loads).map(([prompt, [command]]) => [
        prompt,
        [{ calls: [{ tool: "bash", args: { command } }] }, { text: "Ended." }],
      ]),
    ),
    "Say hello": [{ text: "Hello." }],
  })
  const statuses: number[] = []
  for (const [prompt, [, message]] of Object.entries(loads)) {
    const sessionID = await startSession(client, projectID, prompt)
    const work = { isOver: false }
    const over = settled(client, sessionID).finally(() => {
      work.isOver = true
    })
    while (!work.isOver) statuses.push((await fetch(`${server.url}/api/health`)).status)
    await over
    expect((await outputsOf(client, sessionID, "bash")).join("\n")).toContain(message)
    const other = await startSession(client, projectID, "Say hello")
    await settled(client, other)
    expect(await textsOf(client, other, "assistant")).toEqual(["Hello."])
  }
  expect(statuses.length).toBeGreaterThan(10)
  expect(statuses.every((status) => status === 200)).toBe(true)
})
