import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { readOptions } from "./command-line.js"
import { parseOptions } from "./options.ts"

const shared = {
  DATABASE_URL: "postgres://docket@localhost/docket",
  DOCKET_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
}

it("the current directory opens locally, but not for a team", () => {
  const data = mkdtempSync(path.join(tmpdir(), "docket-options-"))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const opened = (...args: string[]) => parseOptions(["--data", data, ...args], "/srv/projects").projects
  expect(opened()).toEqual(["/srv/projects"])
  writeFileSync(path.join(data, "team.json"), JSON.stringify({ url: "https://docket.example.org" }))
  expect(opened()).toEqual([])
  expect(opened("--project", "shop")).toEqual(["/srv/projects/shop"])
})

it("connection options are taken where the database may know a team", () => {
  const args = ["--data", "/nowhere", "--host", "0.0.0.0", "--trust-proxy", "10.0.0.7"]
  expect(readOptions(args, "/srv", "docket serve", shared)).toMatchObject({ projects: ["/srv"], byDefault: true })
  expect(() => readOptions(args, "/srv", "docket serve", { ...shared, DOCKET_SECRET_KEY: "" })).toThrow(
    "Without accounts",
  )
})

it.each([
  [[], { DOCKET_DATA: "/var/lib/docket" }, "/var/lib/docket"],
  [["--data", "other"], { DOCKET_DATA: "/var/lib/docket" }, "/srv/other"],
  [[], { DOCKET_DATA: "" }, path.join(homedir(), ".docket")],
])("the options %j and the environment %j choose the data directory", (args, env, data) => {
  expect(readOptions(args, "/srv", "docket serve", env).data).toBe(data)
})

it("a node has a role; only a worker has directories", () => {
  const node = (...args: string[]) => readOptions(args, "/srv", "docket serve", shared)
  expect(node("--role", "web")).toMatchObject({ node: { role: "web", storage: null }, projects: [], web: true })
  const worker = node("--role", "worker", "--storage", "team", "--project", "shop")
  expect(worker).toMatchObject({ node: { role: "worker", storage: "team" }, projects: ["/srv/shop"], web: false })
  expect(node("--role", "all").node).toBeUndefined()
})

it.each([
  [["--role", "boss"], shared, '--role must be all, web or worker, not "boss"'],
  [["--role", "web"], { ...shared, DATABASE_URL: "" }, "--role web needs DATABASE_URL"],
  [["--role", "worker"], { DATABASE_URL: shared.DATABASE_URL }, "--role worker needs DOCKET_SECRET_KEY"],
  [["--role", "worker"], { ...shared, DOCKET_SECRET_KEY: "short" }, "DOCKET_SECRET_KEY has to be 32 bytes in base64"],
  [["--role", "web", "--project", "shop"], shared, "a web node has no directories"],
  [["--role", "web", "--storage", "team"], shared, "--storage is for --role worker"],
  [["--role", "worker", "--storage", "Our team"], shared, "--storage takes small letters"],
])("the options %j of a node are refused", (args, env, message) => {
  expect(() => readOptions(args, "/srv", "docket serve", env)).toThrow(message)
})
