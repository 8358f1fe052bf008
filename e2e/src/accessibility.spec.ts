import { AxeBuilder } from "@axe-core/playwright"
import type { Page } from "@playwright/test"
import { pageAddresses } from "./fixtures/pages.ts"
import { runSampleSession } from "./fixtures/sample-session.ts"
import { expect, test } from "./fixtures/test.ts"

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze()
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  )
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 390]) {
    test(`axe finds nothing on any page, ${colorScheme}, ${width} px`, async ({
      desk,
      browser,
      client,
      model,
      projectID,
      server,
    }) => {
      test.slow()
      const addresses = await pageAddresses(client, await runSampleSession(client, model, projectID))
      const stranger = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
      const outside = await stranger.newPage()
      await desk.setViewportSize({ width, height: 900 })
      await desk.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      const found: Record<string, string[]> = {}
      for (const { name, path, signedOut } of addresses) {
        const page = signedOut ? outside : desk
        await page.goto(server.url + path, { waitUntil: "domcontentloaded" })
        await expect(page.getByRole("heading").first()).toBeVisible()
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0)
        const list = await violations(page)
        if (list.length > 0) found[name] = list
      }
      await stranger.close()
      expect(found).toEqual({})
    })
  }
}

test("axe finds nothing in the open dialogs", async ({ desk, client, model, projectID, server }) => {
  const { rootID } = await runSampleSession(client, model, projectID)
  await desk.goto(`${server.url}/s/${rootID}`)
  await expect(desk.getByRole("textbox", { name: "Prompt" })).toBeVisible()
  for (const colorScheme of ["light", "dark"] as const) {
    await desk.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await desk.keyboard.press("ControlOrMeta+k")
    await expect(desk.getByRole("dialog")).toBeVisible()
    expect(await violations(desk)).toEqual([])
    await desk.keyboard.press("Escape")
    await desk.getByRole("button", { name: "Share" }).click()
    await expect(desk.getByRole("dialog")).toBeVisible()
    expect(await violations(desk)).toEqual([])
    await desk.keyboard.press("Escape")
    await expect(desk.getByRole("dialog")).toHaveCount(0)
  }
})
