import { expect, it } from "vitest"
import { CommentSentError, DocketError } from "../ground/error/docket-error.ts"
import type { ReviewComment, ReviewSending, Session, Task } from "../ground/schema/index.ts"
import type { CommentChange, Mutation, Store } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import {
  assistantMessage,
  childOf,
  comment,
  draft,
  newId,
  putSessions,
  root,
  task,
  textPart,
  thread,
  userMessage,
  verdict,
  viewed,
} from "./rows.ts"

const by = { person: "ann", workspace: "local" }

async function commit(store: Store, session: Session, ...mutations: Mutation[]) {
  return store.write.commit([{ rootID: session.rootID, mutations }])
}

function sending(session: Session, fields: Partial<ReviewSending> = {}): ReviewSending {
  return { id: newId("part"), to: "child", sessionID: session.id, messageID: null, by, at: 5, ...fields }
}

/** A tree with one comment. */
async function withComment(store: Store): Promise<{ session: Session; said: ReviewComment }> {
  const session = await putSessions(store, root())
  const talk = thread(session)
  const said = comment(talk)
  await commit(store, session, { kind: "thread", value: talk }, { kind: "comment", value: said })
  return { session, said }
}

const ended = (at: number): Pick<Task, "state" | "time"> => ({
  state: "completed",
  time: { created: 1, started: 1, ended: at },
})

export function reviewContract(open: OpenStore): void {
  it("review rows join the tree's sequence, so returning readers receive them", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const child = await putSessions(store, childOf(session))
    const work = task(child, 1)
    const talk = thread(child, { taskID: work.id })
    const rows = { said: comment(talk), judged: verdict(work), seen: viewed(work) }
    const changes = await commit(
      store,
      session,
      { kind: "task", value: work },
      { kind: "thread", value: talk },
      { kind: "comment", value: rows.said },
      { kind: "verdict", value: rows.judged },
      { kind: "viewed", value: rows.seen },
    )
    expect(changes.map(({ kind, seq }) => [kind, seq])).toEqual([
      ["task", 3],
      ["thread", 4],
      ["comment", 5],
      ["verdict", 6],
      ["viewed", 7],
    ])
    expect(await store.feed.changesSince(session.id, 3, 9)).toEqual(changes.slice(1))
    expect(await store.review.tree(session.id)).toEqual({
      threads: [talk],
      comments: [rows.said],
      verdicts: [rows.judged],
      viewed: [rows.seen],
    })
    expect(await store.review.thread(talk.id)).toEqual(talk)
    expect(await store.review.comment(rows.said.id)).toEqual(rows.said)
    expect(await store.review.verdict(rows.judged.id)).toEqual(rows.judged)
    expect(await store.review.thread(newId("reviewThread"))).toBeNull()
    const resolved = { ...talk, resolved: { by, at: 7 } }
    await commit(store, session, { kind: "thread", value: resolved })
    expect(await store.feed.changesSince(session.id, 7, 9)).toEqual([
      { rootID: session.id, seq: 8, kind: "thread", value: resolved },
    ])
  })

  it("keeps an existing comment when stored again and applies changes in order", async () => {
    const store = await open()
    const { session, said } = await withComment(store)
    const change = (change: CommentChange): Mutation => ({ kind: "comment.change", commentID: said.id, change })
    await commit(
      store,
      session,
      change({ kind: "edited", text: "why @bo?", mentions: ["bo"], at: 7 }),
      { kind: "comment", value: said },
      { kind: "thread", value: thread(session) },
    )
    const edited = { ...said, text: "why @bo?", mentions: ["bo"], time: { ...said.time, edited: 7 } }
    expect(await store.review.comment(said.id)).toEqual(edited)
    await commit(
      store,
      session,
      change({ kind: "deleted", at: 8 }),
      change({ kind: "edited", text: "x", mentions: [], at: 9 }),
    )
    const deleted = { ...edited, text: "", mentions: [], time: { ...edited.time, deleted: 8 } }
    expect(await store.review.comment(said.id)).toEqual(deleted)
  })

  it("ignores changes to a missing comment and stores the rest", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const talk = thread(session)
    const read: CommentChange = { kind: "read", sendingID: "x", messageID: newId("message") }
    const changes = await commit(
      store,
      session,
      { kind: "comment.change", commentID: newId("reviewComment"), change: read },
      { kind: "thread", value: talk },
    )
    expect(changes).toEqual([{ rootID: session.id, seq: 3, kind: "thread", value: talk }])
    expect(await store.feed.changesSince(session.id, 1, 9)).toEqual(changes)
  })

  it("only one of several sendings succeeds; the others store nothing", async () => {
    const store = await open()
    const { session, said } = await withComment(store)
    const send = (sent: ReviewSending, instead: string | null) =>
      commit(
        store,
        session,
        { kind: "thread", value: thread(session) },
        { kind: "comment.change", commentID: said.id, change: { kind: "sent", sent, instead } },
      )
    const sendings = Array.from({ length: 4 }, () => sending(session))
    const outcomes = await Promise.allSettled(sendings.map((sent) => send(sent, null)))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(CommentSentError)
    const first = sendings.find((_, index) => outcomes[index]?.status === "fulfilled")
    expect((await store.review.comment(said.id))?.sent).toEqual(first)
    expect((await store.review.tree(session.id)).threads).toHaveLength(2)
    const replacement = sending(session)
    await send(replacement, first?.id ?? "")
    expect((await store.review.comment(said.id))?.sent).toEqual(replacement)
    const gone: Mutation = { kind: "comment.change", commentID: said.id, change: { kind: "deleted", at: 9 } }
    await commit(store, session, gone)
    await expect(send(sending(session), replacement.id)).rejects.toThrow(CommentSentError)
  })

  it("finds comments read but unanswered and ignores changes of another sending", async () => {
    const store = await open()
    const { session, said } = await withComment(store)
    const sent = sending(session)
    const change = (change: CommentChange) =>
      commit(store, session, { kind: "comment.change", commentID: said.id, change })
    const [question, answer] = [newId("message"), newId("message")]
    await change({ kind: "sent", sent, instead: null })
    await change({ kind: "answered", messageID: answer })
    expect(await store.review.unanswered(session.id)).toEqual([])
    await change({ kind: "read", sendingID: "another", messageID: question })
    expect(await store.review.unanswered(session.id)).toEqual([])
    await change({ kind: "read", sendingID: sent.id, messageID: question })
    expect((await store.review.unanswered(session.id)).map(({ id, sent }) => [id, sent?.messageID])).toEqual([
      [said.id, question],
    ])
    await change({ kind: "answered", messageID: answer })
    expect(await store.review.unanswered(session.id)).toEqual([])
    await change({ kind: "answered", messageID: newId("message") })
    expect((await store.review.comment(said.id))?.answer).toEqual({ messageID: answer })
  })

  it("counts the parts after a mark, without step bookkeeping", async () => {
    const store = await open()
    const [session, other] = [root(), root()]
    await putSessions(store, session)
    await putSessions(store, other)
    const [first, second] = [userMessage(session), assistantMessage(session)]
    const parts = [textPart(first), textPart(second), textPart(second)]
    const step = { ...textPart(second), type: "step-start" as const }
    const elsewhere = userMessage(other)
    const mutations = [first, second].map((value): Mutation => ({ kind: "message", value }))
    mutations.push(...[...parts, step].map((value): Mutation => ({ kind: "part", value })))
    await commit(store, session, ...mutations)
    await commit(store, other, { kind: "message", value: elsewhere }, { kind: "part", value: textPart(elsewhere) })
    const at = (index: number) => {
      const { id: partID, messageID } = parts[index] ?? textPart(first)
      return { messageID, partID }
    }
    const mark = (key: string, last: ReturnType<typeof at> | null) => ({ key, sessionID: session.id, last })
    expect(await store.review.newParts([mark("all", null), mark("one", at(0)), mark("two", at(1))])).toEqual({
      all: 3,
      one: 2,
      two: 1,
    })
    expect(await store.review.newParts([mark("none", at(2))])).toEqual({})
    expect(await store.review.newParts([])).toEqual({})
  })

  it("lists ended tasks without a verdict, latest end first, in pages", async () => {
    const store = await open()
    const session = root()
    const [kept, archived] = [childOf(session), childOf(session, { time: { created: 1, updated: 1, archived: 2 } })]
    await putSessions(store, session, kept, archived)
    const tasks = [10, 30, 20, 20].map((at, index) => task(kept, index + 1, ended(at)))
    const others = [task(kept, 5), task(archived, 6, ended(50))]
    await commit(store, session, ...[...tasks, ...others].map((value): Mutation => ({ kind: "task", value })))
    const pages = async (person: string) => {
      const found: number[][] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await store.review.unjudged({ person, limit: 3, cursor })
        found.push(page.items.map(({ number }) => number))
        cursor = page.cursor
      }
      return found
    }
    expect(await pages("ann")).toEqual([[2, 3, 4], [1]])
    const [first, second] = tasks.map((of) => verdict(of))
    if (!first || !second) throw new Error("there are four")
    await commit(store, session, { kind: "verdict", value: first }, { kind: "verdict", value: second })
    expect(await pages("ann")).toEqual([[3, 4]])
    expect(await pages("bo")).toEqual([[2, 3, 4], [1]])
    await commit(store, session, { kind: "verdict", value: { ...second, time: { created: 1_000, withdrawn: 9 } } })
    expect(await pages("ann")).toEqual([[2, 3, 4]])
  })

  it("keeps the drafts of each person, without any event", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const other = await putSessions(store, root())
    const mine = draft(session)
    const [hers, elsewhere] = [draft(session, { by: { ...by, person: "bo" } }), draft(other)]
    for (const value of [hers, mine, elsewhere]) await store.review.putDraft(value)
    const longer = { ...mine, text: "not yet said, but soon" }
    await store.review.putDraft(longer)
    expect(await store.review.drafts("ann", session.id)).toEqual([longer])
    expect(await store.review.drafts("bo", session.id)).toEqual([hers])
    expect(await store.review.draft(hers.id)).toEqual(hers)
    expect(await store.feed.changesSince(session.id, 1, 9)).toEqual([])
    await store.review.removeDrafts([mine.id, newId("reviewComment")])
    expect(await store.review.drafts("ann", session.id)).toEqual([])
    await expect(store.review.putDraft(draft(childOf(session)))).rejects.toThrow(DocketError)
  })

  it("refuses review rows of unknown sessions and removes them with a session", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    await putSessions(store, session, child)
    await expect(commit(store, session, { kind: "thread", value: thread(childOf(session)) })).rejects.toThrow(
      DocketError,
    )
    const work = task(child, 1)
    const talk = thread(child)
    const said = comment(talk)
    const unsaid = draft(child)
    await commit(
      store,
      session,
      { kind: "task", value: work },
      { kind: "thread", value: talk },
      { kind: "comment", value: said },
      { kind: "verdict", value: verdict(work) },
      { kind: "viewed", value: viewed(work) },
    )
    await store.review.putDraft(unsaid)
    await commit(store, session, { kind: "session.remove", sessionID: child.id })
    expect(await store.review.tree(session.id)).toEqual({ threads: [], comments: [], verdicts: [], viewed: [] })
    expect([await store.review.comment(said.id), await store.review.draft(unsaid.id)]).toEqual([null, null])
    expect((await store.feed.changesSince(session.id, 2, 9)).map(({ kind }) => kind)).toEqual(["session.removed"])
  })

  it("returns messages and parts by id, and leaves out missing ones", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [first, second] = [userMessage(session), userMessage(session)]
    const part = textPart(first)
    await commit(
      store,
      session,
      { kind: "message", value: first },
      { kind: "message", value: second },
      { kind: "part", value: part },
    )
    const ids = { messageIDs: [first.id, newId("message")], partIDs: [part.id, part.id, newId("part")] }
    expect(await store.transcript.named(ids)).toEqual({ messages: [first], parts: [part] })
    expect(await store.transcript.named({ messageIDs: [], partIDs: [] })).toEqual({ messages: [], parts: [] })
  })
}
