import { expect, it } from "vitest"
import type { OpenStore } from "./make-store.ts"
import { childOf, newId, putSessions, root } from "./rows.ts"
import { project } from "./transfer-contract.ts"

export function treeContract(open: OpenStore): void {
  it("a tree takes the place of its project and keeps it", async () => {
    const store = await open()
    const there = { ...project, place: "storage:team" }
    await store.project.put(there)
    const session = await putSessions(store, root({ projectID: there.id }))
    await store.project.put({ ...there, place: "any" })
    await putSessions(store, session, childOf(session))
    expect(await store.tree.place(session.id)).toEqual({ place: "storage:team", holder: "" })
    const later = await putSessions(store, root({ projectID: there.id }))
    expect(await store.tree.place(later.id)).toEqual({ place: "any", holder: "" })
  })

  it("a tree of a project without place has none", async () => {
    const store = await open()
    await store.project.put(project)
    const [known, unknown] = [root({ projectID: project.id }), root()]
    for (const session of [known, unknown]) {
      await putSessions(store, session)
      expect(await store.tree.place(session.id)).toEqual({ place: "", holder: "" })
    }
  })

  it("a tree is held by the last node that took it", async () => {
    const store = await open()
    const [first, second] = [newId("node"), newId("node")]
    const { id } = await putSessions(store, root())
    expect([await store.tree.hold(id, first), await store.tree.hold(id, second)]).toEqual([true, true])
    expect(await store.tree.letGo(id, first)).toBe(false)
    expect(await store.tree.place(id)).toEqual({ place: "", holder: second })
    expect(await store.tree.letGo(id, second)).toBe(true)
    expect(await store.tree.place(id)).toEqual({ place: "", holder: "" })
    expect(await store.feed.head(id)).toBe(1)
  })

  it("a removed tree has no place and no holder", async () => {
    const store = await open()
    const { id } = await putSessions(store, root())
    const holder = newId("node")
    await store.tree.hold(id, holder)
    await store.write.commit([{ rootID: id, mutations: [{ kind: "session.remove", sessionID: id }] }])
    for (const gone of [id, newId("session")]) {
      expect(await store.tree.place(gone)).toBeNull()
      expect([await store.tree.hold(gone, holder), await store.tree.letGo(gone, holder)]).toEqual([false, false])
    }
  })

  it("a tree whose first commit failed has no place", async () => {
    const store = await open()
    const session = root()
    const orphan = childOf({ ...session, id: newId("session") })
    const mutations = [session, orphan].map((value) => ({ kind: "session" as const, value }))
    await expect(store.write.commit([{ rootID: session.id, mutations }])).rejects.toThrow()
    expect(await store.tree.place(session.id)).toBeNull()
  })
}
