import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const program = fileURLToPath(new URL("main.js", import.meta.url))

it("reads compiled code from the second start on", () => {
  const start = () => {
    // Node's own trace; where it lies is no part of what a caller may set here.
    const env = { ...process.env, NODE_DEBUG_NATIVE: "COMPILE_CACHE", NODE_COMPILE_CACHE: undefined }
    const { stdout, stderr, status } = spawnSync(process.execPath, [program, "--help"], { env, encoding: "utf8" })
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage: docket") })
    return stderr
  }
  start()
  expect(start()).toMatch(/V8 code cache for ESM \S*apps\/cli\/src\/docket\.ts was accepted/)
})
