import type { Page } from "@playwright/test"
import { begin, expect, test } from "./fixtures/test.ts"

const task = (prompt: string) => ({
  calls: [{ tool: "task", args: { description: prompt, prompt, subagent_type: "general" } }],
})
const way = {
  header: "Way",
  question: "Which way shall I take?",
  options: [
    { label: "Left", description: "By the river" },
    { label: "Right", description: "Through the wood" },
  ],
}

test.describe("with subagents that may ask", () => {
  test.use({
    shared: true,
    config: { agent: { general: { permission: { task: "allow", question: "allow" } } } },
  })

  test("a grandchild's question is answered at the root; the other tab updates", { tag: "@journey" }, async ({
    desk,
    model,
  }) => {
    model.script({
      "Plan the trip": [task("Look at the ways"), { text: "The trip is planned." }],
      "Look at the ways": [task("Choose a way"), { text: "Looked." }],
      "Choose a way": [{ calls: [{ tool: "question", args: { questions: [way] } }] }, { text: "Chosen." }],
    })
    await begin(desk, "Plan the trip")
    const cardOf = (page: Page) => page.getByRole("region", { name: "general asks you" })
    const card = cardOf(desk)
    await expect(card.getByText("By the river")).toBeVisible()
    const other = await desk.context().newPage()
    await other.goto(desk.url())
    await expect(cardOf(other).getByText("Through the wood")).toBeVisible()
    const own = card.getByRole("textbox", { name: "Your own answer: Way" })
    await own.fill("Over the hill")
    await desk.reload()
    await expect(own).toHaveValue("Over the hill")
    // The first press leaves the field but keeps its text: the questions are not answered.
    await own.press("Escape")
    await expect(card.getByRole("region", { name: "Questions" })).toBeFocused()
    await expect(own).toHaveValue("Over the hill")
    await own.press("Enter")
    await expect(card).toHaveCount(0)
    await expect(cardOf(other)).toHaveCount(0)
    await expect(desk.getByText("The trip is planned.")).toBeVisible()
    const told = model.requests.flatMap((request) => request.messages).filter((message) => message.role === "tool")
    expect(JSON.stringify(told)).toContain("Over the hill")
    await other.close()
  })
})

test.describe("with commands that ask first", () => {
  test.use({ config: { permission: { bash: "ask" } } })

  test("a request stands after kill -9; its command runs once allowed", async ({ desk, model, server, project }) => {
    model.script({
      "Tag the state": [
        { calls: [{ tool: "bash", args: { command: "git tag kept", description: "Tag it" } }] },
        { text: "It is tagged." },
      ],
    })
    await begin(desk, "Tag the state")
    const card = desk.getByRole("region", { name: "build wants to run a command" })
    await expect(card.getByText("git tag kept")).toBeVisible()
    await server.kill()
    await server.restart()
    await desk.reload()
    await expect(card.getByText("git tag kept")).toBeVisible()
    await card.getByRole("button", { name: "Allow once" }).click()
    await expect(desk.getByText("It is tagged.")).toBeVisible()
    await expect(card).toHaveCount(0)
    expect(await project.read(".git/refs/tags/kept")).toMatch(/^[0-9a-f]{40}\n$/)
  })
})
