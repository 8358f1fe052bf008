import { readFile } from "node:fs/promises"
import { expect, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true })

test("an exported session is imported as a copy; broken files are refused", async ({ desk, client, projectID }) => {
  const { id } = await client.session.create.mutate({ projectID, title: "Mend the gate" })
  await desk.goto(new URL(`/s/${id}`, desk.url()).href)
  const main = desk.getByRole("banner").or(desk.getByRole("main"))
  await main
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click()
  await desk.getByRole("menuitem", { name: "Export…" }).click()
  const dialog = desk.getByRole("dialog")
  await expect(dialog.getByRole("combobox", { name: "Format" })).toHaveValue("json")
  const [download] = await Promise.all([
    desk.waitForEvent("download"),
    dialog.getByRole("link", { name: "Download" }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${id}.json`)
  const file = await download.path()
  await expect(dialog).toHaveCount(0)

  await desk.keyboard.press("ControlOrMeta+k")
  await expect(desk.getByRole("textbox", { name: "Command palette" })).toBeFocused()
  // Checked by name, because the rows of the palette move while its lists load.
  await desk.keyboard.type("Import a session")
  await expect(dialog.getByRole("button").first()).toHaveText(/Import a session/)
  await desk.keyboard.press("Enter")
  const submit = dialog.getByRole("button", { name: "Import", exact: true })
  await expect(submit).toBeDisabled()
  const input = dialog.locator("input[type=file]")
  await input.setInputFiles({ name: "notes.json", mimeType: "application/json", buffer: Buffer.from("[1, 2") })
  await submit.click()
  await expect(dialog.getByText(/breaks off/)).toBeVisible()
  await input.setInputFiles({ name: "session.json", mimeType: "application/json", buffer: await readFile(file) })
  await submit.click()
  await expect(dialog.getByText(/here already/)).toBeVisible()
  await dialog.getByRole("checkbox", { name: "As a copy" }).check()
  await submit.click()
  await expect(dialog).toHaveCount(0)
  await expect(desk.getByRole("heading", { name: "Mend the gate" })).toBeVisible()
  await expect.poll(() => sessionOf(desk)).not.toBe(id)
  expect(await client.session.get.query({ sessionID: sessionOf(desk) })).toMatchObject({ title: "Mend the gate" })
})
