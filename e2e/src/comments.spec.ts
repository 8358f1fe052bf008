import type { DocketClient } from "@docket/client"
import type { Locator } from "@playwright/test"
import type { ScriptedModel } from "./fixtures/scripted-model.ts"
import { selectText } from "./fixtures/select-text.ts"
import { expect, loaded, test } from "./fixtures/test.ts"
import { followTree } from "./fixtures/tree-log.ts"

test.use({ shared: true })

/** Runs a session whose child writes a file. */
async function runSession(client: DocketClient, model: ScriptedModel, projectID: string) {
  model.script({
    "Keep a list of names": [
      {
        calls: [
          { tool: "task", args: { description: "Write names", prompt: "Put names down", subagent_type: "general" } },
        ],
      },
      { text: "It is written." },
    ],
    "Put names down": [
      { calls: [{ tool: "write", args: { filePath: "names.txt", content: "Grace\nAda\nLin\n" } }] },
      { text: "I wrote **three names** into `names.txt`, as they came." },
    ],
  })
  const { id: rootID } = await client.session.create.mutate({ projectID })
  const log = followTree(client, rootID)
  await client.session.promptAsync.mutate({
    sessionID: rootID,
    parts: [{ type: "text", text: "Keep a list of names" }],
  })
  await log.turnEnd(rootID)
  log.close()
  const [child] = await client.session.children.query({ sessionID: rootID })
  return { rootID, childID: child?.id ?? "" }
}

/** Edits a comment, resolves and reopens its thread, and deletes the comment. */
async function talk(thread: Locator, resolved: Locator): Promise<void> {
  await thread.getByRole("button", { name: "Edit" }).click()
  await expect(thread.getByLabel("Edit the comment")).toHaveValue("These two too.")
  await thread.getByLabel("Edit the comment").fill("These two as well.")
  await thread.getByRole("button", { name: "Save" }).click()
  await expect(thread).toContainText("These two as well.")
  await expect(thread).toContainText("edited")
  await thread.getByRole("button", { name: "Resolve" }).click()
  await expect(thread).toBeHidden()
  await resolved.click()
  await thread.getByRole("button", { name: "Open again" }).click()
  await expect(resolved).toHaveCount(0)
  await thread.getByRole("button", { name: "Delete" }).click()
  await thread.getByRole("button", { name: "Delete" }).click()
  await expect(thread).toContainText("This comment was deleted.")
}

test("comments on words and lines keep their quotes after an undo", {
  tag: "@journey",
}, async ({ desk, client, model, server, projectID }) => {
  const { rootID, childID } = await runSession(client, model, projectID)
  const address = `${server.url}/s/${rootID}/c/${childID}`
  await desk.goto(address)
  await loaded(desk)
  const panel = desk.getByRole("region", { name: "Comments" })
  const answer = desk.getByRole("article").filter({ hasText: "three names" })
  await expect(answer.getByRole("button", { name: "Comment on this answer" })).toBeAttached()
  await selectText(desk, "three names")
  await desk.keyboard.press("c")
  const onWords = panel.getByRole("article", { name: "Draft: These words" })
  await expect(onWords.getByText("three names")).toBeVisible()
  const field = onWords.getByLabel("Comment", { exact: true })
  await expect(field).toBeFocused()
  await field.fill("Sort them **by name**.")
  await expect(onWords.getByText("Draft · kept")).toBeVisible()

  await desk.reload()
  await loaded(desk)
  await expect(field).toHaveValue("Sort them **by name**.")
  await expect(answer.getByRole("button", { name: "1 draft on this answer" })).toBeVisible()

  await desk.getByRole("article").filter({ hasText: "names.txt" }).first().focus()
  await desk.keyboard.press("d")
  const files = desk.getByRole("dialog", { name: "Changed files" })
  // When a diff renders again with syntax colours, it forgets the hovered line.
  await expect(async () => {
    await desk.mouse.move(0, 0)
    await files.getByText("Ada").first().hover()
    await files.locator("[data-utility-button]").click({ timeout: 2_000 })
  }).toPass()
  const onOne = desk.getByRole("dialog", { name: "names.txt, line 2" })
  await expect(onOne.getByLabel("Comment", { exact: true })).toBeFocused()
  await desk.keyboard.type("@expl")
  await expect(onOne.getByRole("option", { name: /explore/ })).toBeVisible()
  await desk.keyboard.press("Enter")
  await expect(onOne.getByLabel("Comment", { exact: true })).toHaveValue("@explore ")
  await onOne.getByRole("button", { name: "Discard" }).click()
  await expect(onOne).toHaveCount(0)

  await files.getByRole("button", { name: "Comment on lines…" }).click()
  await files.getByLabel("From line").fill("2")
  await files.getByLabel("to", { exact: true }).fill("3")
  await files.getByRole("button", { name: "Comment", exact: true }).click()
  const over = desk.getByRole("dialog", { name: "names.txt, lines 2–3" })
  await expect(over.getByLabel("Comment", { exact: true })).toBeFocused()
  await desk.keyboard.type("These two too.")
  await over.getByRole("button", { name: "Post" }).click()
  await expect(over).toHaveCount(0)
  // Escape closes the overlay, but does not also leave the page.
  await desk.keyboard.press("Escape")
  await expect(files).toHaveCount(0)
  const thread = panel.getByRole("article", { name: "Thread: names.txt, lines 2–3" })
  await expect(thread).toContainText("These two too.")
  expect(desk.url()).toBe(address)
  await talk(thread, panel.getByText("1 resolved"))

  await onWords.getByRole("button", { name: "Post" }).click()
  const { items } = await client.session.messages.query({ sessionID: rootID })
  await client.session.revert.mutate({ sessionID: rootID, messageID: items[0]?.info.id ?? "" })
  const gone = panel.getByText("Its place was undone or changed. It said:")
  await expect(gone).toHaveCount(2)
  await expect(panel.getByRole("article", { name: "Thread: These words" })).toContainText("three names")
  await expect(thread).toContainText("Ada")
})

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test("words selected by touch offer a comment at the lower edge", async ({
    desk,
    client,
    model,
    server,
    projectID,
  }) => {
    const { rootID, childID } = await runSession(client, model, projectID)
    await desk.goto(`${server.url}/s/${rootID}/c/${childID}`)
    await loaded(desk)
    await expect(desk.getByRole("article").filter({ hasText: "three names" })).toBeVisible()
    await selectText(desk, "three names")
    const comment = desk.getByRole("region", { name: "Selected words" }).getByRole("button", { name: "Comment" })
    expect((await comment.boundingBox())?.y).toBeGreaterThan(700)
    await comment.tap()
    const sheet = desk.getByRole("dialog", { name: "Comments" })
    await expect(sheet.getByRole("article", { name: "Draft: These words" })).toContainText("three names")
    await expect(sheet.getByLabel("Comment", { exact: true })).toBeFocused()
  })

  test("a diff's line number opens a comment; a verdict asks why", async ({
    desk,
    client,
    model,
    server,
    projectID,
  }) => {
    const { rootID, childID } = await runSession(client, model, projectID)
    await desk.goto(`${server.url}/s/${rootID}/c/${childID}`)
    await loaded(desk)
    await desk.getByRole("radiogroup", { name: "Show" }).getByText("Files").tap()
    await desk.getByRole("dialog").getByText("names.txt").first().tap()
    const files = desk.getByRole("dialog", { name: "Changed files" })
    const about = desk.getByRole("dialog", { name: "names.txt, line 2" })
    // When a diff renders again with syntax colours, it forgets a press; an accepted press may show late.
    await expect(async () => {
      if (!(await about.isVisible())) await files.locator('[data-column-number="2"]').first().tap({ timeout: 1_000 })
      await expect(about).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await about.getByLabel("Comment", { exact: true }).fill("Who is she?")
    await about.getByRole("button", { name: "Post" }).tap()
    await expect(about).toHaveCount(0)

    await desk.goto(`${server.url}/review/${rootID}`)
    await desk.waitForURL(/[?&]task=/)
    const bar = desk.getByRole("region", { name: "Verdict on task 1" })
    await expect(bar.getByRole("button", { name: "Send 1 comment to @general" })).toBeVisible()
    await bar.getByRole("button", { name: "Needs changes" }).tap()
    const why = bar.getByRole("textbox", { name: "Why task 1: needs changes" })
    await expect(why).toBeInViewport({ ratio: 1 })
    await why.fill("Ada is named twice")
    await bar.getByRole("button", { name: "Needs changes" }).tap()
    await expect(bar.getByRole("list", { name: "Verdicts" })).toContainText("Ada is named twice")
  })
})
