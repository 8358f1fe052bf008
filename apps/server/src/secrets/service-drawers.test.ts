import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createFileVault } from "@docket/core/vault"
import { expect, onTestFinished, test } from "vitest"
import { keptSecret } from "../auth/kept-secret.ts"
import { createLocalAuth } from "../auth/local-auth.ts"
import { serviceDrawers } from "./service-drawers.ts"

function newDirectory() {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-service-files-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const open = () => createFileVault(serviceDrawers(directory))
  return { directory, open, fileOf: (name: string) => path.join(directory, name) }
}

test("the token is created once and replaced when the file is truncated", async () => {
  const { open, fileOf } = newDirectory()
  const token = await keptSecret(open(), "token")
  expect(token.length).toBeGreaterThanOrEqual(43)
  expect(await keptSecret(open(), "token")).toBe(token)
  expect(readFileSync(fileOf("token"), "utf8")).toBe(`${token}\n`)
  expect(statSync(fileOf("token")).mode & 0o777).toBe(0o600)
  writeFileSync(fileOf("token"), "short")
  expect((await keptSecret(open(), "token")).length).toBeGreaterThanOrEqual(43)
})

test("a pipe in place of the token or login file never blocks", async () => {
  const { open, fileOf } = newDirectory()
  for (const name of ["token", "logins.json"]) execFileSync("mkfifo", [fileOf(name)])
  await expect(keptSecret(open(), "token")).rejects.toThrow("token is a pipe, not a regular file. Remove it")
  expect(await open().get("login", "x")).toBeNull()
})

test("logins survive a restart in the file of earlier versions", async () => {
  const { open, fileOf } = newDirectory()
  const own = { hash: "a", created: 1, expires: Date.now() + 60_000 }
  writeFileSync(fileOf("logins.json"), JSON.stringify([own, { hash: "old", created: 1, expires: 2 }]))
  const auth = await createLocalAuth(open())
  const login = await auth.redeemLoginCode(await auth.createLoginCode())
  const stored = JSON.parse(readFileSync(fileOf("logins.json"), "utf8"))
  expect(stored).toEqual([own, { hash: expect.any(String), created: expect.any(Number), expires: expect.any(Number) }])
  const again = await createLocalAuth(open())
  const headers = { cookie: `${again.cookieName}=${login?.secret}` }
  expect(await again.identify({ headers })).toMatchObject({ via: "login" })
})
