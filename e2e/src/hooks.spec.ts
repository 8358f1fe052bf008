import { findViolationsInLightAndDark } from "./fixtures/find-violations.ts"
import { createProject } from "./fixtures/project.ts"
import { test as base, begin, expect } from "./fixtures/test.ts"
import { trustProject } from "./fixtures/trust-project.ts"

const reason = "Secrets are not written into files."

/** A hook in Claude Code's form, with its script. */
const settings = {
  hooks: {
    PreToolUse: [
      {
        matcher: "Edit|Write",
        hooks: [{ type: "command", command: 'sh "$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh"' }],
      },
    ],
  },
}
const guard = `input=$(cat)
case "$input" in *hunter2*) echo "${reason}" >&2; exit 2;; esac
echo "$input" | sed 's/.*"file_path":"\\([^"]*\\)\\/draft.md".*/\\1/' | {
  read -r directory
  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"file_path":"'"$directory"'/notes.md","content":"checked"}}}'
}
`

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern
  project: async ({}, use) => {
    const project = await createProject()
    await project.write(".claude/settings.json", JSON.stringify(settings, null, 2))
    await project.write(".claude/hooks/guard.sh", guard)
    await use(project)
    await project.remove()
  },
})
test.use({ config: { permission: "allow" } })

test("cards say what a project's hook changed and blocked, once trusted", async ({
  client,
  desk,
  model,
  project,
  projectID,
  server,
}) => {
  model.script({
    "Write the notes": [
      {
        calls: [
          { tool: "write", args: { filePath: "draft.md", content: "draft" } },
          { tool: "write", args: { filePath: "login.txt", content: "hunter2" } },
        ],
      },
      { text: "Written." },
    ],
  })
  await desk.goto(`${server.url}/settings/extensions`)
  const hooks = desk.getByRole("list", { name: "Hooks" })
  await expect(hooks).toContainText("Waits for trust")
  await trustProject(client, projectID)
  await desk.reload()
  await expect(hooks).toContainText("Starts when needed")

  await desk.goto(server.url)
  await begin(desk, "Write the notes")
  await expect(desk.getByText("Written.")).toBeVisible()
  await expect(desk.getByText("arguments changed by hook .claude/settings.json")).toBeVisible()
  await expect(desk.getByText("blocked by hook .claude/settings.json", { exact: true })).toBeVisible()
  await expect(desk.getByText(`Blocked by hook .claude/settings.json: ${reason}`)).toBeVisible()
  expect(await project.read("notes.md")).toBe("checked")
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
  }

  await desk.setViewportSize({ width: 1440, height: 844 })
  await desk.goto(`${server.url}/settings/extensions`)
  await expect(hooks).toContainText("2 calls in 7 days")
  await hooks
    .getByRole("button", { name: /settings\.json/ })
    .first()
    .click()
  await expect(hooks).toContainText("in the sandbox")
  for (const width of [1440, 390]) {
    await desk.setViewportSize({ width, height: 844 })
    expect(await findViolationsInLightAndDark(desk)).toEqual([])
  }
  await desk.getByRole("button", { name: "Switch off .claude/settings.json" }).click()
  await expect(hooks).toContainText("Switched off")
})
