import { expect, loaded, test } from "./fixtures/test.ts"
import { followTree } from "./fixtures/tree-log.ts"

test.use({ shared: true })

/** Selects words of the transcript, as a reader does by hand. */
function selecting(words: string): string {
  return `(() => {
    const walker = document.createTreeWalker(document.querySelector("[role=feed]"), NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.data.indexOf(${JSON.stringify(words)})
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + ${words.length})
      getSelection().removeAllRanges()
      getSelection().addRange(range)
      return true
    }
    return false
  })()`
}

test("a comment on words is a draft that outlives a reload, and one on lines of a diff is posted to its thread", async ({
  desk,
  client,
  model,
  server,
  projectID,
}) => {
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
  const childID = child?.id ?? ""

  await desk.goto(`${server.url}/s/${rootID}/c/${childID}`)
  await loaded(desk)
  const panel = desk.getByRole("region", { name: "Comments" })
  const answer = desk.getByRole("article").filter({ hasText: "three names" })
  await expect(answer.getByRole("button", { name: "Comment on this answer" })).toBeAttached()
  expect(await desk.evaluate(selecting("three names"))).toBe(true)
  await expect(desk.getByRole("button", { name: "Comment", exact: true })).toBeVisible()
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
  await files.getByRole("button", { name: "Comment on lines…" }).click()
  await files.getByLabel("From line").fill("2")
  await files.getByLabel("to", { exact: true }).fill("3")
  await files.getByRole("button", { name: "Comment", exact: true }).click()
  const over = desk.getByRole("dialog", { name: "names.txt, lines 2–3" })
  await expect(over.getByLabel("Comment", { exact: true })).toBeFocused()
  await desk.keyboard.type("These two too.")
  await over.getByRole("button", { name: "Post" }).click()
  await expect(over).toHaveCount(0)
  await files.getByRole("button", { name: "Close" }).click()
  await expect(files).toHaveCount(0)
  await expect(panel.getByRole("article", { name: "Thread: names.txt, lines 2–3" })).toContainText("These two too.")
})
