import { createDocketClient } from "@docket/client"
import { begin, expect, signIn } from "./fixtures/test.ts"
import { test } from "./fixtures/web-nodes-test.ts"

test("a person opens a directory on the host that they choose", async ({ start, project, model, page }) => {
  model.script({ Work: [{ text: "Done there." }] })
  await start("worker")
  await start("worker", { storage: "team" })
  const web = await start("web")
  await signIn(page, web)
  await page.getByRole("button", { name: "Open project" }).first().click()
  const picker = page.getByRole("dialog", { name: "Open a project" })
  await picker.getByRole("combobox", { name: "Host" }).click()
  await page.getByRole("option", { name: "team" }).click()
  await picker.getByLabel("Directory in the storage team").fill(project.directory)
  await picker.getByRole("button", { name: "Open", exact: true }).click()
  await expect(picker).toBeHidden()
  await begin(page, "Work")
  await expect(page.getByText("Done there.")).toBeVisible()
  const client = createDocketClient({ url: web.url, token: web.token })
  expect(await client.project.list.query()).toMatchObject([{ directory: project.directory, place: "storage:team" }])
})
