import { mkdir } from "node:fs/promises"
import path from "node:path"
import { createDocketClient } from "@docket/client"
import { type Browser, chromium, expect } from "@playwright/test"
import config from "../playwright.config.ts"
import { startAskingSession } from "./fixtures/asking-session.ts"
import { startDocket } from "./fixtures/docket-server.ts"
import { fillLists } from "./fixtures/fill-lists.ts"
import { foreignAddress, makeHostile } from "./fixtures/hostile-project.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import {
  askingPages,
  openedPages,
  type PageAddress,
  pageAddresses,
  readmePage,
  trustPages,
  workingPages,
} from "./fixtures/pages.ts"
import { createProject } from "./fixtures/project.ts"
import { runSampleSession } from "./fixtures/sample-session.ts"
import { startScriptedModel } from "./fixtures/scripted-model.ts"
import { startWorkingSession, workingConfig } from "./fixtures/working-session.ts"

// Screenshots of every page at 1440, 1920 and 390 px, light and dark: node e2e/src/screenshots.ts FOLDER [NAME…]
const [target = "test-results/screenshots", ...names] = process.argv.slice(2)
const folder = path.resolve(target)

const model = await startScriptedModel()
const project = await createProject()
const hostile = await createProject()
const server = await startDocket({ project: project.directory, config: modelConfig(model.url, workingConfig) })
const client = createDocketClient({ url: server.url, token: server.token })
const browser = await chromium.launch(config.use?.launchOptions ?? {})
try {
  const { id: projectID } = await client.project.open.mutate({ directory: project.directory })
  const working = await startWorkingSession(client, model, projectID)
  const sample = await runSampleSession(client, model, projectID)
  const { archivedID } = await fillLists(client, model, projectID)
  const trust = trustPages(await openHostile())
  const all = [
    ...(await pageAddresses(client, sample)),
    ...workingPages(working, archivedID),
    ...askingPages(await startAskingSession(client, model, projectID)),
    ...trust,
    ...openedPages(sample.rootID),
    readmePage(working),
  ]
  await mkdir(folder, { recursive: true })
  const unknown = names.filter((wanted) => !all.some(({ name }) => name === wanted))
  if (unknown.length > 0)
    throw new Error(`No page is called ${unknown.join(", ")}: ${all.map((it) => it.name).join(", ")}`)
  await takeAll(browser, names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all)
} finally {
  await browser.close()
  await server.stop()
  await model.stop()
  await project.remove()
  await hostile.remove()
}

/** An empty session of a stranger's project, part of which was trusted before. */
async function openHostile(): Promise<string> {
  await hostile.write(
    "docket.json",
    JSON.stringify({ permission: { bash: "allow" }, delegation: { depth: 5 } }, null, 2),
  )
  const { id: projectID } = await client.project.open.mutate({ directory: hostile.directory })
  const { hash } = (await client.config.get.query({ projectID })).trust
  await client.config.trust.mutate({ projectID, hash: hash ?? "" })
  await makeHostile(hostile, foreignAddress(model.url))
  return (await client.session.create.mutate({ projectID })).id
}

async function takeAll(browser: Browser, pages: PageAddress[]): Promise<void> {
  const signedIn = await browser.newContext()
  const first = await signedIn.newPage()
  await first.goto(server.loginUrl)
  await first.getByRole("heading", { name: "Inbox" }).waitFor()
  const storageState = await signedIn.storageState()
  for (const width of [1440, 1920, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const { name, path: address, signedOut, open } of pages) {
        const context = await browser.newContext({
          viewport: { width, height: width === 390 ? 844 : width * 0.625 },
          colorScheme,
          reducedMotion: "reduce",
          ...(!signedOut && { storageState }),
        })
        const page = await context.newPage()
        page.setDefaultTimeout(10_000)
        await page.goto(server.url + address)
        await page.getByRole("heading").first().waitFor()
        await open?.(page)
        // A session that works stays busy; what loads says so.
        await expect(page.getByText(/^Loading/)).toHaveCount(0)
        const file = path.join(folder, `${name}-${width}-${colorScheme}.png`)
        await page.screenshot({ path: file })
        console.log(file)
        await context.close()
      }
    }
  }
}
