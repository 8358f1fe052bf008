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
    sandboxFor: () => sandbox as Sandbox,
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

test("configured containers name their image, and mode off does not count", async () => {
  const on = { state: "on", reason: null, remedy: null } as const
  const sandbox: Pick<Sandbox, "state"> = { state: async () => on }
  const service = createSandboxService({
    sandboxFor: ({ executor }) => (executor === "docker" ? (sandbox as Sandbox) : null),
    scope: () => "local",
    isShared: false,
    env: {},
    ownConfig: async () => ({
      sandbox: { mode: "off", executor: "docker", docker: { image: "own:1" } },
      providerVariables: [],
    }),
  })
  expect(await service.state()).toEqual({ ...on, image: "own:1" })
})
