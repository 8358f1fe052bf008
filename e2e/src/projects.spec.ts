import { mkdir } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "./fixtures/test.ts"

test("new work uses the browser's last project, whatever programs open", async ({ desk, client, project }) => {
  const shown = (name: string) => desk.getByRole("button", { name: `Project: ${name}` })
  const elsewhere = path.join(path.dirname(project.directory), "elsewhere")
  await mkdir(elsewhere)
  await expect(shown("greeter")).toBeVisible()
  // Like `docket run` in another directory.
  await client.project.open.mutate({ directory: elsewhere })
  await desk.reload()
  await expect(shown("greeter")).toBeVisible()

  await shown("greeter").click()
  await desk.getByRole("menuitem", { name: /elsewhere/ }).click()
  await expect(shown("elsewhere")).toBeVisible()
  await client.project.open.mutate({ directory: project.directory })
  await desk.reload()
  await expect(shown("elsewhere")).toBeVisible()
  await desk.getByRole("link", { name: "Schedules" }).click()
  await desk.getByRole("button", { name: "New schedule" }).click()
  await expect(desk.getByLabel("Project").locator("option:checked")).toHaveText("elsewhere")
})
