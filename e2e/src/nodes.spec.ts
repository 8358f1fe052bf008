import type { Page } from "@playwright/test"
import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { putNodes } from "./fixtures/put-nodes.ts"
import { expect, test } from "./fixtures/test.ts"

const rows = (page: Page) => page.getByRole("list", { name: "Nodes", exact: true }).getByRole("listitem")

test("one process says how to add nodes, until it sees others", async ({ desk, server }) => {
  await desk.goto(`${server.url}/settings`)
  await desk.getByRole("link", { name: "Nodes", exact: true }).click()
  await expect(rows(desk)).toHaveCount(1)
  await expect(rows(desk)).toContainText("does everything")
  await expect(rows(desk)).toContainText("answers this page")
  await expect(rows(desk).getByRole("button")).toHaveCount(0)
  const howTo = desk.getByText("docs/scale.md")
  await expect(howTo).toBeVisible()

  putNodes(server.data, [{ number: 1, host: "attic", role: "worker", silentFor: 60_000 }])
  // The page asks again by itself.
  const gone = rows(desk).filter({ hasText: "attic" })
  await expect(gone).toContainText("Gone")
  await expect(gone.getByRole("button")).toHaveCount(0)
  await expect(howTo).toHaveCount(0)
  const age = gone.getByRole("time")
  const before = await age.textContent()
  expect(before).toMatch(/^1 m \d\d s$/)
  await expect(age).not.toHaveText(before ?? "")
})

test("a worker is drained after a question, and resumed", async ({ desk, server, client }) => {
  const [worker] = putNodes(server.data, [
    { number: 1, host: "rack-2", role: "worker" },
    { number: 2, host: "rack-1", role: "web" },
    { number: 3, host: "a-rather-long-name-of-a-host-in-the-cellar.example.org", role: "worker", silentFor: 90_000 },
  ])
  const state = async () => (await client.nodes.list.query()).nodes.find(({ id }) => id === worker)?.state
  await desk.goto(`${server.url}/settings/nodes`)
  await expect(rows(desk)).toHaveCount(4)
  const row = rows(desk).filter({ hasText: "rack-2" })
  await row.getByRole("button", { name: "Drain rack-2…" }).click()
  const dialog = desk.getByRole("dialog", { name: "Drain rack-2" })
  await expect(dialog).toContainText("what runs goes on elsewhere where its files are, or waits for this host")
  await dialog.getByRole("button", { name: "Cancel" }).click()
  expect(await state()).toBe("live")

  await row.getByRole("button", { name: "Drain rack-2…" }).click()
  await dialog.getByRole("button", { name: "Drain", exact: true }).click()
  await expect(row).toContainText("Takes no more sessions")
  await expect(dialog).toHaveCount(0)
  expect(await state()).toBe("draining")
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
  }
  await row.getByRole("button", { name: "Resume rack-2" }).click()
  await expect(row).toContainText("Live")
  expect(await state()).toBe("live")
})
