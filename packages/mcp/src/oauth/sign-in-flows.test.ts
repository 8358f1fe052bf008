import { memoryVault } from "@docket/core/test/memory-vault"
import { nodeTimers } from "@docket/core/timers"
import { expect, onTestFinished, test } from "vitest"
import { startSignInServer } from "../test/sign-in-server.ts"
import { createSignInFlows } from "./sign-in-flows.ts"
import { createSignInStore } from "./sign-in-store.ts"

test("only the person who began a shared sign-in ends it", async () => {
  const { url } = await startSignInServer()
  const vault = memoryVault()
  const store = createSignInStore(vault, { server: "crm", url, projectID: null, person: null })
  const target = { server: "crm", url: new URL(url), config: {}, store, fetch }
  const flows = createSignInFlows({ vault, timers: nodeTimers, clock: Date.now })
  onTestFinished(() => flows.close())
  const begun = async () => {
    const { address } = await flows.begin(target, { by: "ann", method: "browser", onDone: () => {} })
    const page = await fetch(address, { redirect: "manual" })
    return page.headers.get("location") ?? ""
  }
  await expect(flows.finish(target, "bob", await begun())).rejects.toThrow("belongs to no sign-in that waits")
  expect((await store.get()).tokens).toBeNull()
  await flows.finish(target, "ann", await begun())
  expect((await store.get()).tokens).not.toBeNull()
})
