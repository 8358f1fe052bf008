import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { parseOptions } from "./options.ts"

it("opens the directory where one person starts it, and none for a team that names none", () => {
  const data = mkdtempSync(path.join(tmpdir(), "docket-options-"))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const opened = (...args: string[]) => parseOptions(["--data", data, ...args], "/srv/projects").projects
  expect(opened()).toEqual(["/srv/projects"])
  writeFileSync(path.join(data, "team.json"), JSON.stringify({ url: "https://docket.example.org" }))
  expect(opened()).toEqual([])
  expect(opened("--project", "shop")).toEqual(["/srv/projects/shop"])
})
