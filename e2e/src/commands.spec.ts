import { begin, expect, send, sessionOf, test } from "./fixtures/test.ts"
import { trustProject } from "./fixtures/trust-project.ts"

test.use({ shared: true, config: { agent: { explore: { permission: { bash: "ask" } } } } })

const release = `---
description: Say what a release would hold
argument-hint: <tag>
agent: explore
subtask: true
---
Tell of $1, whose files are:
!\`git tag $1 && ls README.md\``

test("a project's command is found by keys, approved and sent", {
  tag: "@journey",
}, async ({ desk, model, project, client, projectID }) => {
  await project.write(".docket/commands/team/release.md", release)
  await project.write(".claude/commands/note.md", "Note this: $ARGUMENTS (@README.md)")
  await trustProject(client, projectID)
  model.script({
    // The task is the first step of this turn, so the first answer is never asked for.
    "/team/release": [{ text: "Not asked for." }, { text: "The release holds a greeter." }],
    "Tell of v1": [{ text: "It holds a greeter." }],
    "Note this: milk": [{ text: "Noted." }],
  })
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  await begin(desk, "/note milk and bread")
  await expect(desk.getByText("Noted.")).toBeVisible()

  // The command is found by some of its letters, then its argument is given.
  await prompt.fill("/tmrl")
  const option = desk.getByRole("listbox", { name: "Commands" }).getByRole("option")
  await expect(option).toHaveText(/team\/release<tag>Say what a release would holdproject/)
  await desk.keyboard.press("Enter")
  await expect(prompt).toHaveValue("/team/release ")
  await expect(prompt).toHaveAccessibleDescription(/\/team\/release <tag>/)
  await desk.keyboard.press("Enter")
  await expect(desk.getByText("Write it as /team/release <tag>")).toBeVisible()
  await expect(prompt).toHaveValue("/team/release ")

  await prompt.fill("/team/release v1")
  await desk.keyboard.press("Enter")
  const card = desk.getByRole("region", { name: /wants to run a command/ })
  await expect(card.getByText("git tag 'v1' && ls README.md", { exact: true })).toBeVisible()
  await expect(card.getByText("The command /team/release wants it for its prompt")).toBeVisible()
  await card.getByRole("button", { name: "Allow once" }).click()
  await expect(desk.getByText("The release holds a greeter.")).toBeVisible()
  expect(await project.read(".git/refs/tags/v1")).toMatch(/^[0-9a-f]{40}\n$/)
  expect(JSON.stringify(model.requests)).toContain("whose files are:\\nREADME.md")
  const { tasks } = await client.session.tree.query({ sessionID: sessionOf(desk) })
  expect(tasks).toMatchObject([{ agent: "explore", state: "completed", description: "Say what a release would hold" }])

  // A prompt of the session itself shows what the command expanded to.
  await send(desk, "/note milk, and `!`rm -r .`")
  await expect(desk.getByText("Noted.")).toHaveCount(2)
  const row = desk.getByRole("feed").getByRole("article", { name: /\/note milk, and/ })
  await row.getByText("What it sent").click()
  await expect(row.getByText("(@README.md)", { exact: false }).last()).toBeVisible()
  await send(desk, "/nothing of the kind")
  await expect(desk.getByText("There is no command", { exact: false })).toBeVisible()
  await expect(prompt).toHaveValue("/nothing of the kind")
})
