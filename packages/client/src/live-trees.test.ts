import { expect, it } from "vitest"
import { createDocketClient } from "./create-docket-client.ts"
import { createLiveTrees } from "./live-trees.ts"
import { startLiveService } from "./test/live-service.ts"

it("lists stay live beside a session that the service refuses", async () => {
  const service = await startLiveService()
  const live = createLiveTrees(createDocketClient(service))
  const begun = Promise.withResolvers<void>()
  const told = Promise.withResolvers<string>()
  const stop = live.onItem((item) => {
    if (item === null) begun.resolve()
    if (item?.type === "session.listed") told.resolve(item.properties.item.session.title)
  })
  const missing = `ses_${"0".repeat(26)}`
  const store = live.tree(missing)
  const leave = live.keep(store)
  await store.open(missing)
  expect(store.get().error?.data?.docketCode).toBe("session_not_found")
  await begun.promise
  await service.runtime.session.update({ sessionID: service.session.id, title: "Told all the same" })
  expect(await told.promise).toBe("Told all the same")
  leave()
  stop()
  await service.close()
})

it("a child and its root share one store, even during loading", async () => {
  const service = await startLiveService({ words: 5 })
  const { id: rootID } = service.session
  const live = createLiveTrees(createDocketClient(service))
  const child = `ses_${"0".repeat(26)}`
  const ofRoot = live.tree(rootID)
  expect(live.tree(child, rootID)).toBe(ofRoot)
  expect(live.tree(child)).toBe(ofRoot)
  await ofRoot.open(rootID)
  expect(live.tree(rootID)).toBe(ofRoot)
  ofRoot.close()
  await service.close()
})
