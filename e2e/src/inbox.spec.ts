import { findViolations } from "./fixtures/find-violations.ts"
import { expectRefusesStrangers, holdCode, watchShift } from "./fixtures/first-rows.ts"
import { expect, loaded, test } from "./fixtures/test.ts"

const delegate = (description: string, prompt: string) => ({
  tool: "async_task",
  args: { agent: "general", description, prompt },
})

test.use({ shared: true, config: { permission: "allow", delegation: { review: "required", envelope: false } } })

test("a finished task asks for review in the inbox until approved", {
  tag: "@journey",
}, async ({ desk, client, model, projectID, server }) => {
  model.script({
    "Delegate it": [{ calls: [delegate("Write the notes", "Write notes.txt")] }, { text: "It is on its way." }],
    "Write notes.txt": [
      { calls: [{ tool: "write", args: { filePath: "notes.txt", content: "one\ntwo\n" } }] },
      { text: "Written." },
    ],
    // In the notice of an ended task.
    "background task": [{ text: "Noted." }],
  })
  await expect(desk.getByRole("heading", { name: "Inbox" })).toBeVisible()
  // The work is started outside of the page: the rows appear by themselves.
  const { id: sessionID } = await client.session.create.mutate({ projectID, title: "Keep notes" })
  await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text: "Delegate it" }] })
  const needsYou = desk.getByRole("region", { name: "Needs you" })
  const row = needsYou.getByRole("link", { name: /Write the notes/ })
  await expect(row).toContainText("1 file +2")
  await expect(desk).toHaveTitle(/^\(1\) /)
  expect(await findViolations(desk, { within: "main" })).toEqual([])

  await row.click()
  await expect(desk).toHaveURL(new RegExp(`/review/${sessionID}\\?.*task=`))
  const [task] = await client.task.list.query({ sessionID })
  if (!task) throw new Error("there is no task")
  const approve = desk.getByRole("button", { name: "Approve", exact: true })
  await expect(approve).toBeEnabled()
  await approve.click()
  await expect
    .poll(async () => (await client.task.get.query({ taskID: task.id })).state, { timeout: 15_000 })
    .toBe("completed")
  await desk.goto(server.url)
  await expect(needsYou).toContainText("Nothing waits for you.")
  await expect(desk.getByRole("region", { name: "To review" })).toHaveCount(0)
})

for (const [device, viewport] of [
  ["a desktop", { width: 1440, height: 900 }],
  ["a phone", { width: 390, height: 844 }],
] as const) {
  test(`on ${device} the inbox arrives with its lists and updates live`, async ({
    desk,
    client,
    projectID,
    server,
  }) => {
    const { id: sessionID } = await client.session.create.mutate({ projectID, title: "Keep notes" })
    await expectRefusesStrangers(server.url)
    await desk.setViewportSize(viewport)
    await desk.addInitScript({ content: watchShift })
    const gate = await holdCode(desk)
    const requestedPaths: string[] = []
    const problems: string[] = []
    desk.on("pageerror", (error) => problems.push(error.message))
    desk.on("console", (message) => message.type() === "error" && problems.push(message.text()))
    await desk.goto(server.url, { waitUntil: "commit" })
    desk.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname))
    const recent = desk.getByRole("region", { name: "Recent" })
    await expect(recent.getByRole("link", { name: /^Keep notes/ })).toBeVisible()
    await expect(desk.getByText("Ask build about greeter")).toBeVisible()
    expect(requestedPaths.filter((each) => each.startsWith("/api/"))).toEqual([])
    gate.open()
    await expect(desk.getByRole("textbox", { name: "Prompt" })).toHaveAttribute(
      "placeholder",
      "Ask build about greeter",
    )
    await loaded(desk)
    await client.session.update.mutate({ sessionID, title: "Keep all notes" })
    await expect(recent.getByRole("link", { name: /^Keep all notes/ })).toBeVisible()
    expect(problems).toEqual([])
    expect(await desk.evaluate<number>("layoutShift")).toBeLessThan(0.02)
  })
}
