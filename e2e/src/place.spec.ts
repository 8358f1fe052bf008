import type { Locator } from "@playwright/test"
import { createGate } from "./fixtures/gate.ts"
import { distanceToEnd, turnWheel, wheelUpTo } from "./fixtures/scroll.ts"
import { begin, expect, send, sessionOf, test } from "./fixtures/test.ts"

const lines = (count: number, word = "Line") =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}.`).join("\n\n")
const task = { tool: "task", args: { description: "Study src", prompt: "Read all of src", subagent_type: "explore" } }

const top = async (row: Locator) => Math.round((await row.boundingBox())?.y ?? Number.NaN)

/** Runs in the page: gives paragraphs their height late, when the rows have been rendered for some frames already. */
const lateHeights = `(() => {
  const style = document.createElement("style")
  style.textContent = "[role=feed] p { display: inline; margin: 0 }"
  let framesLeft = 12
  const look = () => {
    if (!style.isConnected) document.documentElement?.append(style)
    if ([...document.querySelectorAll("[data-row]")].some((row) => !row.closest("[data-first]"))) framesLeft -= 1
    if (framesLeft > 0) return requestAnimationFrame(look)
    style.remove()
    globalThis.hasHeights = true
  }
  look()
})()`

test.use({ shared: true })

test("a reader returning from a child finds the same row and height", async ({ desk, model }) => {
  model.script({
    "Study everything": [{ text: lines(60), calls: [task] }, { text: lines(60, "Row") }],
    "Read all of src": [{ text: lines(80) }],
  })
  await begin(desk, "Study everything")
  const card = desk.getByRole("button", { name: /^Open task/ })
  await expect(desk.getByText("Row 60.")).toBeInViewport()
  await expect(desk.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
  await desk.getByRole("tab", { name: "Cost" }).click()
  await wheelUpTo(desk, card)
  await expect.poll(() => distanceToEnd(desk)).toBeGreaterThan(800)
  const place = await top(card)
  const answer = desk.getByRole("article", { name: "Answer of explore" })

  const ways = {
    Back: () => desk.goBack(),
    breadcrumb: () => desk.getByRole("navigation", { name: "Sessions above" }).getByRole("link").first().click(),
    h: () => desk.keyboard.press("h"),
    Esc: () => desk.keyboard.press("Escape"),
  }
  for (const [name, comeBack] of Object.entries(ways)) {
    await card.click()
    await desk.waitForURL(/\/c\/ses_/)
    await expect(answer.getByText("Line 80.")).toBeInViewport()
    await expect(desk.getByRole("tab", { name: "Cost" })).toHaveAttribute("aria-selected", "true")
    await comeBack()
    await desk.waitForURL(/\/s\/ses_[^/]+$/)
    await expect.poll(() => top(card), name).toBe(place)
  }
  await desk.reload()
  await expect.poll(() => top(card), "reload").toBe(place)
  await desk.addInitScript({ content: lateHeights })
  await desk.reload()
  await expect.poll(() => desk.evaluate("globalThis.hasHeights")).toBe(true)
  await expect.poll(() => top(card), "late heights").toBe(place)
  await expect(desk.getByRole("tab", { name: "Cost" })).toHaveAttribute("aria-selected", "true")

  await card.click()
  await desk.waitForURL(/\/c\/ses_/)
  await desk.getByRole("button", { name: "Skip to latest" }).waitFor({ state: "hidden" })
  await desk.goto(`${desk.url()}?part=prt_of_long_ago`)
  await expect(answer.getByText("Line 80.")).toBeInViewport()
})

test.describe("while work goes on", () => {
  test.use({ config: { permission: { bash: "ask" } } })

  test("only scrolling by hand leaves the end, and a way back shows", async ({ desk, model, client }) => {
    const gates = [createGate(), createGate()] as const
    model.script({
      "Work long": [
        { text: lines(70), calls: [{ tool: "bash", args: { command: "seq 1 90", description: "Count" } }] },
        { text: lines(30, "Row"), gate: gates[0] },
      ],
      "Go on": [{ text: lines(50), gate: gates[1] }],
    })
    await begin(desk, "Work long")
    const card = desk.getByRole("region", { name: /wants to run a command/ })
    await expect(card).toBeVisible()
    await expect.poll(() => distanceToEnd(desk)).toBe(0)
    // The prompt field grows with each line, and shrinks when the text is sent.
    const prompt = desk.getByRole("textbox", { name: "Prompt" })
    await prompt.pressSequentially("One")
    await desk.keyboard.press("Shift+Enter")
    await prompt.pressSequentially("two")
    await expect.poll(() => distanceToEnd(desk)).toBe(0)
    await prompt.fill("")
    await card.getByRole("button", { name: "Allow once" }).click()
    await gates[0].reached
    await desk
      .getByRole("feed")
      .getByRole("button", { name: /seq 1 90/ })
      .click()
    await expect.poll(() => distanceToEnd(desk)).toBe(0)
    gates[0].open()
    await expect(desk.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
    await expect.poll(() => distanceToEnd(desk)).toBe(0)
    await expect(desk.getByRole("button", { name: /Skip to latest|new part/ })).toHaveCount(0)

    await desk.getByRole("feed").hover()
    await turnWheel(desk, -500)
    await expect(desk.getByRole("button", { name: "Skip to latest" })).toBeVisible()
    const line = desk.getByText("Row 10.", { exact: true })
    const place = await top(line)
    await client.session.promptAsync.mutate({ sessionID: sessionOf(desk), parts: [{ type: "text", text: "Go on" }] })
    await gates[1].reached
    gates[1].open()
    const latest = desk.getByRole("button", { name: /new part/ })
    await expect(latest).toBeVisible()
    await expect(desk.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0)
    expect(await top(line)).toBe(place)
    await latest.click()
    await expect.poll(() => distanceToEnd(desk)).toBe(0)

    model.script({ "And then": [{ text: "All told." }] })
    await turnWheel(desk, -500)
    await expect.poll(() => distanceToEnd(desk)).toBeGreaterThan(400)
    await send(desk, "And then")
    await expect(desk.getByText("All told.")).toBeInViewport()
  })
})
