import {
  type ClientContext,
  methods,
  type NewSessionResponse,
  type SessionConfigOption,
} from "@agentclientprotocol/sdk/unstable"
import type { AcpConfig } from "@docket/core/schema"

/** The mode in which agents ask before they do something, by its usual name. */
const askingMode = "default"

/** Sets the mode and the model of an entry. @throws Error that names what there is */
export async function chooseSettings(
  agent: ClientContext,
  sessionId: string,
  { modes, configOptions }: Pick<NewSessionResponse, "modes" | "configOptions">,
  { mode, model }: Pick<AcpConfig, "mode" | "model">,
): Promise<void> {
  const options = configOptions ?? []
  const setOption = async (option: SessionConfigOption, value: string) => {
    if (option.type === "select" && option.currentValue === value) return
    await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value })
  }
  const modeOption = options.find(({ category }) => category === "mode")
  const offered = modes?.availableModes.map(({ id }) => id) ?? (modeOption ? valuesOf(modeOption) : [])
  const wanted = mode ?? (offered.includes(askingMode) ? askingMode : undefined)
  if (wanted !== undefined) {
    if (!offered.includes(wanted)) throw new Error(`It has no mode ${wanted}. ${choices(offered)}`)
    if (modes != null) {
      if (modes.currentModeId !== wanted)
        await agent.request(methods.agent.session.setMode, { sessionId, modeId: wanted })
    } else if (modeOption !== undefined) await setOption(modeOption, wanted)
  }
  if (model === undefined) return
  const modelOption = options.find(({ category }) => category === "model")
  const models = modelOption ? valuesOf(modelOption) : []
  if (modelOption === undefined || !models.includes(model))
    throw new Error(`It does not offer the model ${model}. ${choices(models)} Its args or env may choose others.`)
  await setOption(modelOption, model)
}

function valuesOf(option: SessionConfigOption): string[] {
  if (option.type !== "select") return []
  return option.options.flatMap((one) => ("options" in one ? one.options.map(({ value }) => value) : [one.value]))
}

function choices(values: readonly string[]): string {
  return values.length === 0 ? "It offers none." : `It offers ${values.join(", ")}.`
}
