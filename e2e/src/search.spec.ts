import type { DocketClient } from "@docket/client"
import { findViolations } from "./fixtures/find-violations.ts"
import { runSession } from "./fixtures/run-session.ts"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import { expect, loaded, test } from "./fixtures/test.ts"

test.use({ shared: true })

/** A session whose first answer, far above its end, contains the word, and a child that says it twice. */
async function runSearchedSession(client: DocketClient, model: ScriptedModel, projectID: string): Promise<string> {
  const task = { description: "Look below", prompt: "Please look below", subagent_type: "general" }
  model.script({
    "Look everywhere": [
      { text: "A needle on top.", calls: [{ tool: "task", args: task }] },
      { text: Array.from({ length: 60 }, (_, index) => `After ${index + 1}.`).join("\n\n") },
    ],
    "Please look below": [
      {
        text: "First needle below.",
        calls: [{ tool: "read", args: { filePath: "none.txt" } }],
      },
      { text: "Second needle below." },
    ],
  })
  return runSession(client, projectID, "Look everywhere")
}

test("`/` finds rows of a session tree; the page searches all sessions", {
  tag: "@journey",
}, async ({ desk, client, model, projectID }) => {
  const rootID = await runSearchedSession(client, model, projectID)
  await desk.goto(new URL(`/s/${rootID}`, desk.url()).href)
  const feed = desk.getByRole("feed")
  const end = feed.getByText("After 60.")
  await expect(end).toBeInViewport()
  await loaded(desk)

  await desk.keyboard.press("/")
  const bar = desk.getByRole("search", { name: "Find in this session" })
  const field = bar.getByRole("searchbox")
  await expect(field).toBeFocused()
  await desk.keyboard.type("needl")
  await expect(bar.getByRole("status")).toHaveText("4 rows")
  expect(await findViolations(desk, { within: "search" })).toEqual([])
  await desk.keyboard.press("Enter")
  await expect(bar.getByRole("status")).toHaveText("1 of 4")
  await expect(feed.getByText("A needle on top.")).toBeInViewport()
  // The call that returned the child's answer.
  await desk.keyboard.press("Enter")
  await expect(bar.getByRole("status")).toHaveText("2 of 4")
  await desk.keyboard.press("Enter")
  await expect(desk).toHaveURL(/\/c\/ses_\w+\?part=prt_/)
  await expect(feed.getByText("First needle below.")).toBeInViewport()
  await expect(field).toBeFocused()
  await desk.keyboard.press("Enter")
  await expect(bar.getByRole("status")).toHaveText("4 of 4")
  await expect(feed.getByText("Second needle below.")).toBeInViewport()
  await desk.keyboard.press("Shift+Enter")
  await expect(bar.getByRole("status")).toHaveText("3 of 4")
  await expect(feed.getByText("First needle below.")).toBeInViewport()
  await expect(field).toBeFocused()
  await desk.keyboard.press("Escape")
  await expect(desk).toHaveURL(new RegExp(`/s/${rootID}$`))
  await expect(end).toBeInViewport()
  await expect(bar).toHaveCount(0)

  await desk.keyboard.press("g")
  await desk.keyboard.press("f")
  const everything = desk.getByRole("searchbox", { name: "Search everything" })
  await expect(everything).toBeFocused()
  await desk.getByRole("button", { name: "needl", exact: true }).press("Enter")
  await expect(everything).toHaveValue("needl")
  const group = desk.getByRole("region", { name: "Look everywhere" })
  await expect(group.getByRole("listitem")).toHaveCount(4)
  await desk.getByRole("button", { name: "Prompts" }).press("Enter")
  await expect(everything).toHaveValue("kind:prompt needl")
  await expect(desk.getByText(/^Nothing fits/)).toBeVisible()
  await everything.fill("needle agent:general cost:much")
  await expect(desk.getByText(/^“cost:much” does not count/)).toBeVisible()
  await expect(group.getByRole("listitem")).toHaveCount(2)
  await desk.getByRole("button", { name: "Remove the filter cost:much" }).press("Enter")
  await expect(everything).toHaveValue("needle agent:general ")
  await expect(desk).toHaveURL(/\/search\?q=needle%20agent%3Ageneral$/)
  await group.getByRole("link", { name: /First needle below/ }).press("Enter")
  await expect(feed.getByText("First needle below.")).toBeInViewport()

  const rail = desk.getByRole("searchbox", { name: "Search sessions" })
  await rail.fill("needle on top")
  await rail.press("Enter")
  await expect(desk).toHaveURL(/\/search\?q=needle%20on%20top$/)
  await expect(group.getByRole("listitem")).toHaveCount(1)
})
