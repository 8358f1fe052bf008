import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { toTokenUsage, type Usage } from "../../ground/message/usage.ts"
import { createScanner, redactText, type ScannerSources } from "../../ground/redact/index.ts"
import type {
  Agent,
  Caller,
  ChangeDescription,
  MessageError,
  ModelInfo,
  ModelRef,
  Project,
  Session,
  TokenUsage,
} from "../../ground/schema/index.ts"
import { titleFrom } from "../../records/session/title-from.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { ResolvedModel } from "../../setup/provider/create-providers.ts"
import { readStream } from "../../setup/provider/read-stream.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { ChangeService, StepRef } from "./change-service.ts"
import { describeRequest } from "./describe-request.ts"

/** Longest title (UTF-16 units), as git's tools show it on one line. */
const maxTitle = 72
/** Longest text (UTF-16 units); what a model writes beyond it is left out. */
const maxText = 8_000
/** The most files whose diffs the model reads. */
const maxDiffs = 60
/** The longest time for a description (ms). */
const timeLimit = 120_000

export interface DescribeDeps {
  changes: Pick<ChangeService, "list" | "summary" | "diff">
  journal: Pick<Journal, "commit">
  clock(): number
  sessionByID(id: string): Promise<Session>
  setupOf(
    session: Session,
  ): Promise<{ project: Project; config: Config; agents: readonly Agent[]; defaultModel: ModelRef }>
  models: {
    resolve(ref: ModelRef, config: Config): Promise<ResolvedModel>
    smallModel(ref: ModelRef, config: Config): Promise<ModelRef>
    costOf(info: ModelInfo, usage: TokenUsage): number
    toMessageError(error: unknown, ref: ModelRef): MessageError
  }
  hooks: Pick<Hooks, "smallModel">
  /** What a scan of a tree for secrets looks for. */
  scanSourcesOf(rootID: string): Promise<Omit<ScannerSources, "key">>
  providerTimeoutMs: number
}

/**
 * Lets the summary agent write a title and a pull-request text for what the session's tree changed, and stores both on
 * its root session. Secrets are removed from what the model reads and writes. Who asks while it is being written gets
 * the same description.
 * @throws session_not_found, invalid_input when nothing was changed, no_model_available without a model or its answer
 */
export function createDescribe(deps: DescribeDeps): (sessionID: string, by?: Caller) => Promise<ChangeDescription> {
  const writing = new Map<string, Promise<ChangeDescription>>()
  return async (sessionID, by) => {
    const { rootID } = await deps.sessionByID(sessionID)
    const known = writing.get(rootID)
    if (known !== undefined) return known
    const description = describe(deps, rootID, by).finally(() => writing.delete(rootID))
    writing.set(rootID, description)
    return description
  }
}

async function describe(deps: DescribeDeps, rootID: string, by: Caller | undefined): Promise<ChangeDescription> {
  const root = await deps.sessionByID(rootID)
  const summary = await deps.changes.summary(rootID)
  if (summary.files === 0) {
    throw new DocketError("invalid_input", "Nothing to describe: no change of a file is known in this session.")
  }
  const { ref, resolved, agent, prompt } = await modelFor(deps, root)
  const scanner = createScanner({ ...(await deps.scanSourcesOf(rootID)), key: "" })
  const redacted = (text: string) => redactText(text, scanner.find(text, { isWhole: true }))
  const request = redacted(describeRequest({ title: root.title, summary, patches: await patchesOf(deps, rootID) }))
  const { text, used } = await answerOf(deps, { ref, resolved, agent, prompt, request })
  const [first = "", ...rest] = redacted(text).trim().split("\n")
  const description: ChangeDescription = {
    title: titleFrom(first, maxTitle),
    text: rest.join("\n").trim().slice(0, maxText).toWellFormed(),
    model: ref,
    at: deps.clock(),
    ...(by !== undefined && { by }),
  }
  await deps.journal.commit(rootID, [
    ...(used === null ? [] : [{ kind: "session.used" as const, sessionID: rootID, used }]),
    ...(description.title === ""
      ? []
      : [{ kind: "session.patch" as const, sessionID: rootID, patch: { described: description } }]),
  ])
  if (description.title === "") throw noAnswer(ref, "its answer was empty")
  return description
}

async function modelFor(deps: DescribeDeps, root: Session) {
  const { project, config, agents, defaultModel } = await deps.setupOf(root)
  const agent = agents.find(({ name }) => name === "summary")
  if (agent?.prompt == null) {
    throw new DocketError(
      "no_model_available",
      "The agent summary is switched off or has no prompt: see agent.summary.",
    )
  }
  const chosen = agent.model ?? (await deps.models.smallModel(root.model ?? defaultModel, config))
  const ref = agent.model ?? (await deps.hooks.smallModel(chosen, { session: root, project }))
  const resolved = await deps.models.resolve(ref, config)
  if (resolved.info.rehearsal === true) {
    throw new DocketError(
      "no_model_available",
      "No language model is connected, and the rehearsal cannot describe changes. Connect one in Settings → Models.",
    )
  }
  return { ref, resolved, agent, prompt: agent.prompt }
}

/** The diffs of the files that changed most, by path. */
async function patchesOf({ changes }: DescribeDeps, rootID: string): Promise<Map<string, string>> {
  const { changes: all } = await changes.list(rootID)
  const size = (steps: typeof all) =>
    steps.reduce((sum, { lines }) => sum + (lines?.added ?? 0) + (lines?.removed ?? 0), 0)
  const byPath = [...Map.groupBy(all, ({ path }) => path)].sort(([, a], [, b]) => size(b) - size(a))
  const patches = new Map<string, string>()
  for (const [path, steps] of byPath.slice(0, maxDiffs)) {
    const refs = steps.slice(-20).map(({ sessionID, messageID }): StepRef => ({ sessionID, messageID }))
    const pieces = await changes.diff(rootID, path, refs)
    patches.set(path, pieces.flatMap(({ patch }) => patch ?? []).join("\n"))
  }
  return patches
}

interface Asked {
  ref: ModelRef
  resolved: ResolvedModel
  agent: Agent
  prompt: string
  request: string
}

async function answerOf(
  deps: DescribeDeps,
  { ref, resolved: { model, info }, agent, prompt, request }: Asked,
): Promise<{ text: string; used: Usage | null }> {
  const options = {
    prompt: [
      { role: "system" as const, content: prompt },
      { role: "user" as const, content: [{ type: "text" as const, text: request }] },
    ],
    ...(agent.temperature !== null && { temperature: agent.temperature }),
  }
  const limits = { signal: AbortSignal.timeout(timeLimit), timeoutMs: deps.providerTimeoutMs }
  let text = ""
  let used: Usage | null = null
  try {
    for await (const part of readStream(model, options, limits)) {
      if (part.type === "text-delta") text += part.delta
      if (part.type === "error") throw part.error
      if (part.type !== "finish") continue
      const tokens = toTokenUsage(part.usage)
      used = { tokens, cost: deps.models.costOf(info, tokens) }
    }
  } catch (cause) {
    throw noAnswer(ref, deps.models.toMessageError(cause, ref).message, cause)
  }
  return { text: text.replace(/<think>[\s\S]*?(?:<\/think>|$)/g, ""), used }
}

function noAnswer({ providerID, modelID }: ModelRef, reason: string, cause?: unknown): DocketError {
  const message = `${providerID}/${modelID} did not describe the changes: ${reason} Try again, or set small_model.`
  return new DocketError("no_model_available", message, { cause })
}
