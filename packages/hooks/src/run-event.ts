import { createHash } from "node:crypto"
import { readFile, realpath } from "node:fs/promises"
import path from "node:path"
import { createFewAtOnce } from "@docket/core/few-at-once"
import type { HookSet } from "@docket/core/hook-sets"
import type { HookEvent, HookHandler, Session } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import type { ClaudeCall } from "./claude-call.ts"
import { matchesName } from "./matches.ts"
import { matchesCondition } from "./matches-condition.ts"
import { type HookAnswer, readAnswer } from "./read-answer.ts"
import { type CommandRun, type HookEnd, runCommand } from "./run-command.ts"
import { runHttp } from "./run-http.ts"
import { refOf, type Scene } from "./scene.ts"
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
}

/** What one hook said. */
export interface HookSaid extends HookAnswer {
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
  /** Keeps work until it ends; false when there is too much of it. */
  keep(work: Promise<void>): boolean
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
  for (const set of scene.sets) {
    for (const { matcher, hooks } of set.hooks[event] ?? []) {
      if (names !== null && !matchesName(matcher, names)) continue
      for (const handler of hooks) {
        if (handler.if !== undefined && !holds(handler.if, call, session.directory)) continue
        const key = JSON.stringify([set.isOwn, handler])
        if (!chosen.has(key)) chosen.set(key, { set, handler })
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
    if (failure === null || handler.onFailure !== "block") return [{ ...answer, by, failure }]
    return [{ ...answer, by, failure, block: failure }]
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
  const scripts = await scriptsOf(set, place.project.worktree)
  if ("changed" in scripts) return counted(unchecked(scripts.changed, event))
  if (handler.type === "http") return counted(await runHttp({ place, set, handler, input, timeoutMs, signal }))
  const { closing } = deps
  const command: CommandRun = {
    ...{ place, set, handler, input, timeoutMs, signal, closing },
    cwd: await realpath(session.directory),
    projectDirectory: scripts.directory,
    readable: [await realpath(transcriptDirectory(place.dataDirectory, session)), ...scripts.readable],
  }
  const late = (end: HookEnd) => {
    const word = lateWord(set, end, { event, wakes: handler.asyncRewake === true })
    if (word !== null) deps.onLate(session.id, word)
  }
  if (handler.async || handler.asyncRewake) {
    if (
      !deps.keep(
        runCommand(deps, { ...command, signal: closing })
          .then(counted)
          .then(late),
      )
    )
      return counted({ ...nothing, failure: "too many hooks that nothing waits for are running" })
    return nothing
  }
  const detached = Promise.withResolvers<HookEnd>()
  let isDetached = false
  const onDetach = () => {
    isDetached = true
    detached.resolve(nothing)
  }
  const ended = runCommand(deps, { ...command, onDetach }).then(counted)
  // The first line said only that nothing waits for it.
  const after = ended.then((end) => {
    if (isDetached) late({ ...end, stdout: end.stdout.slice(end.stdout.indexOf("\n") + 1) })
  })
  deps.keep(after)
  return Promise.race([detached.promise, ended])
}

const nothing: HookEnd = { exit: 0, stdout: "", stderr: "", failure: null }

/** What a hook that nothing waited for says in the end; null for nothing. */
function lateWord(set: HookSet, end: HookEnd, { event, wakes }: { event: HookEvent; wakes: boolean }): LateWord | null {
  const { block, context, message } = readAnswer(end, event)
  const text = [wakes ? block : null, context, message].filter((said) => said !== null).join("\n\n")
  return text === "" ? null : { by: `hook ${set.name}`, text, wakes: wakes && block !== null }
}

/**
 * Where a project's hooks find their scripts: in the checkout in which the session works, where they are there, else in the
 * project's own. Or the first script that is not as the user trusted it.
 */
async function scriptsOf(
  { file, name, isOwn, trusted }: HookSet,
  worktree: string,
): Promise<{ directory: string; readable: string[] } | { changed: string }> {
  if (isOwn || trusted.length === 0) return { directory: worktree, readable: [] }
  const top = file.slice(0, -name.length - 1)
  const names = trusted.map((script) => path.relative(top, script.file))
  const isHere = await Promise.all(names.map((script) => readFile(path.join(worktree, script)).catch(() => null)))
  const directory = isHere.includes(null) ? top : worktree
  for (const [at, { sha256 }] of trusted.entries()) {
    const script = names[at] ?? ""
    const bytes = await readFile(path.join(directory, script)).catch(() => Buffer.alloc(0))
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) return { changed: script }
  }
  const places = directory === worktree ? [] : names.map((script) => path.dirname(path.join(top, script)))
  return { directory, readable: [...new Set(places)] }
}

/** Events at which a hook is a guard. */
const guarded: readonly HookEvent[] = [
  "PreToolUse",
  "PermissionRequest",
  "UserPromptSubmit",
  "TaskCreated",
  "TaskCompleted",
]

/** A guard that somebody changed blocks, so that changing it opens nothing. */
function unchecked(script: string, event: HookEvent): HookEnd {
  const why = `${script} changed since you trusted the hooks of this project. Look at it and trust it again.`
  return guarded.includes(event) ? { ...nothing, exit: 2, stderr: why } : { ...nothing, failure: why }
}

function titleOf(handler: HookHandler): string {
  const text = handler.type === "command" ? [handler.command, ...(handler.args ?? [])].join(" ") : handler.url
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function secondsOf({ timeout }: HookHandler, event: HookEvent): number {
  return Math.min(timeout ?? usualSeconds[event] ?? otherSeconds, mostSeconds[event] ?? Number.POSITIVE_INFINITY)
}
