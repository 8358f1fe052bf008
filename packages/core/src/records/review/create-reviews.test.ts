import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { ReviewPlace, TextPart } from "../../ground/schema/index.ts"
import type { CallerServices } from "../../runtime/caller-services.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

const task = (prompt: string, more: object = {}) => ({
  tool: "task",
  input: { description: prompt, prompt, subagent_type: "general", ...more },
})

/** A root that delegates `write a.txt` once when asked to start, and again with `go on <child>`. */
const script: Script = (options) => {
  const prompt = lastUserText(options).split("\n").at(-1) ?? ""
  const isFirst = toolResults(options).length === 0
  if (prompt === "write a.txt" && isFirst) {
    return answer("I write it.", { tool: "write", input: { filePath: "a.txt", content: "one\ntwo\nthree\n" } })
  }
  if (prompt === "Start" && isFirst) return answer("", task("write a.txt"))
  const child = /^go on (\w+)/.exec(prompt)?.[1]
  if (child !== undefined && isFirst) return answer("", task("look again", { task_id: child }))
  return answer("Done.")
}

async function setUp() {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-review-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const config = { permission: "allow", delegation: { envelope: false } }
  const host = await scriptedRuntime(script, { directory, config, titles: false })
  await host.prompt("Start")
  const [work] = await host.runtime.task.list(host.session.id)
  if (work === undefined) throw new Error("the root delegates one task")
  const as = (person: string): CallerServices => host.servicesOf({ person, workspace: "local" })
  const overview = async (person = "ann") => {
    const { tasks } = await as(person).review.overview(host.session.id)
    return tasks.find(({ taskID }) => taskID === work.id)
  }
  const texts = async (sessionID: string): Promise<TextPart[]> =>
    (await host.messages(sessionID)).items.flatMap(({ parts }) => parts.filter((part) => part.type === "text"))
  return { host, directory, work, as, ann: as("ann").review, bo: as("bo").review, overview, texts }
}

test("a comment on a range stores its quote; invalid ranges are refused", async () => {
  const { host, work, ann, texts } = await setUp()
  await using _ = host
  const [, said] = await texts(work.sessionID)
  if (said === undefined) throw new Error("the child says something")
  const place = (from: number, to: number): ReviewPlace => {
    return { kind: "text", messageID: said.messageID, partID: said.id, of: "text", from, to }
  }
  const { thread, comments } = await ann.createThread(work.sessionID, place(2, 7), "why **you**, @bo?")
  expect(thread).toMatchObject({ taskID: work.id, anchor: { quote: "write", before: "I ", after: " it." } })
  expect(comments[0]).toMatchObject({ text: "why **you**, @bo?", mentions: ["bo"], by: { person: "ann" } })
  for (const [from, to] of [
    [2, 2],
    [5, 2],
    [0, 12],
  ] as const) {
    await expect(ann.createThread(work.sessionID, place(from, to), "x")).rejects.toThrow("is not within the 11 char")
  }
  await expect(ann.createThread(host.session.id, place(0, 1), "x")).rejects.toMatchObject({ code: "message_not_found" })
  expect(host.events.filter(({ type }) => type.startsWith("review.")).map(({ type }) => type)).toEqual([
    "review.thread.updated",
    "review.comment.updated",
  ])
  expect(await ann.threads(host.session.id)).toEqual([{ thread, comments, anchor: { state: "there" } }])
  expect(await ann.threads(host.session.id, { only: true })).toEqual([])
})

test("a comment on diff lines stores them; lines not shown are refused", async () => {
  const { host, work, ann } = await setUp()
  await using _ = host
  const scope = { kind: "task", taskID: work.id } as const
  const place = (from: number, to: number): ReviewPlace => {
    return { kind: "diff", scope, path: "a.txt", side: "new", from, to }
  }
  const { thread } = await ann.createThread(work.sessionID, place(2, 3), "wrong words")
  expect(thread).toMatchObject({ taskID: work.id, anchor: { kind: "diff", quote: "two\nthree" } })
  await expect(ann.createThread(work.sessionID, place(3, 4), "x")).rejects.toThrow("does not show lines 3 to 4")
  const old: ReviewPlace = { kind: "diff", scope, path: "a.txt", side: "old", from: 1, to: 1 }
  await expect(ann.createThread(work.sessionID, old, "x")).rejects.toThrow("of its old side")
  const other: ReviewPlace = { ...old, path: "b.txt" }
  await expect(ann.createThread(work.sessionID, other, "x")).rejects.toThrow("There is no diff of b.txt")
})

test("a comment on diff lines is gone while the changes are undone", async () => {
  const { host, work, ann } = await setUp()
  await using _ = host
  const { prompts } = await host.runtime.changes.list(host.session.id)
  const promptID = prompts[0]?.id ?? ""
  const lines = { kind: "diff", path: "a.txt", side: "new", from: 2, to: 3 } as const
  await ann.createThread(work.sessionID, { ...lines, scope: { kind: "task", taskID: work.id } }, "why?")
  await ann.createThread(host.session.id, { ...lines, scope: { kind: "turn", promptID } }, "why, all of you?")
  const states = async () => (await ann.threads(host.session.id)).map(({ anchor }) => anchor.state)
  expect(await states()).toEqual(["there", "there"])
  await host.runtime.session.revert(host.session.id, promptID)
  expect(await states()).toEqual(["gone", "gone"])
  await host.runtime.session.unrevert(host.session.id)
  expect(await states()).toEqual(["there", "there"])
})

test("a comment on undone text keeps its quote without a place", async () => {
  const { host, ann, texts } = await setUp()
  await using _ = host
  const [prompt] = await texts(host.session.id)
  if (prompt === undefined) throw new Error("there is a prompt")
  const { messageID, id: partID } = prompt
  await ann.createThread(
    host.session.id,
    { kind: "text", messageID, partID, of: "text", from: 0, to: 5 },
    "start of what?",
  )
  await host.runtime.session.revert(host.session.id, messageID)
  expect(await ann.threads(host.session.id)).toMatchObject([
    { anchor: { state: "gone" }, thread: { anchor: { quote: "Start" } } },
  ])
  await host.runtime.session.unrevert(host.session.id)
  expect(await ann.threads(host.session.id)).toMatchObject([{ anchor: { state: "there" } }])
})

test("only its author changes a comment; anybody resolves a thread", async () => {
  const { host, work, ann, bo } = await setUp()
  await using _ = host
  const { thread, comments } = await ann.createThread(work.sessionID, { kind: "session" }, "too short")
  const [first] = comments
  if (first === undefined) throw new Error("a thread begins with a comment")
  await expect(bo.editComment(first.id, "fine")).rejects.toThrow("Only its author")
  await expect(bo.deleteComment(first.id)).rejects.toThrow("Only its author")
  expect(await ann.editComment(first.id, "too short, @bo")).toMatchObject({ text: "too short, @bo", mentions: ["bo"] })
  const reply = await bo.reply(thread.id, "it is fine")
  expect(await ann.deleteComment(first.id)).toMatchObject({ text: "", mentions: [] })
  await expect(ann.editComment(first.id, "once more")).rejects.toThrow("deleted. Write what you want to say as a new")
  expect(await bo.resolve(thread.id, true)).toMatchObject({ resolved: { by: { person: "bo" } } })
  expect(await ann.threads(host.session.id)).toMatchObject([{ comments: [{ text: "" }, { id: reply.id }] }])
  expect((await ann.resolve(thread.id, false)).resolved).toBeNull()
  await expect(ann.reply(thread.id, "x".repeat(1_048_576))).rejects.toMatchObject({ code: "invalid_input" })
})

test("a draft is visible only to its author until posted once", async () => {
  const { host, work, ann, bo } = await setUp()
  await using _ = host
  const { thread } = await bo.createThread(work.sessionID, { kind: "session" }, "well?")
  const begun = await ann.saveDraft({
    place: { sessionID: work.sessionID, place: { kind: "session" } },
    text: "secret th",
  })
  const saved = await ann.saveDraft({ draftID: begun.id, text: "secret thought" })
  const answered = await ann.saveDraft({ place: { threadID: thread.id }, text: "secret answer" })
  expect(await ann.drafts(host.session.id)).toEqual([saved, answered])
  expect(await bo.drafts(host.session.id)).toEqual([])
  await expect(bo.saveDraft({ draftID: begun.id, text: "mine now" })).rejects.toMatchObject({
    code: "comment_not_found",
  })
  await expect(bo.discardDraft(begun.id)).rejects.toMatchObject({ code: "comment_not_found" })
  await expect(bo.postDrafts(host.session.id, [begun.id])).rejects.toMatchObject({ code: "comment_not_found" })
  expect(JSON.stringify([host.events, await bo.threads(host.session.id)])).not.toContain("secret")
  const posted = await ann.postDrafts(host.session.id)
  expect(posted.map(({ id, text }) => [id, text])).toEqual([
    [saved.id, "secret thought"],
    [answered.id, "secret answer"],
  ])
  expect(await ann.drafts(host.session.id)).toEqual([])
  // As if the process had ended before it deleted the drafts.
  await host.store.review.putDraft(saved)
  expect(await ann.drafts(host.session.id)).toEqual([])
  expect(await ann.postDrafts(host.session.id, [saved.id])).toEqual([])
  const said = (await bo.threads(host.session.id)).flatMap(({ comments }) => comments.map(({ text }) => text))
  expect(said.sort()).toEqual(["secret answer", "secret thought", "well?"])
})

test("each person has one draft per place, and overwritten text is returned", async () => {
  const { host, work, ann, bo } = await setUp()
  await using _ = host
  const place = { sessionID: work.sessionID, place: { kind: "session" } } as const
  const first = await ann.saveDraft({ place, text: "in one tab" })
  expect(first).not.toHaveProperty("replaced")
  const other = await ann.saveDraft({ place, text: "in another" })
  expect(other).toMatchObject({ id: first.id, replaced: "in one tab" })
  const late = await ann.saveDraft({ draftID: first.id, text: "in one tab still", since: first.time.updated })
  expect(late).toMatchObject({ text: "in one tab still", replaced: "in another" })
  const known = await ann.saveDraft({ draftID: first.id, text: "and on", since: late.time.updated })
  expect(known).not.toHaveProperty("replaced")
  expect((await bo.saveDraft({ place, text: "mine" })).id).not.toBe(first.id)
  expect(await ann.drafts(host.session.id)).toMatchObject([{ text: "and on" }])
})

test("a draft posted twice after a lost answer makes one comment", async () => {
  const { host, work, ann, bo } = await setUp()
  await using _ = host
  const place = { sessionID: work.sessionID, place: { kind: "session" } } as const
  const { id } = await ann.saveDraft({ place, text: "once" })
  expect(await ann.postDrafts(host.session.id, [id])).toHaveLength(1)
  expect(await ann.postDrafts(host.session.id, [id])).toEqual([])
  await expect(bo.postDrafts(host.session.id, [id])).rejects.toMatchObject({ code: "comment_not_found" })
  expect(await ann.threads(host.session.id)).toHaveLength(1)
})

test("a verdict becomes stale when the child continues", async () => {
  const { host, work, ann, bo, overview } = await setUp()
  await using _ = host
  expect(await overview()).toMatchObject({ mark: "none", verdicts: [], viewed: null })
  await ann.giveVerdict(work.id, "approve", "fine")
  await bo.giveVerdict(work.id, "needs_changes", "too short")
  expect(await overview()).toMatchObject({ mark: "needs_changes", verdicts: [{ fresh: true }, { fresh: true }] })
  await bo.giveVerdict(work.id, "approve", "after all")
  expect(await overview()).toMatchObject({ mark: "approved" })
  await host.prompt(`go on ${work.sessionID}`)
  expect(await overview()).toMatchObject({
    mark: "stale",
    verdicts: [
      { fresh: false, newParts: 2 },
      { fresh: false, newParts: 2 },
    ],
  })
  await bo.giveVerdict(work.id, "reject", "")
  expect(await overview()).toMatchObject({ mark: "rejected" })
  await bo.withdrawVerdict(work.id)
  expect(await overview()).toMatchObject({ mark: "stale", verdicts: [{ verdict: { by: { person: "ann" } } }] })
  await expect(bo.withdrawVerdict(work.id)).rejects.toMatchObject({ code: "verdict_not_found" })
  expect((await ann.verdicts(work.id)).map(({ verdict }) => verdict)).toEqual([
    "approve",
    "needs_changes",
    "approve",
    "reject",
  ])
})

test("a verdict is stale while a file differs from the judged version", async () => {
  const { host, directory, work, ann, overview } = await setUp()
  await using _ = host
  await ann.giveVerdict(work.id, "approve", "")
  await writeFile(join(directory, "other.txt"), "not of the task\n")
  expect(await overview()).toMatchObject({ mark: "approved" })
  await writeFile(join(directory, "a.txt"), "one\ntwo\n")
  expect(await overview()).toMatchObject({ mark: "stale" })
  await writeFile(join(directory, "a.txt"), "one\ntwo\nthree\n")
  expect(await overview()).toMatchObject({ mark: "approved" })
})

test("viewed marks count new parts for each person separately", async () => {
  const { host, work, ann, overview } = await setUp()
  await using _ = host
  await ann.setViewed(work.id, true)
  const looked = (await overview())?.viewed
  expect(looked).toMatchObject({ newParts: 0, changed: false, last: { partID: expect.stringMatching(/^prt_/) } })
  expect(await overview("bo")).toMatchObject({ viewed: null })
  await host.prompt(`go on ${work.sessionID}`)
  expect(await overview()).toMatchObject({ viewed: { newParts: 2, changed: false, last: looked?.last } })
  await ann.setViewed(work.id, true)
  expect(await overview()).toMatchObject({ viewed: { newParts: 0 } })
  await ann.setViewed(work.id, false)
  expect(await overview()).toMatchObject({ viewed: null })
})

test("a verdict on an outdated view is stale at once", async () => {
  const { host, work, ann, overview, texts } = await setUp()
  await using _ = host
  const seen = (await texts(work.sessionID)).at(-1)?.id
  const [foreign] = await texts(host.session.id)
  await host.prompt(`go on ${work.sessionID}`)
  await ann.giveVerdict(work.id, "approve", "", seen)
  expect(await overview()).toMatchObject({ mark: "stale" })
  await ann.setViewed(work.id, true, seen)
  expect(await overview()).toMatchObject({ viewed: { newParts: 2 } })
  await ann.giveVerdict(work.id, "approve", "", (await texts(work.sessionID)).at(-1)?.id)
  expect(await overview()).toMatchObject({ mark: "approved" })
  await expect(ann.giveVerdict(work.id, "approve", "", foreign?.id)).rejects.toThrow("no part")
})

test("the delegating agent receives each person's newest verdict once", async () => {
  const { host, work, ann, bo, texts } = await setUp()
  await using _ = host
  const told = async (prompt: string) => {
    const before = (await texts(host.session.id)).length
    await host.prompt(prompt)
    const said = (await texts(host.session.id)).slice(before).map(({ text }) => text)
    return said.flatMap((text) => text.split("\n").filter((line) => line.startsWith("- task #1")))
  }
  const line = (words: string) => expect.stringMatching(new RegExp(`: ${words}$`))
  await ann.giveVerdict(work.id, "approve", "fine")
  await ann.giveVerdict(work.id, "reject", "not at all")
  await bo.giveVerdict(work.id, "approve", "")
  await ann.giveVerdict(work.id, "needs_changes", "names")
  expect(await told("Go on")).toEqual([line("approved"), line("needs changes. names")])
  expect(await told("Go on")).toEqual([])
  await bo.giveVerdict(work.id, "reject", "")
  await bo.withdrawVerdict(work.id)
  expect(await told("Go on")).toEqual([line("the verdict was withdrawn")])
})

test("a verdict withdrawn before the agent reads it is not delivered", async () => {
  const { host, work, ann } = await setUp()
  await using _ = host
  await ann.giveVerdict(work.id, "approve", "")
  expect((await host.runtime.session.get(host.session.id)).notes).toHaveLength(1)
  await ann.withdrawVerdict(work.id)
  expect((await host.runtime.session.get(host.session.id)).notes).toEqual([])
})

test("simultaneous verdicts and comments of two people are all stored", async () => {
  const { host, work, ann, bo, overview } = await setUp()
  await using _ = host
  await Promise.all([
    ann.giveVerdict(work.id, "approve", ""),
    bo.giveVerdict(work.id, "reject", "no"),
    ann.createThread(work.sessionID, { kind: "session" }, "a"),
    bo.createThread(work.sessionID, { kind: "session" }, "b"),
  ])
  expect(await overview()).toMatchObject({ mark: "rejected", threads: { open: 2, resolved: 0 } })
  expect((await overview())?.verdicts).toHaveLength(2)
})

test("the inbox lists ended tasks until their reader gives a verdict", async () => {
  const { host, work, ann, bo } = await setUp()
  await using _ = host
  await host.prompt(`go on ${work.sessionID}`)
  const { items, cursor } = await ann.inbox({ limit: 1 })
  expect(items).toMatchObject([{ task: { number: 2 }, title: expect.any(String) }])
  expect((await ann.inbox({ cursor: cursor ?? "" })).items).toMatchObject([{ task: { id: work.id } }])
  await ann.giveVerdict(work.id, "approve", "")
  expect((await ann.inbox({})).items.map(({ task }) => task.number)).toEqual([2])
  expect((await bo.inbox({})).items.map(({ task }) => task.number)).toEqual([2, 1])
  await expect(ann.inbox({ cursor: "x" })).rejects.toMatchObject({ code: "invalid_input" })
})

test("an overview needs the same number of reads for many verdicts", async () => {
  const { host, work, ann } = await setUp()
  await using _ = host
  const calls: string[] = []
  const counted = (name: "review" | "transcript" | "task" | "session") => {
    for (const [method, run] of Object.entries(host.store[name])) {
      const spy = (...args: unknown[]) => {
        calls.push(`${name}.${method}`)
        return Reflect.apply(run, host.store[name], args)
      }
      Object.assign(host.store[name], { [method]: spy })
    }
  }
  for (const name of ["review", "transcript", "task", "session"] as const) counted(name)
  const asked = async () => {
    calls.length = 0
    await ann.overview(host.session.id)
    return calls.length
  }
  const few = await asked()
  for (let person = 0; person < 5; person++) {
    const { review } = host.servicesOf({ person: `p${person}`, workspace: "local" })
    await review.giveVerdict(work.id, "approve", "")
    await review.createThread(work.sessionID, { kind: "session" }, "x")
  }
  expect(await asked()).toBe(few)
})
