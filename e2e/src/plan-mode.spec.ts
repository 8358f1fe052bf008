import type { Page } from "@playwright/test"
import { findViolations, setScheme } from "./fixtures/find-violations.ts"
import { planFileOf, type Script } from "./fixtures/scripted-model.ts"
import { begin, expect, idle, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { permission: "allow" } })

const steps = "# A page\n\n1. Write page.txt\n2. Test it\n"

const script: Script = {
  "Plan the page": [
    { calls: [{ tool: "write", args: (request) => ({ filePath: planFileOf(request), content: steps }) }] },
    { calls: [{ tool: "plan_exit", args: {} }] },
    {
      calls: [
        {
          tool: "edit",
          args: (request) => ({ filePath: planFileOf(request), oldString: "Test it", newString: "Test it by hand" }),
        },
      ],
    },
    { calls: [{ tool: "plan_exit", args: {} }] },
  ],
  "is approved": [
    { calls: [{ tool: "write", args: { filePath: "page.txt", content: "made\n" } }] },
    { text: "The page is made." },
  ],
}

const card = (page: Page) => page.getByRole("region", { name: "The plan is ready" })

test("a plan is commented on, revised, approved and built as todos", {
  tag: "@journey",
}, async ({ desk, model, project }) => {
  model.script(script)
  const field = desk.getByRole("textbox", { name: "Prompt" })
  await expect(desk.getByRole("button", { name: /^Agent/ })).toBeVisible()
  await field.focus()
  await field.press("Tab")
  await expect(desk.getByText("Plan mode", { exact: true })).toBeVisible()
  await begin(desk, "Plan the page")

  await expect(card(desk).getByText("Write page.txt")).toBeVisible()
  await card(desk).getByRole("button", { name: "Comment", exact: true }).click()
  await card(desk).getByLabel("What the comment is about").selectOption({ label: "2. Test it" })
  await card(desk).getByLabel("What is to change").fill("By hand, please.")
  await card(desk).getByLabel("What is to change").press("Escape")
  await desk.reload()
  await expect(card(desk).getByLabel("What the comment is about")).toHaveValue("1")
  await expect(card(desk).getByLabel("What is to change")).toHaveValue("By hand, please.")
  await card(desk).getByRole("button", { name: "Add the comment" }).click()
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1440, 390]) {
      await setScheme(desk, colorScheme)
      await desk.setViewportSize({ width, height: 900 })
      expect(await findViolations(desk), `${colorScheme}, ${width} px`).toEqual([])
    }
  }
  await desk.setViewportSize({ width: 1440, height: 900 })
  await desk.reload()
  await card(desk).getByRole("button", { name: "Send back with 1 comment" }).click()

  await expect(card(desk).getByText("Test it by hand")).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toMatch(/> Test it(\\+n){2}By hand, please\./)
  await card(desk).getByRole("button", { name: "Make todos of its 2 steps" }).click()
  await expect(card(desk).getByText("2 todos made.")).toBeVisible()
  await card(desk).getByRole("button", { name: "Make todos of its 2 steps" }).click()
  await expect(card(desk).getByText("All 2 steps were made into todos before.")).toBeVisible()
  await card(desk).getByRole("button", { name: "Approve", exact: true }).click()

  await expect(desk.getByText("The page is made.")).toBeVisible()
  await idle(desk)
  expect(await project.read("page.txt")).toBe("made\n")
  await expect(desk.getByText("Plan mode", { exact: true })).toHaveCount(0)
  const step = desk.getByRole("link", { name: "Step 2 of the plan" })
  await expect(step).toBeVisible()
  await step.click()
  await desk.waitForURL(/\?part=prt_/)
  await expect(desk.getByText("Test it by hand").first()).toBeVisible()
})
