import type { SessionConfigOption, SessionConfigSelectGroup, SessionModeState } from "@agentclientprotocol/sdk/unstable"
import { RequestError } from "@agentclientprotocol/sdk/unstable"
import { presets } from "@docket/core/rule"
import {
  type Agent,
  type ModelInfo,
  type ModelRef,
  PermissionPreset,
  type ProviderInfo,
  type Session,
} from "@docket/core/schema"
import { parseModel } from "../run/parse-model.ts"

/** What a session of a project may be set to. */
export interface Choices {
  agents: readonly Pick<Agent, "name" | "description" | "mode" | "hidden" | "problem" | "model">[]
  providers: readonly Pick<ProviderInfo, "id" | "name" | "connected" | "models">[]
  defaultModel: ModelRef
}

type Settings = Pick<Session, "agent" | "model" | "variant" | "preset">

/** The agents that a session may be led by. Editors call them modes. */
export function modesOf({ agents }: Choices, { agent }: Settings): SessionModeState {
  const leading = agents.filter(({ mode, hidden, problem }) => mode !== "subagent" && !hidden && problem === null)
  const known = leading.map(({ name, description }) => ({ id: name, name, description }))
  // A session may be led by an agent that is gone by now, and a child by a subagent.
  const all = known.some(({ id }) => id === agent) ? known : [{ id: agent, name: agent }, ...known]
  return { currentModeId: agent, availableModes: all }
}

/** The model that the next prompt is answered by. */
export function modelOf({ agents, defaultModel }: Choices, { agent, model }: Settings): ModelRef {
  return model ?? agents.find(({ name }) => name === agent)?.model ?? defaultModel
}

/** What is known of a model; undefined for one that no provider has. */
export function modelInfo({ providers }: Choices, { providerID, modelID }: ModelRef): ModelInfo | undefined {
  return providers.find(({ id }) => id === providerID)?.models.find(({ id }) => id === modelID)
}

/** What people choose as "the usual". */
const usual = "default"

/** The settings of a session: agent, model, how hard it thinks, and how much it may do unasked. */
export function configOptions(choices: Choices, session: Settings): SessionConfigOption[] {
  const { currentModeId, availableModes } = modesOf(choices, session)
  const model = modelOf(choices, session)
  const variants = modelInfo(choices, model)?.variants ?? []
  return [
    {
      id: "mode",
      name: "Agent",
      category: "mode",
      type: "select",
      currentValue: currentModeId,
      options: availableModes.map(({ id, name, description }) => option(id, name, description ?? "")),
    },
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: nameOf(model),
      options: modelGroups(choices, model),
    },
    ...(variants.length === 0 ? [] : [effortOption(variants, session.variant ?? usual)]),
    {
      id: "preset",
      name: "Permissions",
      category: "_permissions",
      type: "select",
      currentValue: session.preset?.name ?? usual,
      options: [
        option(usual, "By the rules", "Only the rules decide what is asked."),
        ...presets.map(({ name, label, does }) => option(name, label, does)),
      ],
    },
  ]
}

function effortOption(variants: readonly string[], current: string): SessionConfigOption {
  const names = variants.includes(current) || current === usual ? variants : [current, ...variants]
  return {
    id: "effort",
    name: "Thinking",
    category: "thought_level",
    type: "select",
    currentValue: current,
    options: [option(usual, "As usual"), ...names.map((name) => option(name, name))],
  }
}

function modelGroups({ providers }: Choices, current: ModelRef): SessionConfigSelectGroup[] {
  const groups = providers
    .filter(({ connected, models }) => connected && models.length > 0)
    .map(({ id, name, models }) => ({
      group: id,
      name,
      options: models.map((model) => option(nameOf({ providerID: id, modelID: model.id }), model.name)),
    }))
  const isListed = groups.some(({ options }) => options.some(({ value }) => value === nameOf(current)))
  // A model that a provider no longer has, or of a provider without its key.
  const inUse = { group: "(in use)", name: "In use", options: [option(nameOf(current), current.modelID)] }
  return isListed ? groups : [inUse, ...groups]
}

/** A change of a session's settings, as the service takes it. */
export type SettingsChange =
  | { agent: string }
  | { model: ModelRef }
  | { variant: string | null }
  | { preset: PermissionPreset | null }

/** What a chosen value of an option changes. @throws RequestError for an option or value that there is not */
export function settingsChange(configId: string, value: unknown): SettingsChange {
  if (typeof value !== "string") throw RequestError.invalidParams(undefined, `"${configId}" takes one of its options`)
  switch (configId) {
    case "mode":
      return { agent: value }
    case "model":
      return { model: parseModel(value) }
    case "effort":
      return { variant: value === usual ? null : value }
    case "preset": {
      if (value === usual) return { preset: null }
      const preset = PermissionPreset.safeParse(value)
      if (preset.success) return { preset: preset.data }
      throw RequestError.invalidParams(
        undefined,
        `"preset" is one of ${[usual, ...PermissionPreset.options].join(", ")}`,
      )
    }
    default:
      throw RequestError.invalidParams(undefined, `there is no option "${configId}"`)
  }
}

function nameOf({ providerID, modelID }: ModelRef): string {
  return `${providerID}/${modelID}`
}

function option(value: string, name: string, description = "") {
  return { value, name, ...(description !== "" && { description }) }
}
