import { findViolations } from "./fixtures/find-violations.ts"
import { runSession } from "./fixtures/run-session.ts"
import { expect, send, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { permission: "allow" } })

const write = (filePath: string, content: string) => ({ tool: "write", args: { filePath, content } })

test("what a prompt changed stands at its turn's end, with diffs", async ({
  desk,
  client,
  model,
  projectID,
  server,
}) => {
  model.script({
    "Add the notes": [{ calls: [write("notes.txt", "one\ntwo\n"), write("more.txt", "x\n")] }, { text: "Added." }],
    "Shorten them": [{ calls: [write("notes.txt", "one\n")] }, { text: "Shortened." }],
  })
  const id = await runSession(client, projectID, "Add the notes")
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    await desk.goto(`${server.url}/s/${id}`)
    const note = desk.getByRole("button", { name: /^2 files \+3/ })
    await expect(note).toBeVisible()
    await note.click()
    const dialog = desk.getByRole("dialog", { name: "Changed files" })
    await expect(dialog).toContainText("more.txt")
    await desk.keyboard.press("Escape")
    await expect(dialog).toBeHidden()
    expect(await findViolations(desk)).toEqual([])
  }
  // The next prompt gets its own, without a reload.
  await send(desk, "Shorten them")
  await expect(desk.getByRole("button", { name: /^1 file \+0 lines added −1/ })).toBeVisible({ timeout: 30_000 })
  await expect(desk.getByRole("button", { name: /^2 files/ })).toBeVisible()
})

test("the changes are described on the review desk", async ({ desk, client, model, projectID, server }) => {
  model.script({ "Add the notes": [{ calls: [write("notes.txt", "one\n")] }, { text: "Added." }] })
  const id = await runSession(client, projectID, "Add the notes")
  await desk.goto(`${server.url}/review/${id}?task=root&view=files`)
  await desk.getByRole("button", { name: "Describe the changes" }).click()
  const description = desk.getByRole("region", { name: "Description of the changes" })
  await expect(description).toContainText("Add the notes")
  await desk.reload()
  await expect(description).toContainText("Add the notes")
  await expect(desk.getByRole("button", { name: "Describe again" })).toBeVisible()
})
