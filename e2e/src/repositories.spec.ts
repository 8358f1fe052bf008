import { allowTestServer, type GitServer, startGitServer } from "@docket/config/git-server"
import { findViolations } from "./fixtures/find-violations.ts"
import { test as base, expect } from "./fixtures/test.ts"

const test = base.extend<{ git: GitServer }>({
  config: [{ permission: "allow", ...allowTestServer }, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  git: async ({}, use) => {
    await using git = await startGitServer({ "a.txt": "one\n" })
    git.tokens = new Set(["ghs_secretOfTheTest"])
    await use(git)
  },
})

test("a repository is opened with a token; a refused branch is shown", async ({ desk, git, model }) => {
  model.script({
    "Write b": [{ calls: [{ tool: "write", args: { filePath: "b.txt", content: "two\n" } }] }, { text: "Written." }],
    Again: [{ calls: [{ tool: "write", args: { filePath: "b.txt", content: "three\n" } }] }, { text: "Again." }],
  })
  await desk.getByRole("button", { name: "Open project" }).first().click()
  const dialog = desk.getByRole("dialog")
  await dialog.getByText("A repository").click()
  await dialog.getByRole("textbox", { name: "Address for HTTPS" }).fill(git.url)
  await dialog.getByRole("button", { name: "Add" }).click()
  await expect(dialog.getByText(/did not accept the sign-in/)).toBeVisible()
  await dialog.getByRole("combobox", { name: "Signs in with" }).click()
  await desk.getByRole("option", { name: "Another token…" }).click()
  await dialog.getByLabel("Token", { exact: true }).fill("ghs_secretOfTheTest")
  expect(await findViolations(desk)).toEqual([])
  await dialog.getByRole("button", { name: "Add" }).click()
  await expect(dialog).toHaveCount(0)
  const prompt = desk.getByRole("textbox", { name: "Prompt" })
  await prompt.fill("Write b")
  await desk.keyboard.press("Enter")
  await desk.waitForURL(/\/s\/ses_/)
  const sessionID = /ses_\w+/.exec(desk.url())?.[0]
  await expect(desk.getByRole("feed").getByText("Written.")).toBeVisible()
  await git.until(() => git.has(`refs/heads/docket/${sessionID}`))
  await git.hook("update", 'case "$1" in refs/heads/*) echo "branches are closed" >&2; exit 1;; esac')
  await prompt.fill("Again")
  await desk.keyboard.press("Enter")
  await expect(desk.getByRole("status").getByText(/refused the branch .*branches are closed/)).toBeVisible()
})
