import { mkdir } from "node:fs/promises"
import path from "node:path"
import { createDocketClient } from "@docket/client"
import { chromium, expect } from "@playwright/test"
import config from "../playwright.config.ts"
import { startDocket } from "./fixtures/docket-server.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { pageAddresses } from "./fixtures/pages.ts"
import { createProject } from "./fixtures/project.ts"
import { runSampleSession } from "./fixtures/sample-session.ts"
import { startScriptedModel } from "./fixtures/scripted-model.ts"

// Screenshots of every page at 1440 and 390 px, light and dark: node e2e/src/screenshots.ts FOLDER
const folder = path.resolve(process.argv[2] ?? "test-results/screenshots")

const model = await startScriptedModel()
const project = await createProject(modelConfig(model.url))
const server = await startDocket({ project: project.directory })
const client = createDocketClient({ url: server.url, token: server.token })
const browser = await chromium.launch(config.use?.launchOptions ?? {})
try {
  const { id: projectID } = await client.project.open.mutate({ directory: project.directory })
  const addresses = await pageAddresses(client, await runSampleSession(client, model, projectID))
  const signedIn = await browser.newContext()
  const first = await signedIn.newPage()
  await first.goto(server.loginUrl)
  await first.getByRole("heading", { name: "Inbox" }).waitFor()
  const storageState = await signedIn.storageState()
  await mkdir(folder, { recursive: true })
  for (const width of [1440, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const { name, path: address, signedOut } of addresses) {
        const context = await browser.newContext({
          viewport: { width, height: width === 390 ? 844 : 900 },
          colorScheme,
          reducedMotion: "reduce",
          ...(!signedOut && { storageState }),
        })
        const page = await context.newPage()
        await page.goto(server.url + address)
        await page.getByRole("heading").first().waitFor()
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0)
        const file = path.join(folder, `${name}-${width}-${colorScheme}.png`)
        await page.screenshot({ path: file })
        console.log(file)
        await context.close()
      }
    }
  }
} finally {
  await browser.close()
  await server.stop()
  await model.stop()
  await project.remove()
}
