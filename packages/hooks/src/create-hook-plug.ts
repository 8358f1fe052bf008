import { DocketError } from "@docket/core/docket-error"
import type { ExtensionPlace, Plug, TurnContext } from "@docket/core/extension-host"
import { type ExtensionText, extensionPart, extensionWords } from "@docket/core/extension-text"
import type { HookedCall } from "@docket/core/hooks"
import type { MessageWithParts, PermissionRequest, Project, PromptPart } from "@docket/core/schema"
import type { Timers } from "@docket/core/timers"
import { CallOutcome, type ToolResult } from "@docket/core/tool"
import { type ClaudeCall, filesOfPatch, toClaudeCall } from "./claude-call.ts"
import type { Happening, HookSaid, LateWord, RunEventDeps } from "./run-event.ts"
import { hears, type Scene, type SceneDeps, sceneOf } from "./scene.ts"
import { todoEvents } from "./todo-events.ts"
import { claudeOutput, readOutput } from "./tool-response.ts"

export interface HookPlugDeps extends Pick<SceneDeps, "ownHooks"> {
  timers: Timers
  /** ms of a clock that only goes forward. */
  now(): number
  run: Omit<RunEventDeps, "timers" | "now" | "onLate">
  onError(error: unknown): void
}

/** A call that hooks were asked about. */
interface AskedCall {
  scene: Scene
  call: ClaudeCall
  fields: { tool_name: string; tool_input: unknown; tool_use_id: string }
  begunAt: number
  /** A hook allows it, or wants a person to be asked. */
  decision: { action: "allow" | "ask"; by: string } | null
  /** What the model is told with its result. */
  context: ExtensionText[]
  /** A hook blocked it while its leave was asked for. */
  isBlocked: boolean
  hooked: HookedCall
}

/** Calls and sessions that are remembered; none is needed for long. */
const mostKept = 1_000
/** ms that a session waits for a prompt before hooks are told. */
const idleMs = 60_000

/**
 * Where hooks are told what happens, and what they say takes effect. What runs them is loaded with the first hook, so that
 * who has none pays for nothing.
 */
export function createHookPlug(deps: HookPlugDeps, placeOf: (project: Project) => Promise<ExtensionPlace>): Plug {
  const { closing } = deps.run
  const sceneDeps: SceneDeps = { placeOf, ownHooks: deps.ownHooks }
  const scenes = new WeakMap<object, Promise<Scene>>()
  const calls = new Map<string, AskedCall>()
  const lateWords = new Map<string, LateWord[]>()
  /** The scene of each session's last turn. */
  const last = new Map<string, Scene>()
  const idle = new Map<string, () => void>()
  const keep = <V>(map: Map<string, V>, key: string, value: V) => {
    map.delete(key)
    map.set(key, value)
    for (const oldest of map.keys()) {
      if (map.size <= mostKept) break
      map.delete(oldest)
    }
  }
  const run = async (scene: Scene, happening: Happening): Promise<HookSaid[]> => {
    if (!hears(scene, happening.event)) return []
    const { runEvent } = await import("./run-event.ts")
    const onLate: RunEventDeps["onLate"] = (sessionID, word) =>
      keep(lateWords, sessionID, [...(lateWords.get(sessionID) ?? []), word].slice(-20))
    return runEvent({ ...deps.run, timers: deps.timers, now: deps.now, onLate }, scene, happening)
  }
  const sceneOfTurn = (
    turn: Pick<TurnContext, "writer" | "session" | "project" | "transcript" | "agent" | "signal">,
  ) => {
    const { session, project, transcript, agent, signal } = turn
    const known = scenes.get(turn.writer)
    if (known !== undefined) return known
    const made = sceneOf(sceneDeps, { session, project, transcript, agent: agent.name, signal })
    scenes.set(turn.writer, made)
    void made.then((scene) => keep(last, session.id, scene)).catch(() => {})
    return made
  }
  const takeLate = (sessionID: string, onlyWaking = false): ExtensionText[] => {
    const words = lateWords.get(sessionID) ?? []
    if (words.length === 0 || (onlyWaking && !words.some(({ wakes }) => wakes))) return []
    lateWords.delete(sessionID)
    return words.map(({ by, text }) => ({ from: by, text }))
  }
  /** Nothing waits for these hooks, and the end of a turn does not stop them. */
  const tell = (scene: Scene, happening: Happening) => {
    deps.run.keep(run({ ...scene, signal: closing }, happening).then(() => {}, deps.onError))
  }
  const keyOf = (sessionID: string, callID: string) => `${sessionID} ${callID}`

  return {
    async prompt(parts, { session, project, name }) {
      idle.get(session.id)?.()
      const scene = await sceneOf(sceneDeps, { session, project, transcript: null, agent: name, signal: closing })
      const late = takeLate(session.id)
      const prompt = promptText(parts)
      const happening = { event: "UserPromptSubmit", names: null, call: null, fields: { prompt } } as const
      const said = await run(scene, happening)
      const refusal = said.find(({ block, stop }) => block !== null || stop !== null)
      if (refusal !== undefined)
        throw new DocketError("invalid_input", `Blocked by ${refusal.by}: ${refusal.block ?? refusal.stop}`)
      return [...[...late, ...contextOf(said)].map(extensionPart), ...parts]
    },

    async sessionStarts({ turn, how }) {
      const scene = await sceneOfTurn(turn)
      const { session, model, agent } = turn
      if (session.parentID !== null) {
        if (how !== "new") return []
        const fields = { agent_id: session.id, agent_type: agent.name }
        return contextOf(await run(scene, { event: "SubagentStart", names: [agent.name], call: null, fields }))
      }
      const source = { new: "startup", again: "resume", summarised: "compact" }[how]
      const fields = { source, model: model.modelID }
      return contextOf(await run(scene, { event: "SessionStart", names: [source], call: null, fields }))
    },

    async beforeStop(turn, { rounds }) {
      const scene = await sceneOfTurn(turn)
      const { session, agent } = turn
      const isChild = session.parentID !== null
      const event = isChild ? "SubagentStop" : "Stop"
      const late = takeLate(session.id, true)
      const said = await run(scene, {
        event,
        names: isChild ? [agent.name] : null,
        call: null,
        fields: {
          stop_hook_active: rounds > 0,
          last_assistant_message: lastText(turn.transcript.all()),
          ...(isChild && { agent_transcript_path: null }),
        },
      })
      if (said.some(({ stop }) => stop !== null)) return []
      return [...late, ...said.flatMap(({ by, block }) => (block === null ? [] : [{ from: by, text: block }]))]
    },

    async beforeCompaction(turn, { isAsked, wish }) {
      const scene = await sceneOfTurn(turn)
      const trigger = isAsked ? "manual" : "auto"
      const fields = { trigger, custom_instructions: wish }
      const said = await run(scene, { event: "PreCompact", names: [trigger], call: null, fields })
      const refusal = said.find(({ block, stop }) => block !== null || stop !== null)
      return refusal === undefined ? null : `Blocked by ${refusal.by}: ${refusal.block ?? refusal.stop}`
    },

    async beforeCall(input, hooked) {
      const { turn, tool, callID, origin } = hooked
      const scene = await sceneOfTurn(turn)
      const events = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"] as const
      if (!hears(scene, ...events, "TaskCreated", "TaskCompleted")) return input
      const args = argumentsOf(input, hooked)
      // The call fails by itself, with what is wrong.
      if (args === null) return input
      const { directory } = turn.session
      const call = toClaudeCall({ tool, origin, args }, directory)
      const fields = { tool_name: call.names[0], tool_input: call.input, tool_use_id: callID }
      const asked: AskedCall = {
        scene,
        call,
        fields,
        begunAt: deps.now(),
        decision: null,
        context: [],
        isBlocked: false,
        hooked,
      }
      keep(calls, keyOf(turn.session.id, callID), asked)
      for (const happening of todoEvents({ tool, args }, turn.transcript.all())) {
        refuse(await run(scene, happening), hooked)
      }
      const ofFiles = filesOfPatch({ tool, args }, directory).map((each) => {
        const own = { tool_name: each.names[0], tool_input: each.input, tool_use_id: callID }
        return run(scene, { event: "PreToolUse", names: each.names, call: each, fields: own })
      })
      const own = run(scene, { event: "PreToolUse", names: call.names, call, fields })
      const [said, ...ofEach] = await Promise.all([own, ...ofFiles])
      const all = [said, ...ofEach].flat()
      refuse(all, hooked)
      asked.context.push(...contextOf(all))
      asked.decision = decisionOf(all)
      // The arguments of a patch are not those of its files.
      const changed = said.findLast((each) => each.input !== null)
      if (!changed?.input) return input
      const back = call.back(changed.input)
      const key = keyOf(turn.session.id, callID)
      const now = toClaudeCall({ tool, origin, args: back }, directory)
      keep(calls, key, { ...asked, call: now, fields: { ...fields, tool_input: now.input } })
      hooked.changed?.("arguments", changed.by)
      return back
    },

    async permission({ session, callID, request, verdict = "allow" }) {
      const asked = calls.get(keyOf(session.id, callID))
      if (asked === undefined || verdict === "allow") return asked?.decision?.action === "ask" ? "ask" : null
      const { scene, call, fields, decision } = asked
      // To leave the sandbox is another thing than the call.
      const isOfCall = request.permission !== "sandbox" && request.permission !== "doom_loop"
      if (decision?.action === "allow" && verdict === "unset" && isOfCall) {
        asked.hooked.changed?.("allowed", decision.by)
        return "allow"
      }
      const happening: Happening = {
        ...{ event: "PermissionRequest", names: call.names, call },
        fields: { ...fields, permission: request.permission, permission_suggestions: [] },
      }
      const said = await run(scene, happening)
      const denial = said.find((each) => each.decision === "deny" || each.block !== null)
      if (denial !== undefined) {
        const reason = denial.reason || denial.block || "It gave no reason."
        asked.isBlocked = true
        asked.hooked.changed?.("blocked", denial.by, reason)
        throw new CallOutcome(`Blocked by ${denial.by}: ${reason}`, { ends: denial.interrupts || denial.stop !== null })
      }
      if (decision?.action === "ask") return "ask"
      // Other arguments would need other leave: a person decides about those that are there.
      const allows = said.find((each) => each.decision === "allow" && each.input === null)
      if (allows === undefined || verdict === "held" || !isOfCall) return null
      asked.hooked.changed?.("allowed", allows.by)
      return "allow"
    },

    async afterCall(result, hooked) {
      const { session } = hooked.turn
      const key = keyOf(session.id, hooked.callID)
      const asked = calls.get(key)
      calls.delete(key)
      const late = takeLate(session.id)
      if (asked === undefined) return withTexts(result, late)
      const { scene, call, fields } = asked
      const after = (each: ClaudeCall): Happening => ({
        ...{ event: "PostToolUse", names: each.names, call: each },
        fields: {
          ...{ ...fields, tool_name: each.names[0], tool_input: each.input },
          tool_response: claudeOutput(each.names[0], result, each.input),
          duration_ms: Math.round(deps.now() - asked.begunAt),
        },
      })
      const told = [call, ...filesOfPatch({ tool: hooked.tool, args: call.input }, session.directory)]
      const said = (await Promise.all(told.map((each) => run(scene, after(each))))).flat()
      noteFailures(said, hooked)
      const other = said.findLast(({ output }) => output !== undefined)
      if (other !== undefined) hooked.changed?.("result", other.by)
      const output = other === undefined ? result.output : readOutput(other.output)
      const feedback = said.flatMap(({ by, block }) => (block === null ? [] : [{ from: by, text: block }]))
      const ends = said.some(({ stop }) => stop !== null)
      const texts = [...late, ...asked.context, ...feedback, ...contextOf(said)]
      return { ...withTexts({ ...result, output }, texts), ...(ends && { ends }) }
    },

    async callFailed(error, hooked) {
      const { session } = hooked.turn
      const key = keyOf(session.id, hooked.callID)
      const asked = calls.get(key)
      calls.delete(key)
      if (asked === undefined || asked.isBlocked) return error
      const { scene, call, fields, context } = asked
      const said = await run(scene, {
        ...{ event: "PostToolUseFailure", names: call.names, call },
        fields: { ...fields, error, is_interrupt: false, duration_ms: Math.round(deps.now() - asked.begunAt) },
      })
      const feedback = said.flatMap(({ by, block }) => (block === null ? [] : [{ from: by, text: block }]))
      return textWith(error, [...context, ...feedback, ...contextOf(said)])
    },

    asked(request) {
      const scene = last.get(request.sessionID)
      if (scene !== undefined) tell(scene, notification(request))
    },

    async turnEnded(sessionID) {
      const scene = last.get(sessionID)
      if (scene === undefined || scene.session.parentID !== null || !hears(scene, "Notification")) return
      idle.get(sessionID)?.()
      const forget = deps.timers.after(idleMs, () => {
        idle.delete(sessionID)
        const fields = { message: "Docket waits for your input", notification_type: "idle_prompt" }
        tell(scene, { event: "Notification", names: ["idle_prompt"], call: null, fields })
      })
      keep(idle, sessionID, () => {
        forget()
        idle.delete(sessionID)
      })
    },

    async sessionEnds(session, project) {
      idle.get(session.id)?.()
      if (session.parentID === null) {
        const scene = await sceneOf(sceneDeps, {
          session,
          project,
          transcript: null,
          agent: session.agent,
          signal: closing,
        })
        await run(scene, { event: "SessionEnd", names: ["other"], call: null, fields: { reason: "other" } })
        const { removeTranscripts } = await import("./write-transcript.ts")
        await removeTranscripts(scene.place.dataDirectory, session)
      }
      last.delete(session.id)
      lateWords.delete(session.id)
    },
  }
}

/** The arguments as the tool would read them; null when it cannot, or when they are no object. */
function argumentsOf(input: unknown, { parse }: HookedCall): Record<string, unknown> | null {
  try {
    const args = parse === undefined ? input : parse(input)
    return typeof args === "object" && args !== null && !Array.isArray(args) ? { ...args } : null
  } catch {
    return null
  }
}

/** @throws Error when a hook forbids the call */
function refuse(said: readonly HookSaid[], hooked: HookedCall): void {
  noteFailures(said, hooked)
  const stop = said.find((each) => each.stop !== null)
  const denial = said.find(({ block, decision }) => block !== null || decision === "deny") ?? stop
  if (denial === undefined) return
  const reason = denial.block ?? (denial.reason || denial.stop || "It gave no reason.")
  hooked.changed?.("blocked", denial.by, reason)
  throw new CallOutcome(`Blocked by ${denial.by}: ${reason}`, { ends: stop !== undefined })
}

function noteFailures(said: readonly HookSaid[], hooked: HookedCall): void {
  for (const { by, failure, message } of said) {
    if (failure !== null) hooked.changed?.("unchecked", by, failure)
    if (message !== null) hooked.changed?.("remark", by, message)
  }
}

/** The strictest: a hook that leaves the call to people has them asked. */
function decisionOf(said: readonly HookSaid[]): AskedCall["decision"] {
  const asks = said.find(({ decision }) => decision === "ask" || decision === "defer")
  if (asks !== undefined) return { action: "ask", by: asks.by }
  const allows = said.find(({ decision }) => decision === "allow")
  return allows === undefined ? null : { action: "allow", by: allows.by }
}

function contextOf(said: readonly HookSaid[]): ExtensionText[] {
  return said.flatMap(({ by, context }) => (context === null ? [] : [{ from: by, text: context }]))
}

function withTexts(result: ToolResult, texts: readonly ExtensionText[]): ToolResult {
  return texts.length === 0 ? result : { ...result, output: textWith(result.output, texts) }
}

function textWith(text: string, texts: readonly ExtensionText[]): string {
  return [text, ...texts.map(extensionWords)].join("\n\n")
}

/** What a person typed, or the agents and tasks that they named. */
function promptText(parts: readonly PromptPart[]): string {
  const texts = parts.flatMap((part) => {
    if (part.type === "text") return part.synthetic ? [] : [part.text]
    if (part.type === "command") return [`/${part.name} ${part.arguments}`.trim()]
    return part.type === "subtask" ? [part.prompt] : []
  })
  return texts.join("\n")
}

function lastText(messages: readonly MessageWithParts[]): string {
  const answer = messages.findLast(({ info }) => info.role === "assistant")
  return answer?.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n") ?? ""
}

function notification({ permission, metadata }: PermissionRequest): Happening {
  const isQuestion = metadata.kind === "question"
  const type = isQuestion ? "elicitation_dialog" : "permission_prompt"
  const message = isQuestion ? "Docket has a question for you" : `Docket needs your permission: ${permission}`
  const fields = { message, notification_type: type, title: "Docket" }
  return { event: "Notification", names: [type], call: null, fields }
}
