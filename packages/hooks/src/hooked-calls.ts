import { isDeepStrictEqual } from "node:util"
import type { Plug } from "@docket/core/extension-host"
import type { ExtensionText } from "@docket/core/extension-text"
import type { HookedCall } from "@docket/core/hooks"
import { withExtensionWords } from "@docket/core/message"
import { CallOutcome, type ToolResult } from "@docket/core/tool"
import { watchWritten } from "./changed-files.ts"
import { type ClaudeCall, filesOfPatch, toClaudeCall } from "./claude-call.ts"
import type { Teller } from "./create-teller.ts"
import type { Happening, HookSaid } from "./run-event.ts"
import { hears, type Scene } from "./scene.ts"
import { contextOf, feedbackOf } from "./texts-of.ts"
import { todoEvents } from "./todo-events.ts"
import { claudeOutput, readOutput } from "./tool-response.ts"

type CallHooks = Required<Pick<Plug, "afterCall" | "callFailed" | "permission">> & {
  /** @throws CallOutcome when a hook forbids the call */
  beforeCall(input: unknown, hooked: HookedCall, scene: Scene): Promise<unknown>
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

/** Calls that are remembered; none is needed for long. */
const mostKept = 1_000

/** Tells hooks of calls, and lets what they say take effect. */
export function createHookedCalls({ ask, takeLate }: Pick<Teller, "ask" | "takeLate">, now: () => number): CallHooks {
  const calls = new Map<string, AskedCall>()
  const keep = (key: string, asked: AskedCall) => {
    calls.set(key, asked)
    const [oldest] = calls.keys()
    if (calls.size > mostKept && oldest !== undefined) calls.delete(oldest)
  }
  const take = (key: string) => {
    const asked = calls.get(key)
    calls.delete(key)
    return asked
  }
  return {
    async beforeCall(input, hooked, scene) {
      const { turn, callID } = hooked
      const given = argumentsOf(input, hooked)
      // The call fails by itself, with what is wrong.
      if (given === null) return input
      const key = keyOf(turn.session.id, callID)
      const asked: AskedCall = {
        ...{ ...requestOf(given, hooked), scene, begunAt: now(), hooked },
        ...{ decision: null, context: [], isBlocked: false },
      }
      keep(key, asked)
      const { args, call, said, context } = await settle(ask, { given, hooked, scene })
      keep(key, { ...asked, call, fields: fieldsOf(call, callID), decision: decisionOf(said), context })
      return args === given ? input : args
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
      const said = await ask(scene, happening)
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
      const asked = take(keyOf(session.id, hooked.callID))
      if (asked === undefined) return result
      const { scene, call } = asked
      if (!hears(scene, "PostToolUse")) return withTexts(result, [...takeLate(session.id), ...asked.context], hooked)
      const calls = [call, ...filesOfPatch({ tool: hooked.tool, args: call.input }, session.directory)]
      const changedFiles = await watchWritten(calls, session.directory)
      const all = calls.map((each) =>
        ask(scene, {
          ...{ event: "PostToolUse", names: each.names, call: each },
          fields: {
            ...fieldsOf(each, hooked.callID),
            tool_response: claudeOutput(each.names[0], result, each.input),
            duration_ms: Math.round(now() - asked.begunAt),
          },
        }),
      )
      const said = (await Promise.all(all)).flat()
      noteFailures(said, hooked)
      const other = said.findLast(({ output }) => output !== undefined)
      if (other !== undefined) hooked.changed?.("result", other.by)
      const output = other === undefined ? result.output : readOutput(other.output)
      const ends = said.some(({ stop }) => stop !== null)
      const late = takeLate(session.id)
      const texts = [...late, ...asked.context, ...feedbackOf(said), ...contextOf(said), ...(await changedFiles())]
      return { ...withTexts({ ...result, output }, texts, hooked), ...(ends && { ends }) }
    },

    async callFailed(error, hooked) {
      const asked = take(keyOf(hooked.turn.session.id, hooked.callID))
      if (asked === undefined || asked.isBlocked) return error
      const { scene, call, fields, context } = asked
      const said = await ask(scene, {
        ...{ event: "PostToolUseFailure", names: call.names, call },
        fields: { ...fields, error, is_interrupt: false, duration_ms: Math.round(now() - asked.begunAt) },
      })
      return textWith(error, [...context, ...feedbackOf(said), ...contextOf(said)], hooked)
    },
  }
}

/** How often hooks are asked about one call: more is needed only where they change each other's arguments. */
const mostRounds = 5

interface SettledCall {
  /** What the call is made with; the same object when no hook changed it. */
  args: Record<string, unknown>
  call: ClaudeCall
  /** What hooks said of these arguments. */
  said: readonly HookSaid[]
  context: ExtensionText[]
}

/**
 * Asks hooks about a call, and again about what one of them makes of its arguments: what is done is what each of them saw.
 * @throws CallOutcome when a hook forbids the call, or when they do not come to an end
 */
async function settle(
  ask: Teller["ask"],
  { given, hooked, scene }: { given: Record<string, unknown>; hooked: HookedCall; scene: Scene },
): Promise<SettledCall> {
  const { turn, tool, callID } = hooked
  const { directory } = turn.session
  const context = new Map<string, ExtensionText[]>()
  let args = given
  let changing: HookSaid | null = null
  for (let round = 0; round < mostRounds; round++) {
    const { call } = requestOf(args, hooked)
    for (const happening of todoEvents({ tool, args }, turn.transcript.all()))
      refuse(await ask(scene, happening), hooked)
    const except: Pick<Happening, "except"> = changing === null ? {} : { except: changing.hook }
    const askOf = (each: ClaudeCall) =>
      ask(scene, { event: "PreToolUse", names: each.names, call: each, fields: fieldsOf(each, callID), ...except })
    const files = filesOfPatch({ tool, args }, directory)
    const [said, ...ofFiles] = await Promise.all([askOf(call), ...files.map(askOf)])
    const all = [...said, ...ofFiles.flat()]
    refuse(all, hooked)
    for (const [at, file] of files.entries()) refuseOtherFile(file, ofFiles[at] ?? [], hooked)
    for (const each of all) context.set(each.hook, contextOf([each]))
    const last: HookSaid | null = changing
    changing = said.findLast(({ input }) => input !== null && !isDeepStrictEqual(input, call.input)) ?? null
    if (changing?.input == null)
      return { args, call, said: last === null ? all : [...all, last], context: [...context.values()].flat() }
    args = call.back(changing.input)
    hooked.changed?.("arguments", changing.by)
  }
  const reason = `Hooks changed its arguments ${mostRounds} times, and each time another one did not leave them so.`
  const by = changing?.by ?? "hooks"
  hooked.changed?.("blocked", by, reason)
  throw new CallOutcome(`Blocked by ${by}: ${reason}`)
}

/** A patch is made as it is. @throws CallOutcome when a hook wants one of its files to be another one */
function refuseOtherFile(file: ClaudeCall, said: readonly HookSaid[], hooked: HookedCall): void {
  const other = said.find(({ input }) => input !== null && !isDeepStrictEqual(input, file.input))
  if (other === undefined) return
  const reason = "It wants another change of a file than the patch has. Make this change with edit or write."
  hooked.changed?.("blocked", other.by, reason)
  throw new CallOutcome(`Blocked by ${other.by}: ${reason}`)
}

function requestOf(args: Record<string, unknown>, { turn, tool, callID, origin }: HookedCall) {
  const call = toClaudeCall({ tool, origin, args }, turn.session.directory)
  return { call, fields: fieldsOf(call, callID) }
}

function keyOf(sessionID: string, callID: string): string {
  return `${sessionID} ${callID}`
}

function fieldsOf({ names, input }: ClaudeCall, callID: string): AskedCall["fields"] {
  return { tool_name: names[0], tool_input: input, tool_use_id: callID }
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

function withTexts(result: ToolResult, texts: readonly ExtensionText[], hooked: HookedCall): ToolResult {
  return texts.length === 0 ? result : { ...result, output: textWith(result.output, texts, hooked) }
}

/** What hooks say is at the end of the text for the model, and on the card for people. */
function textWith(text: string, texts: readonly ExtensionText[], { changed }: HookedCall): string {
  const each = [...new Map(texts.map((said) => [JSON.stringify(said), said])).values()]
  for (const said of each) changed?.("said", said.from, said.text)
  return withExtensionWords(text, each)
}
