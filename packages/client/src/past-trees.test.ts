import { stopsOf } from "@docket/core/replay"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createDocketClient } from "./create-docket-client.ts"
import { createLiveTrees } from "./live-trees.ts"
import { createPastTrees } from "./past-trees.ts"
import { type LiveService, startLiveService } from "./test/live-service.ts"
import type { TreeStore } from "./tree-store.ts"

let service: LiveService
beforeEach(async () => {
  service = await startLiveService({ words: 5 })
})
afterEach(() => service.close())

const until = (store: TreeStore, isSo: () => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (isSo()) resolve()
    }
    store.subscribe(look)
    look()
  })

it("past trees show a moment of the live tree, which stays unchanged", async () => {
  const { runtime, session } = service
  for (const text of ["First", "Second"]) {
    const turn = await runtime.session.promptAsync({ sessionID: session.id, parts: [{ type: "text", text }] })
    await runtime.session.wait({ turnID: turn.id })
  }
  const live = createLiveTrees(createDocketClient(service))
  const store = live.tree(session.id)
  await store.open(session.id)
  const past = await runtime.session.past({ sessionID: session.id })
  const { tree } = store.get()
  if (tree === null) throw new Error("the tree is loaded")
  const end = stopsOf(tree, past).at(-1)?.at ?? 0
  const prompts = past.moments.filter(({ kind }) => kind === "prompt")
  expect(prompts).toHaveLength(2)

  const trees = createPastTrees(live, past, end)
  const then = trees.tree(session.id)
  expect(trees.tree(session.id)).toBe(then)
  const texts = () =>
    (then.get().tree?.transcripts[session.id]?.messages ?? []).flatMap(({ info, parts }) =>
      info.role === "user" ? parts.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
    )
  expect(then.get().tree).toBe(tree)
  const first = prompts[0]?.at ?? 0
  const moved = until(then, () => texts().join() === "First")
  trees.seek(first)
  await moved
  expect(then.get()).toBe(then.get())
  expect(then.get().tree?.sessions[session.id]).toMatchObject({ cost: 0, status: { type: "busy" } })
  expect(then.get().tree?.todos[session.id] ?? []).toEqual([])
  trees.seek(end)
  expect(texts()).toEqual(["First", "Second"])
  expect(store.get().tree).toBe(tree)
  store.close()
})
