import { expect, test } from "vitest"
import type { Sandbox } from "./sandbox.ts"
import { createSandboxService } from "./sandbox-service.ts"

test.each([
  ["ENOSPC: no space left on device, mkdtemp '/data/sandbox/self-test-'", "the disk with the data directory is full"],
  ["EROFS: read-only file system", "EROFS: read-only file system"],
])("a self-test that fails with %s reports the sandbox as off", async (message, reason) => {
  const sandbox: Pick<Sandbox, "state"> = { state: async () => Promise.reject(new Error(message)) }
  const service = createSandboxService({
    // Only the methods used here.
    sandbox: sandbox as Sandbox,
    scope: () => "local",
    isShared: false,
    env: {},
    ownConfig: async () => ({ sandbox: {}, providerVariables: [] }),
  })
  expect(await service.state()).toEqual({
    state: "off",
    reason: `The sandbox could not be tried: ${reason}.`,
    remedy: expect.any(String),
  })
})
