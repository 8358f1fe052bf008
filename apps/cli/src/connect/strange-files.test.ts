import { execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, test } from "vitest"
import { findLiveServer } from "./live-server.ts"
import { readToken } from "./read-token.ts"

test("reading a token or lock file never blocks on a pipe", async () => {
  const data = await mkdtemp(path.join(tmpdir(), "docket-pipes-"))
  execFileSync("mkfifo", [path.join(data, "token"), path.join(data, "lock.json")])
  await expect(readToken(path.join(data, "token"))).rejects.toThrow("is a pipe, not a regular file")
  expect(await findLiveServer(data)).toBeNull()
  await rm(data, { recursive: true })
})
