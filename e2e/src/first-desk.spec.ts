import { gzipSync } from "node:zlib"
import type { DocketClient } from "@docket/client"
import {
  blankFrames,
  expectRefusesStrangers,
  holdCode,
  mostHtml,
  watchRows,
  watchShift,
} from "./fixtures/first-rows.ts"
import { paragraphs } from "./fixtures/paragraphs.ts"
import { runSession } from "./fixtures/run-session.ts"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import { turnWheel } from "./fixtures/scroll.ts"
import { expect, test } from "./fixtures/test.ts"

test.use({ shared: true })

const task = (description: string, prompt: string) => ({
  tool: "task",
  args: { description, prompt, subagent_type: "explore" },
})
/** Maximum layout shift until a page is at rest. */
const mostShift = 0.01

/** A tree whose first task is longer than a screen. Returns the address of its review desk, without a task. */
async function delegate({
  client,
  model,
  projectID,
}: {
  client: DocketClient
  model: ScriptedModel
  projectID: string
}) {
  model.script({
    "Find the callers": [
      { calls: [task("List the callers", "Who calls greeting?"), task("Name the words", "Which words?")] },
      { text: "Both are done." },
    ],
    "Who calls greeting": [
      { text: paragraphs(40, "Above"), calls: [{ tool: "glob", args: { pattern: "no such file" } }] },
      { text: paragraphs(8, "Caller") },
    ],
    "Which words": [{ text: "Two words." }],
  })
  const id = await runSession(client, projectID, "Find the callers")
  return { path: `/review/${id}` }
}

test("a desk's document shows brief, result and rows without a script", {
  tag: "@journey",
}, async ({ desk, client, model, projectID, server, browser }) => {
  const { path } = await delegate({ client, model, projectID })
  const address = server.url + path
  const html = await (await desk.request.get(address)).text()
  expect(gzipSync(html).length).toBeLessThan(mostHtml)
  await expectRefusesStrangers(address)
  // In-app navigation gets no data in the document; other views and the replay load after the page.
  for (const [query, headers] of [
    ["", { rsc: "1" }],
    ["?view=timeline", {}],
    ["?at=1", {}],
  ] as const) {
    const other = await desk.request.get(address + query, { headers })
    expect(await other.text()).not.toContain("Caller 8.")
  }

  const state = await desk.context().storageState()
  for (const width of [390, 1100, 1440]) {
    const context = await browser.newContext({
      storageState: state,
      javaScriptEnabled: false,
      viewport: { width, height: 844 },
    })
    const page = await context.newPage()
    await page.goto(address)
    await expect(page.getByRole("heading", { name: "#1 List the callers" })).toBeVisible()
    await expect(page.getByRole("region", { name: "Verdict on task 1" })).toBeVisible()
    await expect(page.locator("section", { hasText: "Brief" }).getByText("Who calls greeting?").last()).toBeVisible()
    await expect(page.getByRole("feed").getByText("Caller 8.")).toBeInViewport()
    const choices = page.getByRole("radiogroup", { name: "Show" })
    await expect(choices).toHaveCount(1)
    await expect(choices).toContainText(width < 1024 ? "Agents" : "Timeline")
    await context.close()
  }
  await desk.goto(`${address}?task=root`)
  await expect(desk.getByRole("heading", { level: 1, name: "Find the callers" })).toBeVisible()
})

for (const width of [390, 1440]) {
  test(`at ${width} px a desk works before its code, without moving`, async ({
    desk,
    client,
    model,
    projectID,
    server,
  }) => {
    const { path } = await delegate({ client, model, projectID })
    await desk.setViewportSize({ width, height: 844 })
    await desk.emulateMedia({ reducedMotion: "reduce" })
    await desk.addInitScript({ content: watchRows })
    await desk.addInitScript({ content: watchShift })
    const gate = await holdCode(desk)
    const requestedPaths: string[] = []
    const problems: string[] = []
    desk.on("pageerror", (error) => problems.push(error.message))
    // On a slow machine the data would grow old before the code arrives, and be requested again.
    await desk.clock.setFixedTime(Date.now())
    await desk.goto(server.url + path, { waitUntil: "commit" })
    desk.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname))
    await expect(desk.getByRole("feed").getByText("Caller 8.")).toBeInViewport()
    await expect(desk.getByText("0 of 2 reviewed")).toBeVisible()
    expect(requestedPaths.filter((each) => each.startsWith("/api/"))).toEqual([])
    const approve = desk.getByRole("button", { name: "Approve", exact: true })
    await approve.click()
    gate.open()
    await expect(desk.getByText("1 of 2 reviewed")).toBeVisible()
    await expect(desk.locator("[data-first]")).toHaveCount(0)
    await expect(approve).toHaveAttribute("data-given", "true")
    await expect(desk.getByRole("feed").getByText("Caller 8.")).toBeInViewport()
    await expect(desk).toHaveURL(/[?&]task=/)
    // Data that the page brought along is not requested; more of it may be, while it is read.
    expect(requestedPaths.filter((each) => /session\.tree|task\.get/.test(each))).toEqual([])
    expect(problems).toEqual([])
    expect(await blankFrames(desk)).toBe(0)
  })
}

test("a desk moves nothing when its code starts, also further up", async ({
  desk,
  client,
  model,
  projectID,
  server,
}) => {
  const { path } = await delegate({ client, model, projectID })
  await desk.addInitScript({ content: watchShift })
  const shifted = () => desk.evaluate<number>("layoutShift")
  await desk.goto(server.url + path)
  await desk.locator("[data-first]").waitFor({ state: "detached" })
  await expect(desk.getByRole("region", { name: "The tree over its time" })).toBeVisible()
  expect(await shifted()).toBeLessThanOrEqual(mostShift)

  await desk.getByRole("feed").hover()
  await turnWheel(desk, -600)
  const line = desk.getByRole("feed").getByText("Above 30.", { exact: true })
  await expect(line).toBeInViewport()
  const top = async () => Math.round((await line.boundingBox())?.y ?? Number.NaN)
  const stood = await top()
  const gate = await holdCode(desk)
  await desk.reload({ waitUntil: "commit" })
  await expect(desk.locator("[data-first] article").first()).toBeAttached()
  await expect.poll(top).toBe(stood)
  gate.open()
  await desk.locator("[data-first]").waitFor({ state: "detached" })
  await expect.poll(top).toBe(stood)
  expect(await shifted()).toBeLessThanOrEqual(mostShift)
})
