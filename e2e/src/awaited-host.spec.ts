import { hostname } from "node:os"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { begin, expect, sessionOf, signIn } from "./fixtures/test.ts"
import { test } from "./fixtures/web-nodes-test.ts"

test("a page says which host its work waits for", async ({ page, start, model, project }) => {
  test.slow()
  const wait = { tool: "bash", args: { command: "sleep 600", description: "Wait" } }
  model.script({
    "Do it all": [
      { calls: [{ tool: "task", args: { description: "Look", prompt: "Look around", subagent_type: "general" } }] },
      { text: "Everything is done." },
    ],
    "Look around": [{ calls: [wait] }, { text: "Nothing is there." }],
  })
  const web = await start("web")
  const worker = await start("worker", { project: project.directory })
  await signIn(page, web)
  await begin(page, "Do it all")
  const rootID = sessionOf(page)
  const card = page.getByRole("button", { name: /^Open task Look/ })
  await expect(card).toHaveAccessibleName(/^Open task Look, running:/)
  // The card says running before the child's session is stored.
  const rail = page.getByRole("navigation", { name: "Sessions" })
  await expect(rail.getByRole("treeitem", { name: "Look" })).toBeVisible()
  const note = page.getByRole("status").filter({ hasText: "Waits for host" })
  await expect(note).toHaveCount(0)

  await worker.kill()
  await expect(note).toHaveText(
    `Waits for host ${hostname()}, which has the files. Start Docket there again: docket serve --role worker`,
  )
  await expect(card).toHaveAccessibleName(/^Open task Look, waits for a host:/)
  for (const title of ["Do it all", "Look"]) {
    const row = rail.getByRole("treeitem", { name: title })
    await expect(row.getByRole("img", { name: "Waits for a host" })).toBeVisible()
  }
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await findViolationsInLightAndDark(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  const status = await page.request.get(`${web.url}/v1/status`, { headers: { authorization: `Bearer ${web.token}` } })
  const { sessions } = (await status.json()) as { sessions: { root_id: string; waits_for?: object }[] }
  const waitsFor = { kind: "host", name: hostname(), why: "gone" }
  expect(sessions).toMatchObject([
    { root_id: rootID, waits_for: waitsFor },
    { root_id: rootID, waits_for: waitsFor },
  ])

  await worker.restart()
  await expect(page.getByRole("feed").getByText("Everything is done.")).toBeVisible()
  await expect(note).toHaveCount(0)
})
