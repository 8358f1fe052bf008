import { chmod } from "node:fs/promises"
import path from "node:path"
import type { Page } from "@playwright/test"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { createProject } from "./fixtures/project.ts"
import { test as base, expect } from "./fixtures/test.ts"

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  project: async ({}, use) => {
    const project = await createProject()
    // It brings no settings, but a program of its own.
    const program = "node_modules/.bin/yaml-language-server"
    await project.write(program, "#!/bin/sh\n")
    await chmod(path.join(project.directory, program), 0o755)
    await use(project)
    await project.remove()
  },
})
test.use({ config: { lsp: {} } })

const yaml = (page: Page) => page.getByRole("listitem").filter({ hasText: "yaml-language-server" })

test("a project without settings is trusted where its servers are listed", async ({ desk, server }) => {
  await desk.goto(`${server.url}/settings/language-servers`)
  await expect(yaml(desk)).toContainText("It is not started: it lies in the project.")
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
  }
  const notice = desk.getByRole("region", { name: "Trust", exact: true })
  await notice.getByRole("button", { name: "Look at it" }).click()
  await desk.getByRole("button", { name: "Trust this project" }).click()
  await expect(notice).toHaveCount(0)
  await expect(yaml(desk)).toContainText("Starts when needed")
})
