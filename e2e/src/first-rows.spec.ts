import { gzipSync } from "node:zlib"
import type { DocketClient } from "@docket/client"
import type { Page } from "@playwright/test"
import { holdCode, mostHtml, watchRows } from "./fixtures/first-rows.ts"
import { createGate } from "./fixtures/gate.ts"
import { runSession } from "./fixtures/run-session.ts"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import { distanceToEnd, turnWheel } from "./fixtures/scroll.ts"
import { expect, test } from "./fixtures/test.ts"

test.use({ shared: true })

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}.`).join("\n\n")
const markup = "<img src=x onerror=hit()></script><script>hit()</script>"

/** A session whose first answer is far above its end. Returns the session's id and the part of that answer. */
async function runLongSession(client: DocketClient, model: ScriptedModel, projectID: string) {
  model.script({
    "Look around": [
      {
        text: `Far above. ${markup}\n\n${lines(60, "Above")}`,
        calls: [{ tool: "read", args: { filePath: "README.md" } }],
      },
      { text: lines(60, "Below"), calls: [{ tool: "glob", args: { pattern: "no such file" } }] },
      { text: lines(8, "End") },
    ],
  })
  const id = await runSession(client, projectID, "Look around")
  const { items } = await client.session.messages.query({ sessionID: id })
  const part = items.flatMap(({ parts }) => parts).find((it) => it.type === "text" && it.text.startsWith("Far above."))
  return { id, part: part?.id ?? "" }
}

/** A session with so many steps that the first rows are not rendered together with the last. Returns its id. */
async function runSteps(client: DocketClient, model: ScriptedModel, projectID: string): Promise<string> {
  const step = (text: string, limit: number) => ({
    text,
    calls: [{ tool: "read", args: { filePath: "README.md", limit } }],
  })
  model.script({
    "Step by step": [
      ...Array.from({ length: 20 }, (_, at) => step(lines(2, `Step ${at}, line`), at + 1)),
      { text: "Done." },
    ],
  })
  return runSession(client, projectID, "Step by step")
}

const top = async (page: Page, text: string) =>
  Math.round((await page.getByRole("feed").getByText(text, { exact: true }).boundingBox())?.y ?? Number.NaN)

test("a session's document shows rows before its code and keeps their place", {
  tag: "@journey",
}, async ({ desk, client, model, projectID, server }) => {
  const { id, part } = await runLongSession(client, model, projectID)
  const address = `${server.url}/s/${id}`

  // Only a signed-in user gets the rows; text from a model is escaped in them.
  const linked = await (await desk.request.get(`${address}?part=${part}`)).text()
  expect(linked).toMatch(new RegExp(`<article[^>]* data-row="${part}"[^>]* data-linked="true"`))
  expect(linked).toContain("&lt;img src=x onerror=hit()&gt;")
  expect(linked).not.toMatch(/<img src=x|<script>hit/)
  expect(gzipSync(linked).length).toBeLessThan(mostHtml)
  const accept = { accept: "text/html" }
  const stranger = await fetch(address, { headers: accept, redirect: "manual" })
  expect([stranger.status, await stranger.text()]).toEqual([302, ""])
  // In-app navigation gets no rows, because the app already follows the tree.
  const within = await desk.request.get(address, { headers: { rsc: "1" } })
  expect(await within.text()).not.toContain("Below 60.")

  const gate = createGate()
  const requestedPaths: string[] = []
  const problems: string[] = []
  desk.on("pageerror", (error) => problems.push(error.message))
  await desk.route("**/*.js", async (route) => {
    await gate.wait()
    await route.continue()
  })
  await desk.emulateMedia({ reducedMotion: "reduce" })
  await desk.addInitScript({ content: watchRows })
  await desk.goto(address, { waitUntil: "commit" })
  // Recorded from here on: the previous page may still have sent requests.
  desk.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname))
  const call = desk.getByRole("feed").getByRole("button", { name: /^Done glob/ })
  await expect(desk.getByText("End 8.")).toBeInViewport()
  expect(requestedPaths.filter((path) => path.startsWith("/api/"))).toEqual([])
  const stood = await top(desk, "End 1.")
  // A click before hydration takes effect afterwards.
  await call.click()
  await expect(call).toHaveAttribute("aria-expanded", "false")
  gate.open()
  await expect(call).toHaveAttribute("aria-expanded", "true")
  await call.click()
  await expect(call).toHaveAttribute("aria-expanded", "false")
  expect(await top(desk, "End 1.")).toBe(stood)
  expect(requestedPaths.filter((path) => /session\.(tree|messages)/.test(path))).toEqual([])
  expect(problems).toEqual([])
  const { seen, blank } = await desk.evaluate<{ seen: number; blank: number }>("rowWatch")
  expect(seen).toBeGreaterThan(5)
  expect(blank).toBe(0)
})

test("a returning reader keeps their place before the page has code", async ({
  desk,
  client,
  model,
  projectID,
  server,
}) => {
  const { id } = await runLongSession(client, model, projectID)
  await desk.goto(`${server.url}/s/${id}`)
  await desk.locator("[data-first]").waitFor({ state: "detached" })
  await desk.getByRole("feed").hover()
  await turnWheel(desk, -600)
  const line = desk.getByRole("feed").getByText("Below 50.", { exact: true })
  await expect(line).toBeInViewport()
  const stood = await top(desk, "Below 50.")

  const gate = createGate()
  await desk.route("**/*.js", async (route) => {
    await gate.wait()
    await route.continue()
  })
  await desk.reload({ waitUntil: "commit" })
  await expect(desk.locator("[data-first] article").first()).toBeAttached()
  await expect.poll(() => top(desk, "Below 50.")).toBe(stood)
  const { width, height } = desk.viewportSize() ?? { width: 0, height: 0 }
  for (const less of [200, 0]) {
    await desk.setViewportSize({ width, height: height - less })
    await expect.poll(() => top(desk, "Below 50.")).toBe(stood)
  }
  gate.open()
  await desk.locator("[data-first]").waitFor({ state: "detached" })
  await expect.poll(() => top(desk, "Below 50.")).toBe(stood)
})

/**
 * Runs in the page: whether an element without rows (the live list, or its placeholder) was added behind the server's
 * rows.
 */
const cameBehind = `(records) => records.some(({ target, addedNodes }) =>
  target.closest?.("[data-behind=true]") &&
  [...addedNodes].some((node) => node instanceof HTMLDivElement && !node.querySelector("[data-row]")))`

/**
 * Runs in the page: when the live list is added behind the server's rows, scrolls the server's rows farther than the
 * range that the live list renders. Keeps what was at the top last.
 */
const scrollMeanwhile = `(() => {
  const seen = (globalThis.seenLast = { moves: 0, row: null, top: null })
  if (performance.getEntriesByType("navigation")[0].type === "reload") return
  new MutationObserver((records) => {
    const rows = document.querySelector("[data-first] [data-rows]")
    if (!rows || !(${cameBehind})(records)) return
    seen.moves += 1
    rows.dispatchEvent(new WheelEvent("wheel", { bubbles: true }))
    rows.scrollTop = seen.moves % 2 ? -1500 : -100
    const { top } = rows.getBoundingClientRect()
    const row = [...rows.querySelectorAll("[data-row]")].find((it) => it.getBoundingClientRect().bottom > top)
    seen.row = row.dataset.row
    seen.top = Math.round(row.getBoundingClientRect().top)
  }).observe(document, { childList: true, subtree: true })
})()`

test("a reader who scrolls keeps their place during takeover and after reload", async ({
  desk,
  client,
  model,
  projectID,
  server,
}) => {
  const id = await runSteps(client, model, projectID)
  await desk.addInitScript({ content: scrollMeanwhile })
  await desk.goto(`${server.url}/s/${id}`)
  await desk.locator("[data-first]").waitFor({ state: "detached" })
  const { moves, ...place } = await desk.evaluate<{ moves: number; row: string; top: number }>("seenLast")
  expect(moves).toBeGreaterThan(0)
  const row = desk.locator(`[data-row="${place.row}"]`)
  const rowTop = async () => Math.round((await row.boundingBox())?.y ?? Number.NaN)
  expect(await rowTop()).toBe(place.top)
  expect(await distanceToEnd(desk)).toBeGreaterThan(90)
  await expect(desk.getByRole("button", { name: "Skip to latest" })).toBeVisible()
  await desk.reload()
  await desk.locator("[data-first]").waitFor({ state: "detached" })
  await expect.poll(rowTop).toBe(place.top)
})

test("a child's document shows brief and result before its code, in place", async ({
  desk,
  client,
  model,
  projectID,
  server,
}) => {
  const brief = "Find where the door is"
  const call = { tool: "task", args: { description: "Find the door", prompt: brief, subagent_type: "explore" } }
  model.script({ "Ask somebody": [{ calls: [call] }, { text: "It is known." }], [brief]: [{ text: "On the left." }] })
  const id = await runSession(client, projectID, "Ask somebody")
  const [task] = await client.task.list.query({ sessionID: id })

  await desk.setViewportSize({ width: 390, height: 844 })
  const gate = await holdCode(desk)
  await desk.goto(`${server.url}/s/${id}/c/${task?.sessionID}`, { waitUntil: "commit" })
  const head = desk.locator("header").filter({ has: desk.getByRole("heading", { level: 1, name: "Find the door" }) })
  await expect(head.getByRole("heading", { name: "Brief" }).locator("..")).toContainText(brief)
  await expect(head.getByRole("heading", { name: "Result" }).locator("..")).toContainText("On the left.")
  const stood = await head.boundingBox()
  gate.open()
  await desk.locator("[data-first]").waitFor({ state: "detached" })
  await expect(head).toContainText("On the left.")
  expect(await head.boundingBox()).toEqual(stood)
})
