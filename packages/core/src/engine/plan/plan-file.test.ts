import { expect, it } from "vitest"
import { newPlanFile } from "./plan-file.ts"

const at = Date.UTC(2026, 10, 23, 3, 25, 14)
const file = (text: string, id = "ses_fe5dfd89edf4zzzzshzmwhDqs4") =>
  newPlanFile({
    session: { id, title: "New session" },
    project: { git: true, worktree: "/work" },
    parts: [{ type: "text", text }],
    at,
    planRoot: "/data/plans",
  })

it("a plan's name has its time and purpose, unique per session", async () => {
  expect(await file("Add a login page!\nWith care")).toBe(".docket/plans/2026-11-23-032514-add-a-login-page-whdqs4.md")
  expect(await file("Add a login page!", "ses_0other1")).toBe(
    ".docket/plans/2026-11-23-032514-add-a-login-page-other1.md",
  )
})

it("path and wildcard characters in a plan's name become dashes", async () => {
  expect(await file("../../etc/*?[a]{b}\u202e$(rm)")).toMatch(/^\.docket\/plans\/[a-z0-9-]+\.md$/)
  expect(await file("日本語だけ")).toContain("-plan-")
})
