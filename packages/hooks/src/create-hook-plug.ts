import { DocketError } from "@docket/core/error"
import type { ExtensionPlace, Plug } from "@docket/core/extension-host"
import { extensionPart } from "@docket/core/extension-text"
import { lazily } from "@docket/core/lazily"
import type { HookEvent, MessageWithParts, PermissionRequest, Project, PromptPart } from "@docket/core/schema"
import { createTeller, type TellerDeps } from "./create-teller.ts"
import type { Happening } from "./run-event.ts"
import { hears } from "./scene.ts"
import { contextOf, feedbackOf, refusalOf } from "./texts-of.ts"

/** ms that a session waits for a prompt before hooks are told. */
const idleMs = 60_000
/** Sessions that are remembered to wait. */
const mostIdle = 1_000

/** The events of a call. */
const ofCalls: readonly HookEvent[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "TaskCreated",
  "TaskCompleted",
]

/** Where hooks are told what happens, and what they say takes effect. */
export function createHookPlug(deps: TellerDeps, placeOf: (project: Project) => Promise<ExtensionPlace>): Plug {
  const teller = createTeller(deps, placeOf)
  const { ask, ofTurn, takeLate } = teller
  const idle = waitingSessions(deps)
  let areCallsHooked = false
  const calls = lazily(async () => (await import("./hooked-calls.ts")).createHookedCalls(teller, deps.now))
  return {
    async prompt(parts, { session, project, name }) {
      idle.end(session.id)
      const scene = await teller.beside({ session, project, agent: name })
      const late = takeLate(session.id)
      const fields = { prompt: promptText(parts) }
      const said = await ask(scene, { event: "UserPromptSubmit", names: null, call: null, fields })
      const refusal = refusalOf(said)
      if (refusal !== null) throw new DocketError("invalid_input", refusal)
      return [...[...late, ...contextOf(said)].map(extensionPart), ...parts]
    },

    async sessionStarts({ turn, how }) {
      const { session, model, agent } = turn
      const isChild = session.parentID !== null
      if (isChild && how !== "new") return []
      const scene = await ofTurn(turn)
      if (isChild) {
        const fields = { agent_id: session.id, agent_type: agent.name }
        return contextOf(await ask(scene, { event: "SubagentStart", names: [agent.name], call: null, fields }))
      }
      const source = { new: "startup", again: "resume", summarised: "compact" }[how]
      const fields = { source, model: model.modelID }
      return contextOf(await ask(scene, { event: "SessionStart", names: [source], call: null, fields }))
    },

    async beforeStop(turn, { rounds }) {
      const isChild = turn.session.parentID !== null
      const late = takeLate(turn.session.id, { onlyWaking: true })
      const said = await ask(await ofTurn(turn), {
        event: isChild ? "SubagentStop" : "Stop",
        names: isChild ? [turn.agent.name] : null,
        call: null,
        fields: { stop_hook_active: rounds > 0, last_assistant_message: lastText(turn.transcript.all()) },
      })
      return said.some(({ stop }) => stop !== null) ? [] : [...late, ...feedbackOf(said)]
    },

    async beforeCompaction(turn, { isAsked, wish }) {
      const trigger = isAsked ? "manual" : "auto"
      const fields = { trigger, custom_instructions: wish }
      return refusalOf(await ask(await ofTurn(turn), { event: "PreCompact", names: [trigger], call: null, fields }))
    },

    async beforeCall(input, hooked) {
      const scene = await ofTurn(hooked.turn)
      if (!hears(scene, ...ofCalls)) return input
      areCallsHooked = true
      return (await calls()).beforeCall(input, hooked, scene)
    },
    permission: async (asked) => (areCallsHooked ? (await calls()).permission(asked) : null),
    afterCall: async (result, hooked) => (areCallsHooked ? (await calls()).afterCall(result, hooked) : result),
    callFailed: async (error, hooked) => (areCallsHooked ? (await calls()).callFailed(error, hooked) : error),

    asked(request) {
      const scene = teller.last(request.sessionID)
      if (scene !== undefined) teller.tell(scene, notification(request))
    },

    async turnEnded(sessionID) {
      const scene = teller.last(sessionID)
      if (scene === undefined || scene.session.parentID !== null || !hears(scene, "Notification")) return
      const fields = { message: "Docket waits for your input", notification_type: "idle_prompt" }
      idle.begin(sessionID, () =>
        teller.tell(scene, { event: "Notification", names: ["idle_prompt"], call: null, fields }),
      )
    },

    async sessionEnds(session, project) {
      idle.end(session.id)
      if (session.parentID === null) {
        const scene = await teller.beside({ session, project, agent: session.agent })
        try {
          await ask(scene, { event: "SessionEnd", names: ["other"], call: null, fields: { reason: "other" } })
        } finally {
          const { removeTranscripts } = await import("./write-transcript.ts")
          await removeTranscripts(scene.place.dataDirectory, session)
        }
      }
      teller.forget(session.id)
    },
  }
}

/** Sessions that wait for a prompt. */
function waitingSessions({ timers }: Pick<TellerDeps, "timers">) {
  const waiting = new Map<string, () => void>()
  const end = (sessionID: string) => {
    waiting.get(sessionID)?.()
    waiting.delete(sessionID)
  }
  return {
    end,
    begin(sessionID: string, onIdle: () => void) {
      end(sessionID)
      const forget = timers.after(idleMs, () => {
        waiting.delete(sessionID)
        onIdle()
      })
      waiting.set(sessionID, forget)
      const [oldest] = waiting.keys()
      if (waiting.size > mostIdle && oldest !== undefined) end(oldest)
    },
  }
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
