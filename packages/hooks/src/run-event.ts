import { createHash } from "node:crypto"
import { realpath } from "node:fs/promises"
import { createFewAtOnce } from "@docket/core/few-at-once"
import type { HookSet } from "@docket/core/hook-sets"
import type { HookEvent, HookHandler, Session } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { ClaudeCall } from "./claude-call.ts"
import { createNameMatcher } from "./matches.ts"
import { matchesCondition } from "./matches-condition.ts"
import { type HookAnswer, readAnswer } from "./read-answer.ts"
import { type CommandRun, type HookEnd, runCommand } from "./run-command.ts"
import { runHttp } from "./run-http.ts"
import { refOf, type Scene } from "./scene.ts"
import { scriptPlace } from "./script-place.ts"
import { transcriptDirectory, transcriptFile, writeTranscript } from "./write-transcript.ts"

/** Something that happens, as hooks are told of it. */
export interface Happening {
  event: HookEvent
  /** What matchers are compared with, the name of Claude Code first; null where this event has no matchers. */
  names: readonly string[] | null
  /** The call that it is about; conditions are about calls only. */
  call: ClaudeCall | null
  /** What hooks read besides what they read of every event. */
  fields: Record<string, unknown>
  /** A hook that is not told, because what happens is what it wanted. */
  except?: HookSaid["hook"]
}

/** What one hook said. */
export interface HookSaid extends HookAnswer {
  /** Which of all hooks it was. */
  hook: string
  /** `hook .claude/settings.json` */
  by: string
  /** Why it did not do what it was to do. */
  failure: string | null
}

/** What a hook said later that nothing waited for. */
export interface LateWord {
  by: string
  text: string
  /** The agent goes on because of it. */
  wakes: boolean
}

export interface RunEventDeps {
  timers: Timers
  /** ms of a clock that only goes forward. */
  now(): number
  /** Remembers that a hook ran in a session; false when it did already. */
  isFirst(sessionID: string, hook: string): boolean
  onLate(sessionID: string, word: LateWord): void
  /** Adds a line to what a file's hooks did. */
  log(set: HookSet, scene: Scene, line: string): void
  /** Keeps work until it ends: the service's end waits for it. */
  keep(work: Promise<void>): void
  /** Room for a hook that nothing waits for, and how to leave it; null when there is none. */
  takeRoom(): (() => void) | null
  /** Aborted when the service closes. */
  closing: AbortSignal
}

/** Seconds, where a hook sets none. */
const usualSeconds: Partial<Record<HookEvent, number>> = { UserPromptSubmit: 30, SessionEnd: 5 }
const otherSeconds = 600
/** Nothing waits longer for these (seconds). */
const mostSeconds: Partial<Record<HookEvent, number>> = { UserPromptSubmit: 60, SessionEnd: 60 }
/** Hooks of one event that run at once, and that wait. */
const limits = { atOnce: 8, waiting: 100 }

/** Tells all hooks of an event, at once. Resolves with what they said, in the order of their files. */
export async function runEvent(deps: RunEventDeps, scene: Scene, happening: Happening): Promise<HookSaid[]> {
  const { event, names, call } = happening
  const { session } = scene
  const chosen = new Map<string, { set: HookSet; handler: HookHandler }>()
  const matchesName = createNameMatcher(deps.now)
  for (const set of scene.sets) {
    if (set.isHeld && !guarded.includes(event)) continue
    for (const { matcher, hooks } of set.hooks[event] ?? []) {
      if (names !== null && !matchesName(matcher, names)) continue
      for (const handler of hooks) {
        if (handler.if !== undefined && !holds(handler.if, call, session.directory)) continue
        const key = JSON.stringify([set.isOwn, handler])
        if (key !== happening.except && !chosen.has(key)) chosen.set(key, { set, handler })
      }
    }
  }
  if (chosen.size === 0) return []
  const input = JSON.stringify({ ...(await usualFields(scene)), hook_event_name: event, ...happening.fields })
  const few = createFewAtOnce(limits)
  const said = [...chosen].map(async ([key, { set, handler }]): Promise<HookSaid[]> => {
    if (handler.once && !deps.isFirst(session.id, createHash("sha256").update(`${event} ${key}`).digest("hex")))
      return []
    const by = `hook ${set.name}`
    const tooMany: HookEnd = { exit: null, stdout: "", stderr: "", failure: "too many hooks wait for the same event" }
    const run = () => runHook(deps, { scene, set, handler, event, input })
    const end = (await few(run)) ?? tooMany
    if (end.isStopped) return []
    const answer = readAnswer(end, event)
    const { failure } = end
    const said: HookSaid = { ...answer, hook: key, by, failure }
    return [failure !== null && handler.onFailure === "block" ? { ...said, block: failure } : said]
  })
  const all = (await Promise.all(said)).flat()
  for (const { by, message } of all) {
    const set = scene.sets.find(({ name }) => by === `hook ${name}`)
    if (message !== null && set !== undefined) deps.log(set, scene, message)
  }
  return all
}

function holds(rule: string, call: ClaudeCall | null, directory: string): boolean {
  return call !== null && matchesCondition(rule, call, directory)
}

/** What every hook reads. */
async function usualFields(scene: Scene): Promise<Record<string, unknown>> {
  const { session, place, transcript, agent } = scene
  const transcript_path = transcriptFile(place.dataDirectory, session)
  // Without room on the disk hooks go on with the transcript as it was.
  await writeTranscript(place.dataDirectory, session, transcript?.all() ?? null).catch(() => {})
  return {
    // Hooks of a subagent belong to the session that a person sees.
    session_id: session.rootID,
    transcript_path,
    cwd: session.directory,
    permission_mode: modeOf(session, agent),
    ...(session.parentID !== null && {
      ...{ agent_id: session.id, agent_type: agent },
      agent_transcript_path: transcript_path,
    }),
  }
}

/** The name of Claude Code's mode that is nearest to how freely the session works. */
function modeOf({ preset }: Session, agent: string): string {
  if (agent === "plan" || preset?.name === "plan") return "plan"
  return preset?.name === "edit" ? "acceptEdits" : "default"
}

interface HookRun {
  scene: Scene
  set: HookSet
  handler: HookHandler
  event: HookEvent
  input: string
}

/** Runs one hook and counts it. */
async function runHook(deps: RunEventDeps, run: HookRun): Promise<HookEnd> {
  const { scene, set, handler, event, input } = run
  const { place, session, signal } = scene
  const begun = deps.now()
  const counted = (end: HookEnd): HookEnd => {
    if (end.isStopped) return end
    place.ledger.note(refOf(set, place), { ms: deps.now() - begun, failure: end.failure })
    const how = end.failure ?? (end.exit === null ? "done" : `exit code ${end.exit}`)
    deps.log(set, scene, `${event}: ${titleOf(handler)}: ${how}`)
    return end
  }
  const timeoutMs = secondsOf(handler, event) * 1_000
  if (set.isHeld) return counted(unchecked(`${set.name} is not as you trusted it.`, event))
  if (handler.type === "http") return counted(await runHttp({ place, set, handler, input, timeoutMs, signal }))
  const cwd = await realpath(session.directory).catch(() => null)
  if (cwd === null) return counted({ ...nothing, failure: "the directory of the session is gone" })
  const found = await scriptPlace(set, handler, { worktree: place.project.worktree, cwd })
  if ("problem" in found) return counted(unchecked(found.problem, event))
  const { closing } = deps
  const command: CommandRun = {
    ...{ place, set, handler, input, timeoutMs, signal, closing },
    cwd: found.cwd,
    projectDirectory: found.projectDirectory,
    readable: [await realpath(transcriptDirectory(place.dataDirectory, session)), ...found.readable],
  }
  const late = (end: HookEnd) => {
    const word = lateWord(set, end, { event, wakes: handler.asyncRewake === true })
    if (word !== null) deps.onLate(session.id, word)
  }
  if (handler.async || handler.asyncRewake) {
    const leave = deps.takeRoom()
    if (leave === null) return counted({ ...nothing, failure: tooManyUnawaited })
    const ended = runCommand(deps, { ...command, signal: closing }).finally(leave)
    deps.keep(ended.then(counted).then(late))
    return nothing
  }
  const detached = Promise.withResolvers<HookEnd>()
  let leave: (() => void) | null = null
  const onDetach = () => {
    leave = deps.takeRoom()
    if (leave !== null) detached.resolve(nothing)
    return leave !== null
  }
  const ended = runCommand(deps, { ...command, onDetach }).then(counted)
  // The first line said only that nothing waits for it.
  const after = ended.then((end) => {
    if (leave === null) return
    leave()
    late({ ...end, stdout: end.stdout.slice(end.stdout.indexOf("\n") + 1) })
  })
  deps.keep(after)
  return Promise.race([detached.promise, ended])
}

const tooManyUnawaited = "too many hooks that nothing waits for are running"
const nothing: HookEnd = { exit: 0, stdout: "", stderr: "", failure: null }

/** What a hook that nothing waited for says in the end; null for nothing. */
function lateWord(set: HookSet, end: HookEnd, { event, wakes }: { event: HookEvent; wakes: boolean }): LateWord | null {
  const { block, context, message } = readAnswer(end, event)
  const text = [wakes ? block : null, context, message].filter((said) => said !== null).join("\n\n")
  return text === "" ? null : { by: `hook ${set.name}`, text, wakes: wakes && block !== null }
}

/** Events at which a hook is a guard. */
const guarded: readonly HookEvent[] = [
  "PreToolUse",
  "PermissionRequest",
  "UserPromptSubmit",
  "TaskCreated",
  "TaskCompleted",
]

/** A guard that is not what the user trusted blocks, so that changing it opens nothing. */
function unchecked(problem: string, event: HookEvent): HookEnd {
  const why = `${problem} Look at what this project brings and trust it again, or switch these hooks off in Settings → Extensions.`
  return guarded.includes(event) ? { ...nothing, exit: 2, stderr: why } : { ...nothing, failure: why }
}

function titleOf(handler: HookHandler): string {
  const text = handler.type === "command" ? [handler.command, ...(handler.args ?? [])].join(" ") : handler.url
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function secondsOf({ timeout }: HookHandler, event: HookEvent): number {
  return Math.min(timeout ?? usualSeconds[event] ?? otherSeconds, mostSeconds[event] ?? Number.POSITIVE_INFINITY)
}
