import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { readOptions } from "./command-line.js"
import { parseOptions } from "./options.ts"

it("the current directory opens locally, but not for a team", () => {
  const data = mkdtempSync(path.join(tmpdir(), "docket-options-"))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const opened = (...args: string[]) => parseOptions(["--data", data, ...args], "/srv/projects").projects
  expect(opened()).toEqual(["/srv/projects"])
  writeFileSync(path.join(data, "team.json"), JSON.stringify({ url: "https://docket.example.org" }))
  expect(opened()).toEqual([])
  expect(opened("--project", "shop")).toEqual(["/srv/projects/shop"])
})

it.each([
  [[], { DOCKET_DATA: "/var/lib/docket" }, "/var/lib/docket"],
  [["--data", "other"], { DOCKET_DATA: "/var/lib/docket" }, "/srv/other"],
  [[], { DOCKET_DATA: "" }, path.join(homedir(), ".docket")],
])("the options %j and the environment %j choose the data directory", (args, env, data) => {
  expect(readOptions(args, "/srv", "docket serve", env).data).toBe(data)
})
