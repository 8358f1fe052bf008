import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { freePort } from "../test/free-port.ts"
import { openNode } from "./open-node.ts"

test("a node whose database does not answer says what to check", async () => {
  const data = await mkdtemp(path.join(tmpdir(), "docket-node-"))
  onTestFinished(() => rm(data, { recursive: true }))
  const url = `postgresql://docket@127.0.0.1:${await freePort()}/docket`
  const opened = openNode({ role: "worker", storage: null }, { url, data, onError: () => {} })
  await expect(opened).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringMatching(
      /^cannot reach the PostgreSQL database: .*ECONNREFUSED.* Check that the server runs/,
    ),
  })
})
