import type { DocketClient } from "@docket/client"
import type { Locator, Page } from "@playwright/test"
import { selectText } from "./fixtures/select-text.ts"
import { begin, expect, loaded, sessionOf, test } from "./fixtures/test.ts"

test.use({ shared: true, config: { agent: { general: { review: "required" } } } })

const task = (description: string, prompt: string, subagent_type: string) => ({
  tool: "task",
  args: { description, prompt, subagent_type },
})

const edit = (from: string, to: string) => ({
  tool: "edit",
  args: { filePath: "src/greeting.js", oldString: from, newString: to },
})
const [plain, joined, listed] = [
  "return 'Hello, ' + name + '!'",
  "return ['Hello', name].join(', ')",
  "const words = ['Hello', name]\n  return words.join(', ')",
] as const

const script = {
  "Tidy the greeting": [
    { calls: [task("Find the callers", "List them", "explore"), task("Join the words", "Change it", "general")] },
    { text: "Both are done." },
  ],
  "List them": [{ text: "There are two, and one lonely quokka." }],
  "Change it": [
    { calls: [{ tool: "read", args: { filePath: "src/greeting.js" } }] },
    { calls: [edit(plain, joined)] },
    // Longer than the screen, with the words at its top.
    { text: `They are **joined now**, by a comma.\n\n${Array.from({ length: 60 }, () => "More of it.").join("\n\n")}` },
  ],
  "Which of them?": [{ calls: [edit(joined, listed)] }, { text: "The words, and they have a name." }],
}

/** Presses a page shortcut, when no text field has focus. */
async function pressOnPage(desk: Page, key: string): Promise<void> {
  await expect(desk.locator("textarea:focus, input:focus")).toHaveCount(0)
  await desk.keyboard.press(key)
}

/** Opens the review desk from the session. */
async function openDesk(desk: Page): Promise<void> {
  await desk.keyboard.press("ControlOrMeta+k")
  await expect(desk.getByRole("textbox", { name: "Command palette" })).toBeFocused()
  await desk.keyboard.type("Review its tasks")
  await expect(desk.getByRole("dialog").getByRole("button").first()).toHaveText(/Review its tasks/)
  await desk.keyboard.press("Enter")
  await desk.waitForURL(/\/review\/.*[?&]task=/)
}

/** Types into the open comment, waits until the draft is saved, and leaves the field. */
async function writeDraft(draft: Locator, text: string): Promise<void> {
  await expect(draft.getByLabel("Comment", { exact: true })).toBeFocused()
  await draft.page().keyboard.type(text)
  await expect(draft.getByText("Draft · kept")).toBeVisible()
  await draft.page().keyboard.press("Tab")
}

/** Waits until the verdict on the second task is stored: the page shows it before. */
async function verdictStored(client: DocketClient, rootID: string, status: string): Promise<void> {
  const [, second] = await client.task.list.query({ sessionID: rootID })
  const statusNow = async () => {
    const { tasks } = await client.review.overview.query({ sessionID: rootID })
    return tasks.find(({ taskID }) => taskID === second?.id)?.mark
  }
  await expect.poll(statusNow).toBe(status)
}

test("a reviewer comments, sends, reads answers, approves and replays by keyboard", {
  tag: "@journey",
}, async ({ desk, model, client }) => {
  test.slow()
  model.script(script)
  await begin(desk, "Tidy the greeting")
  const rootID = sessionOf(desk)
  const expectAwaitingReview = async () => {
    const states = (await client.task.list.query({ sessionID: rootID })).map(({ state }) => state)
    expect(states).toEqual(["completed", "awaiting_review"])
  }
  await expect(expectAwaitingReview).toPass()
  await openDesk(desk)

  // The desk opens at the task whose parent waits.
  const tree = desk.getByRole("tree", { name: "Tasks to review" })
  const row = tree.getByRole("treeitem", { name: /Join the words/ })
  const feed = desk.getByRole("feed")
  const bar = desk.getByRole("region", { name: "Verdict on task 2" })
  const panel = desk.getByRole("region", { name: "Comments" })
  await expect(desk.getByRole("heading", { level: 1, name: "#2 Join the words" })).toBeVisible()
  await expect(desk.getByText("0 of 2 reviewed")).toBeVisible()
  await expect(row.getByText("Its parent waits for this review")).toBeVisible()
  const words = feed.locator("strong", { hasText: "joined now" })
  await expect(words).toBeAttached()

  await selectText(desk, "joined now")
  await pressOnPage(desk, "c")
  await writeDraft(panel.getByRole("article", { name: "Draft: These words" }), "Which of them?")
  await pressOnPage(desk, "d")
  const diffs = desk.getByRole("region", { name: "Diffs" })
  await expect(diffs.getByText(".join(").first()).toBeVisible()
  await diffs.getByRole("button", { name: "Comment on lines…" }).press("Enter")
  await diffs.getByRole("button", { name: "Comment", exact: true }).press("Enter")
  await writeDraft(panel.getByRole("article", { name: /^Draft: src\/greeting\.js, line \d+/ }), "Give it a name.")

  await pressOnPage(desk, "x")
  await expect(bar.getByRole("textbox", { name: "Why task 2: needs changes" })).toBeFocused()
  await desk.keyboard.type("It reads badly")
  await desk.keyboard.press("Enter")
  await expect(bar.getByRole("list", { name: "Verdicts" })).toContainText("It reads badly")
  await expect(row.getByRole("img", { name: "Needs changes" })).toBeVisible()
  await expect(desk.getByText("1 of 2 reviewed")).toBeVisible()
  await verdictStored(client, rootID, "needs_changes")

  await bar.getByRole("button", { name: "Send 2 comments to @general" }).press("Enter")
  const sending = desk.getByRole("dialog", { name: "Send 2 comments to @general" })
  await expect(sending).toContainText("Give it a name.")
  await expect(sending.getByRole("button", { name: "Send", exact: true })).toBeFocused()
  await desk.keyboard.press("Enter")
  await expect(sending).toHaveCount(0)

  // The child continues, which makes the verdict stale, and its answer is linked to both comments.
  await expect(row.getByRole("img", { name: "Stale verdict" })).toBeVisible()
  await expect(panel.getByText("Sent to @general · read · answered")).toHaveCount(2)
  await expect(desk.getByText(/^Verdicts are stale since \d+ new parts?\./)).toBeVisible()
  await expect(desk.getByText("0 of 2 reviewed")).toBeVisible()
  await expect(row.getByText("Its parent waits for this review")).toBeVisible()
  const onLine = panel.getByRole("article", { name: /^Thread: src\/greeting\.js/ })
  await onLine.getByRole("button", { name: "Go to the answer" }).press("Enter")
  await expect(feed.getByText("they have a name")).toBeInViewport()
  const onWords = panel.getByRole("article", { name: "Thread: These words" })
  await onWords.getByRole("button", { name: "These words" }).press("Enter")
  await expect(words).toBeInViewport()

  // Parts that arrive after its answer would make the verdict stale.
  await expect(expectAwaitingReview).toPass()
  await pressOnPage(desk, "Shift+A")
  await expect(bar.getByRole("textbox", { name: "Why task 2: approve" })).toBeFocused()
  await desk.keyboard.type("Much better")
  await desk.keyboard.press("Enter")
  await expect(row.getByRole("img", { name: "Approved" })).toBeVisible()
  await expect(bar.getByRole("list", { name: "Verdicts" })).toContainText("Much better")
  await verdictStored(client, rootID, "approved")
  await pressOnPage(desk, "h")
  await expect(feed.getByText("Both are done.")).toBeVisible()

  await replay(desk, rootID)
  await findWord(desk, rootID)
})

/**
 * Replays from the desk: moves to the time of the first prompt and back; the address of that time leads there again.
 */
async function replay(desk: Page, rootID: string): Promise<void> {
  const feed = desk.getByRole("feed")
  await desk.getByRole("button", { name: "Replay" }).press("Enter")
  const slider = desk.getByRole("slider", { name: "Time of the session" })
  await expect(slider).toBeVisible()
  // The link back names the session; the heading names the page.
  await expect(desk.getByRole("heading", { level: 1 })).toHaveText("Replay")
  await expect(desk.getByText(/of 2 reviewed/)).toHaveCount(0)
  await slider.press("Home")
  await expect(desk).toHaveURL(/[?&]at=\d+/)
  await expect(feed.getByText("Both are done.")).toHaveCount(0)
  await desk.getByRole("button", { name: "10×, ten times as fast" }).press("Enter")
  await desk.keyboard.press("p")
  await expect(feed.getByText("Both are done.")).toBeVisible()
  await expect(desk.getByRole("button", { name: "Play", exact: true })).toBeVisible()

  await slider.press("Home")
  await desk.getByRole("button", { name: "Events, from one to the next" }).press("Enter")
  await desk.keyboard.press("p")
  await expect(feed.getByText("Tidy the greeting", { exact: true })).toBeVisible()
  await desk.keyboard.press("p")
  await expect(desk.getByRole("button", { name: "Play", exact: true })).toBeVisible()
  await expect(feed.getByText("Both are done.")).toHaveCount(0)
  // The address contains the time when the user stops moving.
  const moment = (await desk.getByRole("region", { name: "Replay" }).locator("time").getAttribute("datetime")) ?? ""
  await expect(desk).toHaveURL(new RegExp(`[?&]at=${Date.parse(moment)}`))

  for (const address of [desk.url(), `/s/${rootID}${new URL(desk.url()).search}`]) {
    await desk.goto(new URL(address, desk.url()).href)
    await expect(desk.getByRole("region", { name: "Replay" }).locator("time")).toHaveAttribute("datetime", moment)
    await expect(feed.getByText("Tidy the greeting", { exact: true })).toBeVisible()
    await expect(feed.getByText("Both are done.")).toHaveCount(0)
  }
  await pressOnPage(desk, "Escape")
  await expect(feed.getByText("Both are done.")).toBeVisible()
  await expect(desk).toHaveURL(new RegExp(`/s/${rootID}`))
}

/** Finds a word that only a child has written. */
async function findWord(desk: Page, rootID: string): Promise<void> {
  await loaded(desk)
  await pressOnPage(desk, "/")
  const find = desk.getByRole("search", { name: "Find in this session" })
  await expect(find.getByRole("searchbox")).toBeFocused()
  await desk.keyboard.type("lonely quokk")
  await expect(find.getByRole("status")).toHaveText("2 rows")
  // First the call that returned the child's answer, then the child's own text.
  await desk.keyboard.press("Enter")
  await expect(find.getByRole("status")).toHaveText("1 of 2")
  await desk.keyboard.press("Enter")
  await expect(find.getByRole("status")).toHaveText("2 of 2")
  await expect(desk).toHaveURL(new RegExp(`/s/${rootID}/c/ses_\\w+\\?part=prt_`))
  await expect(desk.getByRole("feed").getByText("one lonely quokka")).toBeInViewport()
}
