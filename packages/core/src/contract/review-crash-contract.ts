import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { points } from "@docket/config/sampling"
import { expect, onTestFinished, test, vi } from "vitest"
import { isDocketError } from "../ground/error/docket-error.ts"
import type { Notice } from "../ground/schema/index.ts"
import { isEnded } from "../ground/store/task-ends.ts"
import { answer, lastUserText, type Script, type ScriptedRuntime, scriptedRuntime } from "../test/scripted-runtime.ts"
import type { MakeCrashable } from "./crash-contract.ts"
import { dyingStore } from "./dying-store.ts"

const script: Script = (options) => {
  const isFirst = options.prompt.every(({ role }) => role !== "assistant")
  if (lastUserText(options) !== "Start" || !isFirst) return answer("Done.")
  return answer("", { tool: "task", input: { description: "dig", prompt: "dig", subagent_type: "general" } })
}
const config = { permission: "allow", delegation: { envelope: false } }
const ann = { person: "ann", workspace: "local" }

/**
 * Declares a test in which a process dies between two writes of a review: a verdict, and comments that are edited,
 * deleted, resolved, posted and sent. Another process continues: at each `every`th write, at all writes with `pnpm
 * test:full`.
 */
export function reviewCrashContract(name: string, open: MakeCrashable, { every }: { every: number }): void {
  test(`a crash during a review loses no comment and repeats none: ${name}`, async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "docket-review-crash-")))
    onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))
    for (const kept of points(every)) {
      const directory = join(root, String(kept))
      await mkdir(directory)
      if (await crashAndRestart(open, directory, kept)) return
    }
  })
}

/** Crashes after `kept` writes. Returns whether the review was complete before. */
async function crashAndRestart(open: MakeCrashable, directory: string, kept: number): Promise<boolean> {
  const { store, crash, dispose } = await open()
  try {
    const first = dyingStore(store, () => {})
    const host = await scriptedRuntime(script, { store: first.store, directory, config, titles: false })
    await host.prompt("Start")
    await settled(host)
    const said = await prepareComments(host)
    first.dieAfter(kept)
    const finished = runReview(host, said).then(() => true)
    finished.catch(() => {})
    const survived = await Promise.race([finished, first.dead.then(() => false)])
    if (survived) await Promise.race([host.runtime.close(), first.dead])
    const storeAfter = await crash()
    await using next = await scriptedRuntime(script, { store: storeAfter, directory, config, session: host.session })
    await settled(next)
    await expectOnce(next, said, `after ${kept} writes`)
    return survived
  } finally {
    await dispose()
  }
}

interface Said {
  sessionID: string
  taskID: string
  /** A thread with a comment that will be edited, and one that will be deleted. */
  talk: { threadID: string; edited: string; deleted: string }
  commentID: string
  draftID: string
}

/** Creates posted comments and a draft. */
async function prepareComments({ runtime, servicesOf, session }: ScriptedRuntime): Promise<Said> {
  const { review } = servicesOf(ann)
  const [task] = await runtime.task.list(session.id)
  if (task === undefined) throw new Error("the root delegates one task")
  const { sessionID } = task
  const { comments } = await review.createThread(sessionID, { kind: "session" }, "said")
  const talk = await review.createThread(sessionID, { kind: "session" }, "ask @bo")
  const reply = await review.reply(talk.thread.id, "oops @bo")
  const draft = await review.saveDraft({ place: { sessionID, place: { kind: "session" } }, text: "to say" })
  return {
    sessionID,
    taskID: task.id,
    talk: { threadID: talk.thread.id, edited: talk.comments[0]?.id ?? "", deleted: reply.id },
    commentID: comments[0]?.id ?? "",
    draftID: draft.id,
  }
}

async function runReview(host: ScriptedRuntime, said: Said): Promise<void> {
  const { sessionID, taskID, commentID, draftID } = said
  const { review } = host.servicesOf(ann)
  await changeComments(host, said)
  await review.giveVerdict(taskID, "needs_changes", "too short")
  await review.send({ sessionID, to: "child", commentIDs: [commentID], draftIDs: [draftID] })
  await settled(host)
}

/** Edits and deletes comments and resolves their thread. Repeating it changes nothing more. */
async function changeComments(host: ScriptedRuntime, { talk }: Said): Promise<void> {
  const { review } = host.servicesOf(ann)
  await review.editComment(talk.edited, "ask @cy")
  await review.deleteComment(talk.deleted)
  await review.resolve(talk.threadID, true)
}

/** Checks that each change is stored completely or not at all, in order. */
async function expectTalk(host: ScriptedRuntime, { talk }: Said, when: string): Promise<void> {
  const { comments, threads } = await host.store.review.tree(host.session.id)
  const edited = comments.find(({ id }) => id === talk.edited)
  const deleted = comments.find(({ id }) => id === talk.deleted)
  const thread = threads.find(({ id }) => id === talk.threadID)
  const isEdited = edited?.time.edited != null
  const isDeleted = deleted?.time.deleted != null
  expect(edited, when).toMatchObject(
    isEdited ? { text: "ask @cy", mentions: ["cy"] } : { text: "ask @bo", mentions: ["bo"] },
  )
  expect(deleted, when).toMatchObject(isDeleted ? { text: "", mentions: [] } : { text: "oops @bo", mentions: ["bo"] })
  const done = [isEdited, isDeleted, thread?.resolved != null]
  expect(done, when).toEqual(done.toSorted((a, b) => Number(b) - Number(a)))
}

async function settled({ runtime, session }: ScriptedRuntime): Promise<void> {
  await vi.waitFor(
    async () => {
      const { turns, tasks, seq } = await runtime.session.tree(session.id)
      expect(turns).toEqual([])
      expect(tasks.filter((task) => !isEnded(task) || (task.mode === "background" && task.delivered === "no"))).toEqual(
        [],
      )
      expect((await runtime.session.tree(session.id)).seq).toBe(seq)
    },
    { timeout: 30_000, interval: 10 },
  )
}

async function expectOnce(host: ScriptedRuntime, said: Said, when: string): Promise<void> {
  const { sessionID, taskID, commentID, draftID } = said
  const { review } = host.servicesOf(ann)
  await expectTalk(host, said, when)
  await changeComments(host, said)
  await expectTalk(host, said, when)
  const { verdicts } = await host.store.review.tree(host.session.id)
  const told = (await notices(host, host.session.id)).filter(({ verdicts }) => verdicts.length > 0)
  const waiting = (await host.runtime.session.get(host.session.id)).notes ?? []
  const ofVerdicts = waiting.filter(({ notice }) => notice?.kind === "review" && notice.verdicts.length > 0)
  expect(told.length + ofVerdicts.length, when).toBe(verdicts.filter((verdict) => verdict.taskID === taskID).length)

  // The draft is either a draft or a comment, never both and never neither.
  const drafts = await review.drafts(host.session.id)
  const posted = await host.store.review.comment(draftID)
  expect(
    drafts.map(({ id }) => id),
    when,
  ).toEqual(posted === null ? [draftID] : [])

  await sendAgain(host, said)
  await settled(host)
  for (const id of [commentID, draftID]) {
    const comment = await host.store.review.comment(id)
    expect(comment?.sent?.messageID, `${id} ${when}`).toBeTruthy()
    const messages = (await notices(host, sessionID)).filter(({ comments }) => comments.some((it) => it.id === id))
    expect(
      messages.map(({ sendingID }) => sendingID),
      `${id} ${when}`,
    ).toEqual([comment?.sent?.id])
  }
  expect(host.errors, when).toEqual([])
}

/** Sends comments that were not sent, or sent but not read; for comments that were read, sending is refused. */
async function sendAgain(host: ScriptedRuntime, { sessionID, commentID, draftID }: Said): Promise<void> {
  const { review } = host.servicesOf(ann)
  const isPosted = (await host.store.review.comment(draftID)) !== null
  const ids = isPosted ? { commentIDs: [commentID, draftID] } : { commentIDs: [commentID], draftIDs: [draftID] }
  await review.send({ sessionID, to: "child", ...ids }).catch((error) => {
    if (!isDocketError(error) || error.code !== "comment_sent") throw error
  })
}

async function notices(host: ScriptedRuntime, sessionID: string): Promise<Extract<Notice, { kind: "review" }>[]> {
  const { items } = await host.messages(sessionID)
  return items.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" && part.notice?.kind === "review" ? [part.notice] : [])),
  )
}
